"""What streams wait for together: the next items of a feed are read and encoded once for all who see the same.

All spectators of a match who have come equally far wait for the same bytes, and so do all streams of one seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from ...domain.game import Seat
from ...domain.match import MatchId, PlayerId
from ...service.errors import Forbidden, NotFound, StoreUnavailable
from ...service.views.feeds import Cursor, CursorUnknown, FeedItem, FeedPage
from ...service.views.queries import MatchQueries, Viewer
from .response import encode

AT_ONCE = 100
"""How many streams go on before other requests have their turn."""
LONGEST_WAIT_MS = 600_000

_AudienceKey: TypeAlias = tuple[MatchId, Seat | None, PlayerId | None, bool, Cursor | None]
"""All that decides what a stream gets next. Who a spectator is does not."""


class Broadcast:
    """A page of a feed as it came; None: the viewer may no longer look, or the store is down.

    `was_reset`: the history has changed, so the feed starts over.
    """

    __slots__ = ("_chunk", "_frame", "page", "was_reset")

    def __init__(self, page: FeedPage | None, *, was_reset: bool = False) -> None:
        self.page = page
        self.was_reset = was_reset
        self._chunk: bytes | None = None
        self._frame = b""

    @property
    def chunk(self) -> bytes:
        """Its items as server-sent events, encoded once for all streams."""
        if self._chunk is None:
            self._chunk = chunk_of(self.page.items) if self.page is not None else b""
        return self._chunk

    def frame(self, encode: Callable[[FeedPage], bytes]) -> bytes:
        """Return its items as *encode* returns them, which is the same for all who wait for them: it is asked once."""
        if not self._frame and self.page is not None:
            self._frame = encode(self.page)
        return self._frame


ENDED = Broadcast(None)
Listener: TypeAlias = "Callable[[Broadcast | Exception], None]"
"""Hears what comes next, or why nothing does. It must not raise."""


class _Wait:
    """Those who wait for the same items."""

    def __init__(self) -> None:
        self.listeners: dict[Listener, None] = {}
        self.reading: asyncio.Task[None] | None = None
        self.end: Callable[[], None] = _nothing


class Broadcasts:
    """What the streams of a process wait for."""

    def __init__(self) -> None:
        self._waits: dict[_AudienceKey, _Wait] = {}

    async def following(
        self, queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None, until: float
    ) -> Broadcast | None:
        """Return what comes after a cursor; None if nothing has come until then, by the event loop's time."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Broadcast | None] = loop.create_future()
        leave = self.listen(queries, viewer, match, after, partial(_give, future))
        timer = loop.call_at(until, _give, future, None)
        try:
            return await future
        finally:
            timer.cancel()
            leave()

    def listen(
        self, queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None, listener: Listener
    ) -> Callable[[], None]:
        """Call *listener* with what comes after a cursor, once and not before this returns; return a function that ends that."""
        seated = viewer.player if viewer.seat is not None else None
        sight = (match, viewer.seat, seated, viewer.delayed, after)
        wait = self._waits.get(sight) or self._begun(queries, viewer, sight)
        wait.listeners[listener] = None
        return partial(self._leave, sight, wait, listener)

    def _begun(self, queries: MatchQueries, viewer: Viewer, sight: _AudienceKey) -> _Wait:
        """Begin to wait: for what the process hears, or for the store if that has to be asked."""
        wait = self._waits[sight] = _Wait()

        loop = asyncio.get_running_loop()

        def read() -> None:
            wait.reading = loop.create_task(self._read(queries, viewer, sight, wait), name="read a feed")

        def look() -> None:
            if wait.reading is None and self._waits.get(sight) is wait and not self._found(queries, viewer, sight, wait):
                read()

        if viewer.delayed:  # time alone shows it more
            read()
        else:
            wait.end = queries.on_move(sight[0], look)
            loop.call_soon(look)
        return wait

    def _found(self, queries: MatchQueries, viewer: Viewer, sight: _AudienceKey, wait: _Wait) -> bool:
        """Hand out what there is if it is known without asking the store; return whether it was."""
        try:
            page = queries.at_once(viewer, sight[0], sight[-1])
        except Exception:  # the reading meets it again, and hands it out
            return False
        if page is None or len(wait.listeners) > AT_ONCE:
            return False
        if page.items or page.ended:
            found = Broadcast(page)
            self._end(sight, wait)
            for listener in list(wait.listeners):
                if listener in wait.listeners:  # one before it may have ended it
                    listener(found)
        return True

    def _leave(self, sight: _AudienceKey, wait: _Wait, listener: Listener) -> None:
        """Wait no longer when the last one has gone."""
        wait.listeners.pop(listener, None)
        if not wait.listeners and self._waits.get(sight) is wait:
            self._end(sight, wait)
            if wait.reading is not None:
                wait.reading.cancel()

    def _end(self, sight: _AudienceKey, wait: _Wait) -> None:
        """Let streams that come later begin to wait for themselves."""
        del self._waits[sight]
        wait.end()

    async def _read(self, queries: MatchQueries, viewer: Viewer, sight: _AudienceKey, wait: _Wait) -> None:
        """Ask the store until there is something, and hand it out."""
        told: Broadcast | Exception
        try:
            told = await _next(queries, viewer, sight[0], sight[-1])
        except Exception as unexpected:
            told = unexpected
        self._end(sight, wait)
        for number, listener in enumerate(list(wait.listeners), 1):
            if listener in wait.listeners:
                listener(told)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)


def _nothing() -> None:
    """End nothing."""


def _give(future: asyncio.Future[Broadcast | None], told: Broadcast | Exception | None) -> None:
    if future.done():
        return
    if isinstance(told, Exception):
        future.set_exception(told)
    else:
        future.set_result(told)


async def _next(queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None) -> Broadcast:
    try:
        try:
            page = await queries.wait(viewer, match, after, LONGEST_WAIT_MS)
            was_reset = False
        except CursorUnknown:
            page = await queries.wait(viewer, match, None, LONGEST_WAIT_MS)
            was_reset = True
    except (Forbidden, NotFound, StoreUnavailable):
        return ENDED
    return Broadcast(page, was_reset=was_reset)


def chunk_of(items: Sequence[FeedItem]) -> bytes:
    """Return items as server-sent events. JSON has no line breaks, so each is one line of data."""
    return b"".join(b"id: %s\nevent: item\ndata: %s\n\n" % (item.cursor.encode(), encode(item)) for item in items)
