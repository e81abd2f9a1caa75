"""Server-sent events: delivery, resuming, all kinds of ends."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest

from tafelrunde.api.http import sse
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support import clockwork
from tests.support.table import Table, opened
from tests.support.wire import Exchange

pytestmark = pytest.mark.anyio


class Client:
    """A client that keeps complete events only, as the standard says."""

    def __init__(self) -> None:
        self.items: list[bytes] = []
        self.last = ""
        self.over = False

    def read(self, stream: bytes) -> None:
        """Parse a stream that may be cut off anywhere."""
        *events, _ = stream.split(b"\n\n")
        for event in events:
            fields = dict(re.findall(rb"(?m)^(id|event|data): (.*)$", event))
            if fields.get(b"event") == b"item":
                self.items.append(fields[b"data"])
                self.last = fields[b"id"].decode()
            elif fields.get(b"event") == b"reset":
                self.items = []
                self.last = ""
            elif fields.get(b"event") == b"end":
                self.over = True


class Scene(NamedTuple):
    """A running match and its two players' tokens."""

    match: str
    one: str
    other: str

    @property
    def path(self) -> str:
        """The address of its stream."""
        return f"/api/v1/matches/{self.match}/stream"


async def scene(table: Table, **wishes: object) -> Scene:
    """Begin a match of Duel."""
    (_, one), (_, other) = await table.player(), await table.player()
    return Scene(await table.begin(one, other, options={"first_seat": 0}, **wishes), one, other)


async def whole(table: Table, path: str, token: str | None) -> bytes:
    """Return the whole stream of a finished match."""
    async with table.listen(path, token=token) as stream:
        await stream.begin()
        return await stream.hear()


async def test_stream_has_the_items_of_the_feed(table: Table) -> None:
    """Same items, same order, each with its cursor as the id."""
    at = await scene(table)
    await table.finish(at.match, at.one, at.other)
    client = Client()
    client.read(await whole(table, at.path, at.one))
    feed = (await table.get(f"/matches/{at.match}/feed?limit=500", at.one)).body
    assert (
        b'{"items":[' + b",".join(client.items) + b"]" == feed.partition(b',"cursor":"' + client.last.encode() + b'","more"')[0]
    )
    assert client.over


async def test_stream_tells_browsers_and_proxies_how_to_treat_it(table: Table) -> None:
    """Not stored, not buffered, not compressed; reconnect after a second."""
    at = await scene(table)
    async with table.listen(at.path, token=at.one) as stream:
        start = await stream.begin()
        assert (start.status, start.header("content-type")) == (200, "text/event-stream")
        assert (start.header("cache-control"), start.header("x-accel-buffering")) == ("no-store", "no")
        assert (await stream.hear(b"\n\n")).startswith(b"retry: 1000\n\n")


async def test_stream_delivers_what_happens_while_it_is_open(table: Table) -> None:
    """The seat's own answer, and what is revealed when all are in."""
    at = await scene(table)
    async with table.listen(at.path, token=at.one) as stream:
        await stream.begin()
        await stream.hear(b"match.decision-opened.1")
        await table.play(at.match, at.one)
        assert b"duel.bid-made.1" in await stream.hear(b"duel.bid-made.1")
        await table.play(at.match, at.other)
        assert b"duel.bids-shown.1" in await stream.hear(b"duel.bids-shown.1")


async def test_stream_broken_off_at_any_byte_loses_and_doubles_nothing(table: Table) -> None:
    """Wherever the connection breaks, a client that resumes with its last id gets the same feed as an uninterrupted one."""
    at = await scene(table)
    await table.finish(at.match, at.one, at.other)
    stream = await whole(table, at.path, at.one)
    unbroken = Client()
    unbroken.read(stream)
    rests: dict[str, bytes | None] = {}
    for cut in range(len(stream)):
        client = Client()
        client.read(stream[:cut])
        if client.last not in rests:
            rests[client.last] = await rest_of(table, at, client.last)
        if (rest := rests[client.last]) is not None:
            client.read(rest)
        assert (client.items, client.over or rest is None) == (unbroken.items, True)


async def rest_of(table: Table, at: Scene, last: str) -> bytes | None:
    """Return what follows an item of a finished match, or None if nothing ever will."""
    headers = [("Last-Event-ID", last)] if last else []
    async with table.listen(at.path, token=at.one, headers=headers) as rest:
        return None if (await rest.begin()).status == 204 else await rest.hear()


async def test_stream_resumes_by_parameter_where_a_header_cannot_be_sent(table: Table) -> None:
    """`after` does what Last-Event-ID does; the header takes precedence."""
    at = await scene(table)
    items = (await table.get(f"/matches/{at.match}/feed", at.one)).json["items"]
    second, last = items[1]["cursor"], items[-1]["cursor"]
    async with table.listen(f"{at.path}?after={second}", token=at.one) as stream:
        await stream.begin()
        assert f"id: {items[2]['cursor']}\n".encode() in await stream.hear(b"match.decision-opened.1")
        assert f"id: {second}\n".encode() not in stream.heard
    async with table.listen(f"{at.path}?after={second}", token=at.one, headers=[("Last-Event-ID", last)]) as stream:
        await stream.begin()
        await table.play(at.match, at.one)
        assert (await stream.hear(b"duel.bid-made.1")).count(b"event: item") == 1


async def test_stream_begins_again_when_the_history_is_another(table: Table) -> None:
    """A cursor unknown to the server gives `reset`, and then everything."""
    at = await scene(table)
    async with table.listen(at.path, token=at.one, headers=[("Last-Event-ID", "7-deadbeef")]) as stream:
        await stream.begin()
        heard = await stream.hear(b"match.decision-opened.1")
        assert heard.startswith(b"retry: 1000\n\nevent: reset\ndata: {}\n\nid: 1-")


async def test_stream_is_refused_when_the_last_id_is_no_cursor(table: Table) -> None:
    """A malformed one is a 400, before the stream starts."""
    at = await scene(table)
    answer = await table.get(f"/matches/{at.match}/stream", at.one, headers=[("Last-Event-ID", "x")])
    assert (answer.status, answer.json["field"]) == (400, "Last-Event-ID")


async def test_stream_of_a_finished_match_does_not_open_again(table: Table) -> None:
    """204 tells a browser's EventSource to stop."""
    at = await scene(table)
    await table.finish(at.match, at.one, at.other)
    cursor = (await table.view(at.match, at.one))["cursor"]
    answer = await table.get(f"/matches/{at.match}/stream", at.one, headers=[("Last-Event-ID", cursor)])
    assert (answer.status, answer.body) == (204, b"")


async def test_stream_says_good_bye_when_the_process_stops(table: Table) -> None:
    """`bye`, and the connection ends: the client reconnects, to another process."""
    at = await scene(table)
    async with table.listen(at.path, token=at.one) as stream:
        await stream.begin()
        await stream.hear(b"match.decision-opened.1")
        table.app.state.running.drain()
        assert (await stream.hear()).endswith(b"event: bye\ndata: {}\n\n")


async def test_stream_starts_over_when_its_seat_is_left() -> None:
    """A player who leaves a seat receives nothing more as that seat: `reset`, and then the feed of a spectator."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.open(one)
        await table.post(f"/matches/{match}/seats", other)
        async with table.listen(f"/api/v1/matches/{match}/stream", token=other) as stream:
            await stream.begin()
            await stream.hear(b"match.seat-taken.1")
            await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=other)
            assert b"event: reset\ndata: {}\n\nid: 1-" in await stream.hear(b"match.seat-left.1")


async def test_stream_ends_when_its_token_is_revoked(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A revoked token is noticed at the next ping."""
    monkeypatch.setattr(sse, "PING_SECONDS", 0.05)
    at = await scene(table)
    made = (await table.post("/me/tokens", at.one, {})).json
    async with table.listen(at.path, token=made["text"]) as stream:
        await stream.begin()
        await stream.hear(b": ping\n\n")
        await table.ask("DELETE", f"/api/v1/me/tokens/{made['token']['id']}", token=at.one)
        assert (await stream.hear()).endswith(b"event: bye\ndata: {}\n\n")


async def pinged() -> tuple[float, ...]:
    """Return when two pings arrived, in seconds, while another seat gave secret answers."""
    async with opened(Settings(bot_pause_ms=0)) as table:
        at = await scene(table)
        loop = asyncio.get_running_loop()
        async with table.listen(at.path, token=at.one) as stream:
            began = loop.time()
            await stream.begin()
            await stream.hear(b"match.decision-opened.1")
            for index in (0, 1, 0):
                await asyncio.sleep(0.5)
                await table.play(at.match, at.other, index)
            await stream.hear(b": ping\n\n")
            first = loop.time() - began
            await stream.hear(b": ping\n\n: ping\n\n")
            return first, loop.time() - began


def test_pings_keep_their_schedule_whatever_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another seat's secret answers neither speed up nor delay a ping."""
    monkeypatch.setattr(sse, "PING_SECONDS", 2.0)
    assert clockwork.run(pinged()) == pytest.approx((2.0, 4.0), abs=0.01)


async def test_streams_are_limited_for_each_player_and_freed_when_it_leaves() -> None:
    """The limit applies to one player; without a token only that of the address does. A closed stream no longer counts."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(max_streams=2))) as table:
        at = await scene(table, spectators="public")

        async def open_one(token: str | None, peer: str = "203.0.113.7") -> int:
            async with table.listen(at.path, token=token, peer=(peer, 1)) as stream:
                return (await stream.begin()).status

        for token in (at.one, None):
            held: list[Exchange] = []
            async with table.listen(at.path, token=token) as first, table.listen(at.path, token=token) as second:
                held += [first, second]
                assert [(await stream.begin()).status for stream in held] == [200, 200]
                assert await open_one(token) == (429 if token is not None else 200)
                assert await open_one(at.other) == 200
                assert await open_one(None, "203.0.113.8") == 200
            assert table.app.state.running.streams.count == 0
            assert await open_one(token) == 200


async def test_crowd_without_tokens_watches_from_one_address() -> None:
    """A school: only the number of the address counts, and half of that is left to those with a token."""
    async with opened(Settings(limits=LimitSettings(max_streams=2, connections_per_address=60))) as table:
        at = await scene(table, spectators="public")
        async with AsyncExitStack() as held:

            async def watch(token: str | None) -> int:
                stream = await held.enter_async_context(table.listen(at.path, token=token, peer=("203.0.113.7", 1)))
                return (await stream.begin()).status

            assert [await watch(None) for _ in range(31)] == [200] * 30 + [429]
            assert [await watch(token) for token in (at.one, at.other)] == [200, 200]
        assert table.app.state.running.streams.count == 0


async def test_streams_are_limited_for_each_address_no_matter_who_asks() -> None:
    """Many players of one address, as its proxy names it, have no more than its connections; another address has its own."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(connections_per_address=2))) as table:
        at = await scene(table, spectators="public")
        here, elsewhere = ("203.0.113.7", 1), ("203.0.113.8", 1)
        tokens = [(await table.player())[1] for _ in range(3)]

        async def open_one(token: str, peer: tuple[str, int]) -> int:
            async with table.listen(at.path, token=token, peer=peer) as stream:
                return (await stream.begin()).status

        async with (
            table.listen(at.path, token=tokens[0], peer=here) as first,
            table.listen(at.path, token=tokens[1], peer=here) as second,
        ):
            assert [(await stream.begin()).status for stream in (first, second)] == [200, 200]
            assert await open_one(tokens[2], here) == 429
            cursor = (await table.get(f"/matches/{at.match}/view", tokens[2])).json["cursor"]
            refused = await table.get(f"/matches/{at.match}/feed?wait=1&after={cursor}", tokens[2], peer=here)
            assert (refused.status, refused.json["detail"]) == (429, "open streams and long polls per address")
            assert await open_one(tokens[2], elsewhere) == 200
        assert await open_one(tokens[2], here) == 200


async def test_delayed_spectators_hear_it_a_minute_late(table: Table) -> None:
    """The stream of a match with delayed spectators runs a minute behind."""
    at = await scene(table, spectators="delayed")
    table.now_ms += 60_000
    await table.play(at.match, at.one)
    await table.play(at.match, at.other)
    async with table.listen(at.path) as stream:
        await stream.begin()
        await stream.hear(b"match.decision-opened.1")
        await asyncio.sleep(0.05)
        assert b"duel.bids-shown.1" not in stream.heard
        table.now_ms += 60_000
        assert b"duel.bids-shown.1" in await stream.hear(b"duel.bids-shown.1")
