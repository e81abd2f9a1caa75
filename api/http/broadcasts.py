"""What streams wait for together: the next items of a feed are read and encoded once for all who see the same.

All spectators of a match who have come equally far wait for the same bytes, and so do all streams of one seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ...domain.game import Seat
from ...domain.match import MatchId, PlayerId
from ...service.errors import Forbidden, NotFound, StoreUnavailable
from ...service.views.feeds import Cursor, CursorUnknown, FeedItem, FeedPage
from ...service.views.queries import MatchQueries, Viewer
from .response import encode

AT_ONCE = 100
"""How many streams go on before other requests have their turn."""
LONGEST_WAIT_MS = 600_000

_Sight: TypeAlias = tuple[MatchId, Seat | None, PlayerId | None, bool, Cursor | None]
"""All that decides what a stream gets next. Who a spectator is does not."""


class Broadcast(NamedTuple):
    """Items as server-sent events, and the page that they are of; None: the viewer may no longer look, or the store is down.

    `was_reset`: the history has changed, so the feed starts over.
    """

    page: FeedPage | None
    chunk: bytes = b""
    was_reset: bool = False


GONE = Broadcast(None)


class _Wait:
    """One reading, and the streams that wait for it."""

    def __init__(self) -> None:
        self.listeners: dict[asyncio.Future[Broadcast | None], None] = {}
        self.reading: asyncio.Task[None] | None = None


class Broadcasts:
    """The readings of a process that are under way."""

    def __init__(self) -> None:
        self._waits: dict[_Sight, _Wait] = {}

    async def following(
        self, queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None, until: float
    ) -> Broadcast | None:
        """Return what comes after a cursor; None if nothing has come until then, by the event loop's time."""
        seated = viewer.player if viewer.seat is not None else None
        sight = (match, viewer.seat, seated, viewer.delayed, after)
        loop = asyncio.get_running_loop()
        wait = self._waits.get(sight)
        if wait is None:
            wait = self._waits[sight] = _Wait()
            wait.reading = loop.create_task(self._read(queries, viewer, sight, wait), name="read a feed")
        future: asyncio.Future[Broadcast | None] = loop.create_future()
        wait.listeners[future] = None
        timer = loop.call_at(until, _give_up, future)
        try:
            return await future
        finally:
            timer.cancel()
            self._leave(sight, wait, future)

    def _leave(self, sight: _Sight, wait: _Wait, future: asyncio.Future[Broadcast | None]) -> None:
        """Read no longer when the last one has gone."""
        wait.listeners.pop(future, None)
        if not wait.listeners and self._waits.get(sight) is wait:
            del self._waits[sight]
            if wait.reading is not None:
                wait.reading.cancel()

    async def _read(self, queries: MatchQueries, viewer: Viewer, sight: _Sight, wait: _Wait) -> None:
        """Read, and hand it out. Streams that come later begin a reading of their own."""
        try:
            found, error = await _next(queries, viewer, sight[0], sight[-1]), None
        except Exception as unexpected:
            found, error = GONE, unexpected
        del self._waits[sight]
        for number, future in enumerate(list(wait.listeners), 1):
            if not future.done():
                future.set_result(found) if error is None else future.set_exception(error)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)


def _give_up(future: asyncio.Future[Broadcast | None]) -> None:
    if not future.done():
        future.set_result(None)


async def _next(queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None) -> Broadcast:
    try:
        try:
            page, was_reset = await queries.wait(viewer, match, after, LONGEST_WAIT_MS), False
        except CursorUnknown:
            page, was_reset = await queries.wait(viewer, match, None, LONGEST_WAIT_MS), True
    except (Forbidden, NotFound, StoreUnavailable):
        return GONE
    return Broadcast(page, chunk_of(page.items), was_reset)


def chunk_of(items: Sequence[FeedItem]) -> bytes:
    """Return items as server-sent events. JSON has no line breaks, so each is one line of data."""
    return b"".join(b"id: %s\nevent: item\ndata: %s\n\n" % (item.cursor.encode(), encode(item)) for item in items)
