"""What a socket may ask for and hold, what ends it, and what is never lost by that."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

from tafelrunde.api.app import create_app, running
from tafelrunde.api.socket import backpressure, session
from tafelrunde.api.socket.sessions import Sessions
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.runtime.connections import FRAME_BYTES, ROOM_BYTES
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server
from tests.support.sockets import Socket, command_of, connected, feed_of, items_of, refused
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

QUICK_SECONDS = 0.02
NOWHERE = "m" + "a" * 24


async def until(what: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not what():  # noqa: ASYNC110 - nothing sets an event for a test
            await asyncio.sleep(0.001)


def sessions(table: Table) -> Sessions:
    """Return the sessions of a service."""
    return table.app.state.running.part(Sessions)


def open_sessions(table: Table) -> set[session.Session]:
    """Return the open sessions of a service."""
    return cast("set[session.Session]", sessions(table)._open)


async def begun(table: Table, **wishes: Any) -> tuple[str, str, str]:
    """Begin a match of Duel; return it and the tokens of its players."""
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.begin(one, other, options={"first_seat": 0}, **wishes), one, other


def limited(**limits: Any) -> Settings:
    """Return settings with limits."""
    return Settings(bot_pause_ms=0, limits=LimitSettings(**limits))


# The handshake


async def test_handshake_is_refused_without_the_subprotocol(table: Table) -> None:
    """A client of another version finds out at once."""
    answer = await refused(table.app, protocols=("tafelrunde.v9",))
    assert (answer["status"], json.loads(answer["body"])["field"]) == (400, "Sec-WebSocket-Protocol")


async def test_handshake_is_refused_to_pages_of_other_origins(table: Table) -> None:
    """Only pages of the service itself, and of listed origins, may use tokens; programs name no origin."""
    answer = await refused(table.app, headers=[("Origin", "https://evil.example")])
    assert (answer["status"], json.loads(answer["body"])["field"]) == (400, "Origin")
    async with opened(Settings(cors_origins="https://cards.example")) as other:
        assert (await refused(other.app, headers=[("Origin", "https://evil.example")]))["status"] == 400
        async with connected(other.app, headers=[("Origin", "https://cards.example")]):
            pass


async def test_invalid_token_is_refused_and_counts_as_a_failure() -> None:
    """4401, whichever way it came; further guesses are not even looked up, while tokens of the deployment are accepted."""
    guess = f"tr_{'x' * 43}"
    async with opened(limited(failures_per_minute=2)) as table:
        for token in (None, guess):
            async with connected(table.app, token) as socket:
                if token is None:
                    socket.say(type="hello", token=guess)
                assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:unauthenticated"
                assert await socket.ends() == 4401
        async with connected(table.app, guess) as socket:
            assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:too-many-requests"
            assert await socket.ends() == 4429
        async with connected(table.app, "nonsense") as socket:
            assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:unauthenticated"
        _, token = await table.player()
        async with connected(table.app, token) as socket:
            assert (await socket.hear())["type"] == "welcome"


async def test_connection_ends_when_no_first_frame_comes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute is enough to say hello."""
    monkeypatch.setattr(session, "PING_SECONDS", QUICK_SECONDS)
    async with connected(table.app) as socket:
        assert await socket.ends() == 4408


async def test_connections_are_limited_for_each_player_and_address() -> None:
    """Each counts as a stream of its player, however many matches it follows, and is free again at its end."""
    async with opened(limited(max_streams=2)) as table:
        _, token = await table.player()

        async def greeted(socket: Socket, whose: str | None) -> str:
            if whose is None:
                socket.say(type="hello")
            return str((await socket.hear())["type"])

        for whose in (token, None):
            async with connected(table.app, whose) as first, connected(table.app, whose) as second:
                assert [await greeted(first, whose), await greeted(second, whose)] == ["welcome", "welcome"]
                async with connected(table.app, whose) as third:
                    assert await greeted(third, whose) == ("problem" if whose is not None else "welcome")
                    if whose is not None:
                        assert await third.ends() == 4429
            await until(lambda: table.app.state.running.streams.count == 0)
            async with connected(table.app, whose) as again:
                assert await greeted(again, whose) == "welcome"


# Frames


async def test_binary_frame_ends_the_connection(table: Table) -> None:
    """Frames are texts."""
    async with connected(table.app, (await table.player())[1]) as socket:
        socket.say_bytes(b"{}")
        assert await socket.ends() == 1003


async def test_frame_that_is_too_large_ends_the_connection(table: Table) -> None:
    """64 KiB are allowed, and not one byte more."""
    async with connected(table.app, (await table.player())[1]) as socket:
        await socket.hear()
        frame = json.dumps({"type": "unsubscribe", "id": "1", "match": NOWHERE})
        socket.say_text(frame + " " * (FRAME_BYTES - len(frame)))
        assert (await socket.hear())["type"] == "unsubscribed"
        socket.say_text(frame + " " * (FRAME_BYTES - len(frame) + 1))
        assert await socket.ends() == 1009


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null", '{"type":"x"}', '{"id":""}', "\x00"])
async def test_garbage_ends_the_connection(table: Table, text: str) -> None:
    """What has not even an id is no frame."""
    async with connected(table.app, (await table.player())[1]) as socket:
        await socket.hear()
        socket.say_text(text)
        assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:invalid-request"
        assert await socket.ends() == 4400


async def test_frame_is_refused_when_it_is_nested_too_deeply(table: Table) -> None:
    """As over HTTP, even if it is only read later; the connection and its frames about that match go on."""
    async with connected(table.app, (await table.player())[1]) as socket:
        await socket.hear()
        deep = 10_000 * '{"a":' + "1" + 10_000 * "}"
        frame = f'{{"type":"command","id":"deep","match":"{NOWHERE}","decision":1,"key":"k","command":{deep}}}'
        assert len(frame) <= FRAME_BYTES
        socket.say_text(frame)
        assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:invalid-request"


async def test_nothing_is_kept_of_what_comes_after_the_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where reading had paused before."""
    monkeypatch.setattr(backpressure, "AT_ONCE", 1)
    async with connected(table.app, (await table.player())[1]) as socket:
        await socket.hear()
        found = next(iter(table.app.state.running.part(Sessions)._open))
        socket.say(type="unsubscribe", match=NOWHERE)
        socket.say_bytes(b"x")
        assert await socket.ends() == 1003
        for _ in range(3):
            found.receive(b"{}")
        assert not found._flow._backlog


async def test_wrong_frame_is_refused_and_the_connection_goes_on() -> None:
    """A wrong field, an unknown one, an unknown type: each is charged as a request. A second hello ends it."""
    async with opened(limited(requests_per_minute=60)) as table, connected(table.app, (await table.player())[1]) as socket:
        await socket.hear()
        for wrong in ({"match": "x"}, {"match": NOWHERE, "more": 1}, {"match": NOWHERE, "after": 3}):
            answer = await socket.ask(type="subscribe", **wrong)
            assert answer["problem"]["type"] == "urn:tafelrunde:problem:invalid-request"
            assert answer["problem"]["detail"]
        assert (await socket.ask(type="jump"))["problem"]["field"] == "/type"
        answers = [await socket.ask(type="jump") for _ in range(60)]
        assert answers[-1]["problem"]["type"] == "urn:tafelrunde:problem:too-many-requests"
        assert answers[-1]["retry_after"] > 0
        socket.say(type="hello")
        assert await socket.ends() == 4400


async def test_quotas_are_those_of_requests() -> None:
    """A token has one budget, over both ways; what is over it is refused with the time to wait."""
    async with opened(limited(advice_per_minute=10, reads_per_minute=60)) as table:
        match, one, _ = await begun(table)
        async with connected(table.app, one) as socket:
            answers = [await socket.ask(type="view", match=match) for _ in range(61)]
            assert {answer["type"] for answer in answers[:50]} == {"view"}
            assert answers[-1]["problem"]["type"] == "urn:tafelrunde:problem:too-many-requests"
            assert answers[-1]["retry_after"] > 0
            assert (await table.get(f"/matches/{match}/view", one)).status == 429


async def test_subscriptions_of_a_connection_are_limited() -> None:
    """One match more is refused; the same match again is not one more, and an ended one is free."""
    async with opened(limited(max_subscriptions=2)) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        matches = [await table.begin(one, other) for _ in range(3)]
        async with connected(table.app, one) as socket:
            assert (await socket.hear())["subscriptions"] == 2
            for match in (*matches[:2], matches[0]):
                assert (await socket.ask(type="subscribe", match=match))["type"] == "subscribed"
            answer = await socket.ask(type="subscribe", match=matches[2])
            assert (answer["problem"]["type"], answer["problem"]["status"]) == ("urn:tafelrunde:problem:too-many-streams", 429)
            await socket.ask(type="unsubscribe", match=matches[0])
            assert (await socket.ask(type="subscribe", match=matches[2]))["type"] == "subscribed"


async def test_flood_of_frames_waits_and_nothing_of_it_is_lost(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """While 32 are under way nothing more is read; then all are answered, in order."""
    match, one, _ = await begun(table)
    held = asyncio.Event()
    honest = table.application.queries.view

    async def hang(*arguments: Any) -> Any:
        await held.wait()
        return await honest(*arguments)

    monkeypatch.setattr(table.application.queries, "view", hang)
    async with connected(table.app, one) as socket:
        await socket.hear()
        names = [socket.say(type="view", match=match) for _ in range(500)]
        [mine] = open_sessions(table)
        await until(lambda: mine._flow.under_way >= backpressure.AT_ONCE)
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert mine._flow.under_way == backpressure.AT_ONCE
        held.set()
        assert [(await socket.hear())["id"] for _ in names] == names


# Slow and lost clients


async def test_slow_reader_is_read_no_more_and_gets_everything_in_the_end(table: Table) -> None:
    """What is unsent stays little: answers and subscriptions wait for the client."""
    match, one, _ = await begun(table)
    async with connected(table.app, one, room=1) as socket:
        await socket.hear()
        size = len((await table.get(f"/matches/{match}/view", one)).body)
        names = [socket.say(type="view", match=match) for _ in range(2_000_000 // size)]
        [mine] = open_sessions(table)
        await until(lambda: mine._transport.unsent > ROOM_BYTES)
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert mine._transport.unsent < 2 * ROOM_BYTES + backpressure.AT_ONCE * 2 * size
        assert [(await socket.hear())["id"] for _ in names] == names


async def test_reader_who_takes_nothing_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is buffered for it would be kept indefinitely."""
    match, one, _ = await begun(table)
    monkeypatch.setattr(session, "PING_SECONDS", QUICK_SECONDS)
    async with connected(table.app, one, room=1) as socket:
        size = len((await table.get(f"/matches/{match}/view", one)).body)
        await until(lambda: sessions(table).count == 1)
        for _ in range(2_000_000 // size):
            socket.say(type="view", match=match)
        await until(lambda: sessions(table).count == 0)


async def test_lost_connection_leaves_nothing_behind(table: Table) -> None:
    """Whatever it was following."""
    match, one, _ = await begun(table)
    async with connected(table.app, one) as socket:
        await socket.ask(type="subscribe", match=match)
        await socket.until("items")
    running = table.app.state.running
    await until(lambda: sessions(table).count == 0)
    assert (running.streams.count, running.broadcasts._waits, table.application.notifier._watches) == (0, {}, {})


async def test_command_is_carried_out_once_although_its_connection_is_lost(table: Table) -> None:
    """The same key again, on another connection or over HTTP, gets its receipt."""
    match, one, _ = await begun(table)
    frame = await command_of(table, match, one)
    async with connected(table.app, one) as socket:
        await socket.hear()
        socket.say(**frame)
        await asyncio.sleep(0)
    async with connected(table.app, one) as socket:
        receipt = await socket.ask(**frame)
        assert receipt["type"] == "receipt"
        assert (await socket.ask(**frame))["replayed"] is True
    content = {"decision": frame["decision"], "command": frame["command"]}
    again = await table.post(f"/matches/{match}/commands", one, content, key=frame["key"])
    assert (again.header("Idempotency-Replayed"), again.json) == ("true", receipt["receipt"])


async def test_two_connections_that_race_for_a_decision_get_one_command_carried_out(table: Table) -> None:
    """The same key is the same command, whichever is first; both get each item of the feed in order."""
    match, one, _ = await begun(table)
    before = await feed_of(table, match, one)
    frame = await command_of(table, match, one)
    async with connected(table.app, one) as first, connected(table.app, one) as second:
        for socket in (first, second):
            await socket.ask(type="subscribe", match=match)
        names = [first.say(**frame), second.say(**frame)]
        receipts = [await first.until("receipt", names[0]), await second.until("receipt", names[1])]
        assert sorted(receipt["replayed"] for receipt in receipts) == [False, True]
        feed = await feed_of(table, match, one)
        assert len(feed) > len(before)
        for socket in (first, second):
            await socket.ask(type="view", match=match)
            known = {item["n"]: item for item in items_of(socket.heard)}
            assert list(known.values()) == feed


# The end of rights, of the store, and of the process


async def test_connection_ends_when_its_token_is_revoked(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two frames it is noticed at a ping; a frame notices at once."""
    monkeypatch.setattr(session, "PATIENT_TICKS", 1_000_000)
    match, one, _ = await begun(table)
    for asks in (True, False):
        if not asks:
            monkeypatch.setattr(session, "PING_SECONDS", QUICK_SECONDS)
        made = (await table.post("/me/tokens", one, {})).json
        async with connected(table.app, made["text"]) as socket:
            assert (await socket.hear())["type"] == "welcome"
            await table.ask("DELETE", f"/api/v1/me/tokens/{made['token']['id']}", token=one)
            if asks:
                socket.say(type="view", match=match)
            assert await socket.ends() == 4401
            assert socket.heard[-1] == {"type": "bye"}


async def test_seat_token_sees_and_plays_its_match_alone_and_ends_with_its_time(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As over HTTP; when it has expired, the connection ends."""
    monkeypatch.setattr(session, "PING_SECONDS", QUICK_SECONDS)
    monkeypatch.setattr(session, "PATIENT_TICKS", 1_000_000)
    match, one, other = await begun(table)
    elsewhere = await table.begin(one, other)
    token = (await table.post(f"/matches/{match}/seats/0/tokens", one, key=None)).json["text"]
    frame = await command_of(table, match, one)
    async with connected(table.app, token) as socket:
        assert (await socket.hear())["player"] == (await table.get("/me", one)).json["id"]
        for wish in ("subscribe", "view"):
            assert (await socket.ask(type=wish, match=elsewhere))["problem"]["type"] == "urn:tafelrunde:problem:scope-missing"
            assert "problem" not in await socket.ask(type=wish, match=match)
        assert (await socket.ask(**frame))["type"] == "receipt"
        table.now_ms += 3_600_000
        assert await socket.ends() == 4401


async def test_token_without_the_scope_watches_and_does_not_play(table: Table) -> None:
    """The scope is that of each operation."""
    match, one, _ = await begun(table)
    reader = (await table.post("/me/tokens", one, {"scopes": ["read"]})).json["text"]
    frame = await command_of(table, match, one)
    async with connected(table.app, reader) as socket:
        assert (await socket.ask(type="subscribe", match=match))["type"] == "subscribed"
        assert (await socket.ask(**frame))["problem"]["type"] == "urn:tafelrunde:problem:scope-missing"


async def test_subscription_starts_over_when_its_seat_is_left(table: Table) -> None:
    """A player who leaves gets `reset`, and then the feed of a spectator."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one)
    await table.post(f"/matches/{match}/seats", other)
    async with connected(table.app, other) as socket:
        await socket.ask(type="subscribe", match=match)
        await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=other)
        assert (await socket.until("reset"))["match"] == match
        assert (await socket.until("items"))["items"] == await feed_of(table, match, other)


async def test_spectators_are_let_in_late_or_not_at_all(table: Table) -> None:
    """Delayed ones see it a minute late, as with streams; where they are off, they are refused."""
    match, one, other = await begun(table, spectators="delayed")
    table.now_ms += 60_000
    async with connected(table.app) as socket:
        await socket.ask(type="subscribe", match=match)
        seen = (await socket.until("items"))["items"]
        for token in (one, other):
            await table.play(match, token)
        await socket.ask(type="view", match=match)
        assert items_of(socket.heard) == seen
        table.now_ms += 60_000
        assert "duel.bids-shown.1" in [item["event"]["type"] for item in (await socket.until("items"))["items"]]
        closed, _, _ = await begun(table)
        assert (await socket.ask(type="subscribe", match=closed))["problem"]["type"] == "urn:tafelrunde:problem:spectators-off"


async def test_store_that_is_down_loses_no_command(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """`unavailable` with a time to wait; the connection stays, and the same key works when the store is there again."""
    match, one, _ = await begun(table)
    frame = await command_of(table, match, one)

    async def stay_away(*_: object, **__: object) -> NoReturn:
        raise StoreUnavailable("away")

    async with connected(table.app, one) as socket:
        await socket.hear()
        with monkeypatch.context() as down:
            down.setattr(table.application.stores.events, "append", stay_away)
            answer = await socket.ask(**frame)
            assert (answer["problem"]["type"], answer["retry_after"]) == ("urn:tafelrunde:problem:unavailable", 1)
        receipt = await socket.ask(**frame)
        assert (receipt["type"], receipt["replayed"]) == ("receipt", False)


async def test_process_without_its_store_yet_lets_no_one_in(short_path: Path) -> None:
    """`unavailable` and 4503 at once, with a token or without, so that the client asks another process."""
    inner = create_app(Settings(redis_url=Server("valkey", short_path).url), patient=True)
    async with running(inner):
        for token in (None, "x"):
            async with connected(inner) as socket:
                socket.say(type="hello", token=token)
                assert (await socket.hear())["problem"]["type"] == "urn:tafelrunde:problem:unavailable"
                assert await socket.ends() == 4503


async def test_process_that_stops_answers_first_and_says_bye(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way is answered; then `bye`, and 1012: connect again."""
    match, one, _ = await begun(table)
    held = asyncio.Event()
    honest = table.application.matches.play

    async def hang(*arguments: Any, **more: Any) -> Any:
        await held.wait()
        return await honest(*arguments, **more)

    monkeypatch.setattr(table.application.matches, "play", hang)
    frame = await command_of(table, match, one)
    async with connected(table.app, one) as socket, connected(table.app, one) as idle:
        for each in (socket, idle):
            await each.hear()
        name = socket.say(**frame)
        await until(lambda: any(mine._flow.under_way for mine in open_sessions(table)))
        table.app.state.running.drain()
        assert await idle.ends() == 1012
        assert idle.heard[-1] == {"type": "bye"}
        held.set()
        assert (await socket.until("receipt", name))["receipt"]["items"]
        assert await socket.ends() == 1012


async def test_process_that_stops_closes_connections_that_have_said_nothing(table: Table) -> None:
    """A client that has not sent its first frame connects again as well."""
    async with connected(table.app) as silent:
        table.app.state.running.drain()
        assert await silent.ends() == 1012


async def test_frames_are_counted_as_requests_are(table: Table) -> None:
    """By the name of the operation that each stands for."""
    match, one, _ = await begun(table)
    async with connected(table.app, one) as socket:
        await socket.ask(type="subscribe", match=match)
        await socket.ask(**await command_of(table, match, one))
    text = table.app.state.running.metrics.text().decode()
    for name, status in (("openSocket", 101), ("streamFeed", 200), ("giveCommand", 200)):
        assert f'tafelrunde_requests_total{{operation="{name}",status="{status}"}} 1.0' in text
