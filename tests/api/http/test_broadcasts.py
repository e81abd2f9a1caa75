"""Streams that see the same wait for one reading and share its bytes; those that see something else never do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from tafelrunde.api.http import broadcasts
from tafelrunde.api.http.broadcasts import Broadcasts
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.views.viewers import Viewer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import Table
from tests.support.wire import Exchange

pytestmark = pytest.mark.anyio

WATCHERS = 12
TAKEN = b"match.seat-taken.1"


@pytest.fixture
def chunks(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What has been encoded."""
    encoded: list[bytes] = []
    honest = broadcasts.chunk_of

    def chunk_of(items: object) -> bytes:
        encoded.append(honest(items))  # type: ignore[arg-type]  # passed on as they came
        return encoded[-1]

    monkeypatch.setattr(broadcasts, "chunk_of", chunk_of)
    return encoded


class Audience:
    """A match with a stream of its host, and many of spectators, of whom each second one is a player."""

    def __init__(self, table: Table, match: str, joining: str, streams: list[Exchange]) -> None:
        self.table = table
        self.match = match
        self.joining = joining
        self.streams = streams

    async def join(self) -> None:
        """Let another player sit down."""
        assert (await self.table.post(f"/matches/{self.match}/seats", self.joining)).status == 200


@pytest.fixture
async def audience(table: Table) -> AsyncIterator[Audience]:
    """The match is open; all streams are up to date and wait."""
    (_, host), (_, joining), (_, watcher) = [await table.player() for _ in range(3)]
    match = await table.open(host, spectators="public")
    async with AsyncExitStack() as streams:
        heard: list[Exchange] = []
        for token in (host, *(watcher if number % 2 else None for number in range(WATCHERS))):
            stream = await streams.enter_async_context(table.listen(f"/api/v1/matches/{match}/stream", token=token))
            await stream.begin()
            await stream.hear(b"match.opened.1")
            heard.append(stream)
        yield Audience(table, match, joining, heard)


async def test_items_are_read_and_encoded_once_for_each_class_of_viewers(chunks: list[bytes], audience: Audience) -> None:
    """One reading and one text for the host's seat, one for all spectators, however many."""
    sights = [(viewer.seat, viewer.player is not None) for _, viewer, _ in audience.table.app.state.running.broadcasts._waits]
    assert sorted(sights, key=str) == [(0, True), (None, False)]
    chunks.clear()
    await audience.join()
    for stream in audience.streams:
        await stream.hear(TAKEN)
    assert [TAKEN in chunk for chunk in chunks] == [True, True]


async def test_reading_ends_with_its_last_stream(audience: Audience) -> None:
    """It goes on as long as one stream is left; then nothing is left of it."""
    running = audience.table.app.state.running
    assert len(running.broadcasts._waits) == 2
    for stream in audience.streams[:-1]:
        await stream.leave()
    await audience.join()
    await audience.streams[-1].hear(TAKEN)
    await audience.streams[-1].leave()
    assert running.broadcasts._waits == {}
    assert audience.table.application.notifier._watches == {}


async def test_streams_end_when_reading_fails() -> None:
    """An error of this code ends each of them, and none of them waits forever."""

    class Broken:
        """Queries that fail."""

        def at_once(self, *_: object) -> object:
            """Fail."""
            raise RuntimeError("the duke is hidden")

        async def wait(self, *_: object) -> object:
            """Fail again."""
            raise RuntimeError("the duke is hidden")

        def on_move(self, *_: object) -> object:
            """Return what ends nothing."""
            return lambda: None

    shared = Broadcasts()
    viewer = Viewer(None, None)
    waits = [shared.follow(Broken(), viewer, MatchId("m"), None, float("inf")) for _ in range(3)]  # type: ignore[arg-type]  # they only fail
    async with asyncio.timeout(PATIENCE_SECONDS):
        ends = await asyncio.gather(*waits, return_exceptions=True)
    assert [type(end) for end in ends] == [RuntimeError] * 3
    assert shared._waits == {}


async def test_players_wait_for_themselves_when_their_reserved_seats_show_a_match_without_delay() -> None:
    """One who loses the reservation does not end the stream of another; spectators of a public match share."""

    class Still:
        """Queries of a match in which nothing happens."""

        def on_move(self, *_: object) -> object:
            """Return what ends nothing."""
            return lambda: None

    shared = Broadcasts()
    one, other = PlayerId("one"), PlayerId("other")
    for viewer in (Viewer(one, None, early=True), Viewer(other, None, early=True), Viewer(one, None), Viewer(other, None)):
        shared.listen(Still(), viewer, MatchId("m"), None, lambda _: None, newest=True)  # type: ignore[arg-type]  # nothing else is asked
    assert [viewer.player for _, viewer, _ in shared._waits] == [one, other, None]
