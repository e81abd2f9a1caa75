"""The inbox: one stream for all matches of a player, exactly once and in order, and nothing that is not the player's."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
import pytest

from tafelrunde.api.features.inbox import stream as inbox_stream
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.feature import STORE as INBOXES
from tafelrunde.service.matches.spectator_delay import DELAY_MS
from tests.support.table import API, Table

pytestmark = pytest.mark.anyio
STREAM = f"{API}/me/inbox/stream"


async def inbox(table: Table, token: str, after: str | None = None, **more: Any) -> Any:
    """Return a page of an inbox after the outbox has done its work."""
    await table.application.get(Outbox).catch_up()
    query = "&".join(f"{name}={value}" for name, value in {"after": after, **more}.items() if value is not None)
    answer = await table.get(f"/me/inbox?{query}", token)
    assert answer.status == 200, answer
    return answer.json


def short(page: Any) -> list[tuple[str, str]]:
    """Return the match and the type of each item."""
    return [(item["message"]["data"]["match"], item["message"]["type"].removeprefix("match.")) for item in page["items"]]


async def test_inbox_tells_each_player_its_own_turns_in_all_matches(table: Table) -> None:
    """Of every match what happens to it, and of its decisions those that ask the player's seat; a stranger gets nothing."""
    (_, one), (_, other), (_, stranger) = [await table.player() for _ in range(3)]
    starts = {token: (await inbox(table, token))["cursor"] for token in (one, other, stranger)}
    first = await table.begin(one, other, options={"first_seat": 0})
    second = await table.open(one)
    found = await inbox(table, one, starts[one])
    seats = [(first, "seat-changed")] * 2
    begun = [(first, "started"), (first, "decision-opened")]
    told = short(found)
    assert [each for each in told if each[0] == first] == [(first, "created"), *seats, *begun]
    assert [each for each in told if each[0] == second] == [(second, "created"), (second, "seat-changed")]
    asked = next(item for item in found["items"] if item["message"]["type"] == "match.decision-opened")
    assert asked["your_seats"] == [0]
    assert 0 in asked["message"]["data"]["seats"]
    theirs = [each for each in short(await inbox(table, other, starts[other])) if each[0] == first]
    assert theirs[0] == (first, "created"), "a player who sits down while the outbox rests gets the match from its beginning"
    assert (await inbox(table, stranger, starts[stranger]))["items"] == []
    await table.finish(first, one, other)
    rest = short(await inbox(table, one, found["cursor"]))
    assert rest[-1] == (first, "ended")
    assert {each[0] for each in rest} == {first}


async def test_inbox_is_the_same_however_it_is_read(table: Table) -> None:
    """Pages of any size, a stream that is cut at any item, and an outbox that repeats itself: each item once, in order."""
    (_, one), (_, other) = await table.player(), await table.player()
    start = (await inbox(table, one))["cursor"]
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    whole = await inbox(table, one, start, limit=500)
    assert [item["n"] for item in whole["items"]] == list(range(1, len(whole["items"]) + 1))
    await INBOXES.of(table.application.stores).advance(dict.fromkeys(range(64), "0-0"))
    assert await inbox(table, one, start, limit=500) == whole
    pages = []
    after = start
    while True:
        page = await inbox(table, one, after, limit=2)
        pages += page["items"]
        after = page["cursor"]
        if not page["more"]:
            break
    assert pages == whole["items"]
    for cut in (0, 1, len(pages) - 1):
        last = pages[cut - 1]["cursor"] if cut else start
        async with table.listen(STREAM, token=one, headers=[("Last-Event-ID", last)]) as stream:
            await stream.begin()
            heard = await stream.hear(b"match.ended")
        read = [msgspec.json.decode(data) for data in re.findall(rb"event: item\ndata: (.*)\n", heard)]
        assert read == pages[cut:]


async def test_inbox_stream_begins_now_and_goes_on(table: Table) -> None:
    """Without a cursor: `start` with the place, then what happens from then on; a client cut off at once resumes there."""
    (_, one), (_, other) = await table.player(), await table.player()
    async with table.listen(STREAM, token=one) as stream:
        assert (await stream.begin()).status == 200
        found = re.search(rb"id: (\S+)\nevent: start\n", await stream.hear(b"event: start\ndata: {"))
        assert found is not None
        match = await table.begin(one, other)
        await table.application.get(Outbox).catch_up()
        heard = await stream.hear(b"match.decision-opened")
    assert match.encode() in heard
    async with table.listen(STREAM, token=one, headers=[("Last-Event-ID", found[1].decode())]) as stream:
        await stream.begin()
        again = await stream.hear(b"match.decision-opened")
    assert re.findall(rb"(?m)^id: .*$", again) == re.findall(rb"(?m)^id: .*$", heard)[1:]


async def test_inbox_that_is_gone_is_reported_and_not_mixed(table: Table) -> None:
    """409 for a page; `reset` and a new `start` for a stream; 400 for what is no cursor."""
    _, one = await table.player()
    for wrong in ("7-deadbeef", "0-00000000"):
        assert (await table.get(f"/me/inbox?after={wrong}", one)).json["type"] == "urn:tafelrunde:problem:cursor-unknown"
        async with table.listen(STREAM, token=one, headers=[("Last-Event-ID", wrong)]) as stream:
            await stream.begin()
            assert re.search(rb"event: reset\ndata: {}\n\nid: 0-\w{8}\nevent: start\n", await stream.hear(b"event: start\n"))
    refused = await table.get("/me/inbox/stream", one, headers=[("Last-Event-ID", "x")])
    assert (refused.status, refused.json["field"]) == (400, "Last-Event-ID")
    assert (await table.get("/me/inbox")).status == 401


async def test_long_poll_of_an_inbox_waits_for_the_first_item(table: Table) -> None:
    """It answers as soon as something is there, and with nothing once the time is up."""
    _, one = await table.player()
    start = (await inbox(table, one))["cursor"]
    waiting = asyncio.ensure_future(table.get(f"/me/inbox?after={start}&wait=30", one))
    match = await table.open(one)
    await table.application.get(Outbox).catch_up()
    page = (await waiting).json
    assert short(page)[0] == (match, "created")


async def test_player_who_is_removed_gets_that_as_the_last(table: Table) -> None:
    """The one who leaves, or is sent away, hears of it, and nothing after it."""
    (_, one), (_, other) = await table.player(), await table.player()
    start = (await inbox(table, other))["cursor"]
    match = await table.open(one, seats=3)
    await table.post(f"/matches/{match}/seats", other)
    page = await inbox(table, other, start)
    await table.ask("DELETE", f"{API}/matches/{match}/seats/1", token=one)
    gone = await inbox(table, other, page["cursor"])
    assert short(gone) == [(match, "seat-changed")]
    assert gone["items"][0]["your_seats"] == []
    await table.post(f"/matches/{match}/abort", one)
    assert (await inbox(table, other, gone["cursor"]))["items"] == []


async def test_player_hears_of_a_reserved_seat_and_that_it_is_given_away(table: Table) -> None:
    """The rematch is in its inbox before it sits down; once a bot has the seat, nothing more of it is."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    start = (await inbox(table, other))["cursor"]
    successor = await table.agree_rematch(match, one, other)
    page = await inbox(table, other, start)
    assert {each for each in short(page) if each[0] == successor} == {(successor, "created"), (successor, "seat-changed")}
    assert {tuple(item["your_seats"]) for item in page["items"] if item["message"]["data"]["match"] == successor} == {(1,)}
    await table.post(f"/matches/{successor}/seats", one)
    page = await inbox(table, other, page["cursor"])
    await table.ask("PUT", f"{API}/matches/{successor}/seats/1/bot", token=one, content={"bot": "steady"})
    gone = await inbox(table, other, page["cursor"])
    assert short(gone) == [(successor, "seat-changed")]
    await table.post(f"/matches/{successor}/start", one)
    assert (await inbox(table, other, gone["cursor"]))["items"] == []


async def test_application_gets_what_happens_to_its_users(table: Table) -> None:
    """Also in a match of someone else, with the seats that are theirs; another application gets nothing."""
    _, host = await table.player()
    keys = []
    for label in ("mine", "other"):
        player, _ = await table.player()
        keys.append((await table.application.accounts.issue(PlayerId(player), label, ["read", "play", "embed"], None))[1])
    starts = [(await inbox(table, key))["cursor"] for key in keys]
    match = await table.open(host, seats=2)
    await table.post(f"/matches/{match}/users", keys[0], {"user": "4711"})
    await table.post(f"/matches/{match}/start", host)
    mine = await inbox(table, keys[0], starts[0])
    assert (match, "started") in short(mine)
    assert {tuple(item["your_seats"]) for item in mine["items"]} == {(1,)}
    assert (await inbox(table, keys[1], starts[1]))["items"] == []


async def test_host_without_a_seat_gets_a_delayed_match_late(table: Table) -> None:
    """What spectators may not know yet is in no inbox, while those who sit there have it at once."""
    (_, host), (_, one), (_, other) = [await table.player() for _ in range(3)]
    starts = [(await inbox(table, token))["cursor"] for token in (host, one)]
    match = await table.open(host, seat=None, spectators="delayed")
    for token in (one, other):
        await table.post(f"/matches/{match}/seats", token)
    await table.post(f"/matches/{match}/start", host)
    assert (match, "started") in short(await inbox(table, one, starts[1]))
    early = await inbox(table, host, starts[0])
    assert {kind for _, kind in short(early)} == {"created", "seat-changed"}
    table.now_ms += DELAY_MS - 1
    assert (await inbox(table, host, early["cursor"]))["items"] == []
    table.now_ms += 2
    await table.application.get(Outbox).portion()
    assert short(await inbox(table, host, early["cursor"])) == [(match, "started")]


async def test_seat_token_opens_no_inbox(table: Table) -> None:
    """It is for one seat of one match; the inbox has all matches."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    text = (await table.post(f"/matches/{match}/seats/0/tokens", one)).json["text"]
    for path in ("/me/inbox", "/me/inbox/stream"):
        assert (await table.get(path, text)).json["type"] == "urn:tafelrunde:problem:scope-missing"


async def test_inbox_stream_ends_with_its_token(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A revoked token is noticed at the next ping, and a deleted player leaves no inbox behind."""
    monkeypatch.setattr(inbox_stream, "PING_SECONDS", 0.05)
    player, one = await table.player()
    made = (await table.post("/me/tokens", one, {})).json
    async with table.listen(STREAM, token=made["text"]) as stream:
        await stream.begin()
        await stream.hear(b": ping\n\n")
        await table.ask("DELETE", f"{API}/me/tokens/{made['token']['id']}", token=one)
        assert (await stream.hear()).endswith(b"event: bye\ndata: {}\n\n")
    assert player in await INBOXES.of(table.application.stores).listeners(table.now_ms)
    await table.ask("DELETE", f"{API}/me", token=one)
    assert await INBOXES.of(table.application.stores).listeners(table.now_ms) == {}


async def test_inbox_stream_says_good_bye_when_the_process_stops(table: Table) -> None:
    """`bye`: the client reconnects, to another process."""
    _, one = await table.player()
    async with table.listen(STREAM, token=one) as stream:
        await stream.begin()
        await stream.hear(b"event: start\n")
        table.app.state.running.drain()
        assert (await stream.hear()).endswith(b"event: bye\ndata: {}\n\n")
