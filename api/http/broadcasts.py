"""What streams wait for together: the next items of a feed are read and encoded once for all who see the same.

All spectators of a match who have come equally far wait for the same bytes, and so do all streams of one seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from ...domain.match import MatchId
from ...service.errors import Forbidden, NotFound, StoreUnavailable
from ...service.views.feeds import Cursor, CursorUnknown, FeedItem, FeedPage
from ...service.views.queries import MatchQueries
from ...service.views.viewers import Seating, Viewer, ViewerChanged
from .response import encode

AT_ONCE = 100
"""How many streams go on before other requests have their turn."""
LONGEST_WAIT_MS = 600_000

_AudienceKey: TypeAlias = tuple[MatchId, Viewer, Cursor | None]
"""All that decides what a stream gets next: the match, the viewer as `Viewer.audience` has it, and where the stream stands."""


class Broadcast:
    """A page of a feed as it came; None: the viewer may no longer look, or the store is down.

    `was_reset`: the history has changed, so the feed starts over. `newest`: there is nothing behind it at this moment.
    `viewer`: the player is this viewer from now on, whose feed starts over as well; then there is no page.
    """

    __slots__ = ("_chunk", "_frame", "newest", "page", "viewer", "was_reset")

    def __init__(
        self, page: FeedPage | None, *, was_reset: bool = False, newest: bool = False, viewer: Viewer | None = None
    ) -> None:
        self.page = page
        self.viewer = viewer
        self.was_reset = was_reset
        self.newest = newest
        self._chunk: bytes | None = None
        self._frame = b""

    @property
    def starts_over(self) -> bool:
        """Whether what was sent before is to be forgotten: what follows begins with the first item."""
        return self.was_reset or self.viewer is not None

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
    """Those who wait for the same items, and which viewer each of them is."""

    def __init__(self) -> None:
        self.listeners: dict[Listener, Viewer] = {}
        self.reading: asyncio.Task[None] | None = None
        self.end: Callable[[], None] = _nothing

    def has_others(self, seating: Seating) -> bool:
        """Whether any of them is another viewer now."""
        return any(viewer.is_other(seating) for viewer in self.listeners.values())

    def hand_out(self, found: Broadcast | Exception) -> Iterator[None]:
        """Hand out what has come, to one listener at each step; one that is another viewer now gets its new viewer instead."""
        seating = found.page.seating if isinstance(found, Broadcast) and found.page is not None else None
        for listener, viewer in list(self.listeners.items()):
            if listener not in self.listeners:  # one before it may have ended it
                continue
            is_other = seating is not None and viewer.is_other(seating)
            listener(Broadcast(None, viewer=seating.viewer(viewer.player)) if seating and is_other else found)
            yield


class Broadcasts:
    """What the streams of a process wait for."""

    def __init__(self) -> None:
        self._waits: dict[_AudienceKey, _Wait] = {}

    async def follow(
        self, queries: MatchQueries, viewer: Viewer, match_id: MatchId, after: Cursor | None, until: float
    ) -> Broadcast | None:
        """Return what comes after a cursor; None if nothing has come until then, by the event loop's time."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Broadcast | None] = loop.create_future()
        leave = self.listen(queries, viewer, match_id, after, partial(_give, future))
        timer = loop.call_at(until, _give, future, None)
        try:
            return await future
        finally:
            timer.cancel()
            leave()

    def listen(
        self,
        queries: MatchQueries,
        viewer: Viewer,
        match_id: MatchId,
        after: Cursor | None,
        listener: Listener,
        *,
        newest: bool = False,
    ) -> Callable[[], None]:
        """Call *listener* with what comes after a cursor, once and not before this returns; return a function that ends that.

        *newest*: the caller has just seen that there is nothing yet, so only a move leads to a look.
        """
        audience = (match_id, viewer.audience, after)
        wait = self._waits.get(audience) or self._begin(queries, audience, newest=newest)
        wait.listeners[listener] = viewer
        return partial(self._leave, audience, wait, listener)

    def _begin(self, queries: MatchQueries, audience: _AudienceKey, *, newest: bool) -> _Wait:
        """Begin to wait: for what the process hears, or for the store if that has to be asked."""
        wait = self._waits[audience] = _Wait()

        loop = asyncio.get_running_loop()

        def read() -> None:
            wait.reading = loop.create_task(self._read(queries, audience, wait), name="read a feed")

        def look() -> None:
            if wait.reading is None and self._waits.get(audience) is wait and not self._serve_at_once(queries, audience, wait):
                read()

        if audience[1].delayed:  # time alone shows it more
            read()
        else:
            wait.end = queries.on_move(audience[0], look)
            if not newest:
                loop.call_soon(look)
        return wait

    def _serve_at_once(self, queries: MatchQueries, audience: _AudienceKey, wait: _Wait) -> bool:
        """Hand out what there is if it is known without asking the store; return whether it was."""
        match_id, viewer, after = audience
        try:
            page = queries.at_once(viewer, match_id, after)
        except Exception:  # the reading meets it again, and hands it out
            return False
        if page is None or len(wait.listeners) > AT_ONCE:
            return False
        if page.items or page.ended or wait.has_others(page.seating):
            self._end(audience, wait)
            for _ in wait.hand_out(Broadcast(page, newest=not page.more)):
                pass
        return True

    def _leave(self, audience: _AudienceKey, wait: _Wait, listener: Listener) -> None:
        """Wait no longer when the last one has gone."""
        wait.listeners.pop(listener, None)
        if not wait.listeners and self._waits.get(audience) is wait:
            self._end(audience, wait)
            if wait.reading is not None:
                wait.reading.cancel()

    def _end(self, audience: _AudienceKey, wait: _Wait) -> None:
        """Let streams that come later begin to wait for themselves."""
        del self._waits[audience]
        wait.end()

    async def _read(self, queries: MatchQueries, audience: _AudienceKey, wait: _Wait) -> None:
        """Ask the store until there is something, and hand it out."""
        outcome: Broadcast | Exception
        try:
            outcome = await _next(queries, audience, wait)
        except Exception as unexpected:
            outcome = unexpected
        self._end(audience, wait)
        for number, _ in enumerate(wait.hand_out(outcome), 1):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)


def _nothing() -> None:
    """End nothing."""


def _give(future: asyncio.Future[Broadcast | None], outcome: Broadcast | Exception | None) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


async def _next(queries: MatchQueries, audience: _AudienceKey, wait: _Wait) -> Broadcast:
    match_id, viewer, after = audience
    try:
        try:
            page = await queries.wait(viewer, match_id, after, LONGEST_WAIT_MS, wait.has_others)
            was_reset = False
        except CursorUnknown:
            page = await queries.wait(viewer, match_id, None, LONGEST_WAIT_MS, wait.has_others)
            was_reset = True
    except ViewerChanged as changed:
        return Broadcast(None, viewer=changed.viewer)
    except (Forbidden, NotFound, StoreUnavailable):
        return ENDED
    return Broadcast(page, was_reset=was_reset)


def chunk_of(items: Sequence[FeedItem]) -> bytes:
    """Return items as server-sent events. JSON has no line breaks, so each is one line of data."""
    return b"".join(b"id: %s\nevent: item\ndata: %s\n\n" % (item.cursor.encode(), encode(item)) for item in items)
