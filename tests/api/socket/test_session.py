"""The socket: who the caller is, what it follows, what it asks, and the order of what it gets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tafelrunde.api.socket.sessions import Sessions
from tests.support import sockets
from tests.support.sockets import command_of, connected, feed_of, items_of
from tests.support.table import Table

pytestmark = pytest.mark.anyio

Match = tuple[str, str, str]


@pytest.fixture
async def match(table: Table) -> Match:
    """A running match of Duel, and the tokens of its players."""
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.begin(one, other, options={"first_seat": 0}), one, other


async def test_caller_is_welcomed_by_the_token_of_the_handshake_or_of_hello(table: Table) -> None:
    """Programs send a header; browsers, which cannot, a first frame."""
    player, token = await table.player()
    async with connected(table.app, token) as socket:
        assert (await socket.hear())["player"] == player
    async with connected(table.app) as socket:
        socket.say(type="hello", token=token)
        welcome = await socket.hear()
        assert (welcome["type"], welcome["player"]) == ("welcome", player)
        assert (welcome["ping_seconds"], welcome["subscriptions"], welcome["frames"]) == (15, 50, 32)


async def test_caller_without_a_token_is_welcome_to_watch(table: Table, match: Match) -> None:
    """With `hello` or at once with what it wants; what it may not is refused as over HTTP."""
    async with connected(table.app) as socket:
        socket.say(type="hello")
        assert (await socket.hear())["player"] is None
    async with connected(table.app) as socket:
        socket.say(type="view", match=match[0])
        assert (await socket.hear())["type"] == "welcome"
        assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:spectators-off"


async def test_match_is_played_over_the_socket_to_its_end(table: Table, match: Match) -> None:
    """Commands, receipts, items and views: what each seat got is exactly its feed, and then comes `end`."""
    name, *tokens = match
    async with connected(table.app, tokens[0]) as one, connected(table.app, tokens[1]) as other:
        for socket in (one, other):
            assert (await socket.ask(type="subscribe", match=name))["cursor"] == "0-00000000"
        running = True
        while running:
            for socket in (one, other):
                view = (await socket.ask(type="view", match=name))["view"]
                running = view["status"] == "running"
                if view["question"] is not None:
                    given = {"decision": view["question"]["decision"], "command": view["question"]["legal"][0]}
                    answer = await socket.ask(type="command", match=name, key=table.key(), **given)
                    assert answer["type"] == "receipt", answer
        for socket, token in zip((one, other), tokens, strict=True):
            if not any(frame["type"] == "end" for frame in socket.heard):
                await socket.until("end")
            assert items_of(socket.heard) == await feed_of(table, name, token)


async def test_items_before_a_receipt_come_first_and_its_own_once(table: Table, match: Match) -> None:
    """A client that subscribes and at once sends a command gets the match in the order of its feed."""
    name, token, _ = match
    frame = await command_of(table, name, token)
    async with connected(table.app, token) as socket:
        socket.say(type="subscribe", match=name)
        socket.say(**frame)
        receipt = await socket.until("receipt")
        assert receipt["receipt"]["items"]
        assert items_of(socket.heard) == await feed_of(table, name, token)
        assert (await socket.ask(**frame, id="again")) == {**receipt, "id": "again", "replayed": True}


async def test_what_others_do_while_a_command_is_under_way_comes_before_its_receipt(
    table: Table, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once, although there was room for the subscription to go ahead meanwhile."""
    name, token, other = match
    begun = asyncio.Event()
    held = asyncio.Event()
    honest = table.application.matches.play

    async def hang(*arguments: Any, **more: Any) -> Any:
        begun.set()
        await held.wait()
        return await honest(*arguments, **more)

    monkeypatch.setattr(table.application.matches, "play", hang)
    frame = await command_of(table, name, token)
    async with connected(table.app, token) as socket:
        await socket.ask(type="subscribe", match=name)
        await socket.until("items")
        asked = socket.say(**frame)
        await begun.wait()
        await table.ask("DELETE", f"/api/v1/matches/{name}/seats/me", token=other)
        [mine] = table.app.state.running.part(Sessions)._open
        mine._flow.wait(mine._answers.following[name])
        mine.writable()
        held.set()
        await socket.until("receipt", asked)
        told = socket.heard[-2:]
        assert [each["type"] for each in told] == ["items", "receipt"]
        assert "match.stand-in-seated.1" in {item["event"]["type"] for item in told[0]["items"]}
        assert items_of(socket.heard) == await feed_of(table, name, token)


async def test_bodies_are_those_of_http(table: Table, match: Match) -> None:
    """View, receipt and problem, byte for byte."""
    name, token, other = match
    async with connected(table.app, token) as socket:
        frame = await command_of(table, name, token)
        await socket.ask(**frame)
        content = {"decision": frame["decision"], "command": frame["command"]}
        path = f"/matches/{name}/commands"
        assert (await table.post(path, token, content, key=frame["key"])).body.decode() in socket.texts[-1]
        await socket.ask(type="view", match=name)
        assert (await table.get(f"/matches/{name}/view", token)).body.decode() in socket.texts[-1]
        await socket.ask(type="command", match=name, key="new", **content)
        assert (await table.post(path, token, content)).body.decode() in socket.texts[-1]
    assert other


async def test_whole_number_is_read_as_over_http_when_it_is_written_with_a_point(table: Table, match: Match) -> None:
    """It is the same number to the contract; one with a rest is refused."""
    name, token, _ = match
    frame = await command_of(table, name, token)
    broken = {**frame, "decision": frame["decision"] + 0.5, "key": table.key()}
    async with connected(table.app, token) as socket:
        assert (await socket.ask(**broken))["problem"]["type"] == "urn:tafelrunde:problem:invalid-request"
        assert (await socket.ask(**{**frame, "decision": float(frame["decision"])}))["type"] == "receipt"
    asked = {"decision": broken["decision"], "command": frame["command"]}
    assert (await table.post(f"/matches/{name}/commands", token, asked)).json["type"] == "urn:tafelrunde:problem:invalid-request"


async def test_dry_run_is_accepted_or_refused_and_changes_nothing(table: Table, match: Match) -> None:
    """As over HTTP."""
    name, token, _ = match
    frame = await command_of(table, name, token)
    before = await feed_of(table, name, token)
    async with connected(table.app, token) as socket:
        assert (await socket.ask(**frame, dry_run=True))["type"] == "accepted"
        refused = await socket.ask(**{**frame, "decision": 99}, dry_run=True)
        assert refused["problem"]["type"] == "urn:tafelrunde:problem:decision-closed"
    assert await feed_of(table, name, token) == before


async def test_subscription_resumes_at_a_cursor_and_starts_over_at_an_unknown_one(table: Table, match: Match) -> None:
    """What the client has is not sent again; where its history is gone, the feed starts over."""
    name, token, _ = match
    feed = await feed_of(table, name, token)
    async with connected(table.app, token) as socket:
        await socket.ask(type="subscribe", match=name, after=feed[0]["cursor"])
        assert (await socket.until("items"))["items"] == feed[1:]
        await socket.ask(type="subscribe", match=name, after="1-00000000")
        await socket.until("reset")
        assert (await socket.until("items"))["items"] == feed


async def test_subscription_ends_when_asked(table: Table, match: Match) -> None:
    """Nothing more of that match is sent, and the connection goes on."""
    name, token, other = match
    async with connected(table.app, token) as socket:
        await socket.ask(type="subscribe", match=name)
        await socket.until("items")
        assert (await socket.ask(type="unsubscribe", match=name))["type"] == "unsubscribed"
        await table.play(name, other)
        await socket.ask(type="view", match=name)
        assert [frame["type"] for frame in socket.heard].count("items") == 1
    assert table.app.state.running.broadcasts._waits == {}
    assert table.application.notifier._watches == {}


async def test_socket_is_mounted_with_the_app(table: Table, match: Match, way: str) -> None:
    """Under the path of the host, as all else."""
    if way == sockets.ASGI:
        async with connected(table.app, match[1], root="/cards", path=f"/cards{sockets.URL}") as socket:
            assert (await socket.ask(type="subscribe", match=match[0]))["type"] == "subscribed"


async def test_one_connection_follows_and_plays_several_matches(table: Table) -> None:
    """Each frame names its match."""
    (_, one), (_, other) = await table.player(), await table.player()
    matches = [await table.begin(one, other, options={"first_seat": 0}) for _ in range(3)]
    async with connected(table.app, one) as socket:
        frames = [await command_of(table, match, one) for match in matches]
        for match, frame in zip(matches, frames, strict=True):
            socket.say(type="subscribe", match=match)
            socket.say(**frame)
        for _ in matches:
            await socket.until("receipt")
        told = socket.heard
    for match in matches:
        mine = [frame for frame in told if match in {frame.get("match"), frame.get("receipt", {}).get("match")}]
        assert items_of(mine) == await feed_of(table, match, one)
