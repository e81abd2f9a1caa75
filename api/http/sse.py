"""Server-sent events: a viewer's feed as it grows.

A stream pulls from the log and keeps nothing, so a slow client costs nothing. Comments keep the connection open on a
schedule that is fixed when it opens, whatever happens at the table.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, contextmanager
from typing import cast

from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from ...domain.match import MatchId
from ...service.application import Application
from ...service.errors import Forbidden, NotFound, StoreUnavailable, Unauthenticated
from ...service.runtime.connections import Crowd
from ...service.settings import Settings
from ...service.views.feeds import Cursor, CursorUnknown, FeedItem, FeedPage
from ...service.views.queries import Viewer
from ..problems import Refused
from .response import Header, encode

PING_SECONDS = 15.0
RETRY_MS = 1_000
RETRY = b"retry: %d\n\n" % RETRY_MS
PING = b": ping\n\n"
RESET = b"event: reset\ndata: {}\n\n"
BYE = b"event: bye\ndata: {}\n\n"
END = b"event: end\ndata: {}\n\n"
HEADERS: tuple[Header, ...] = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Authorization"),
    (b"x-accel-buffering", b"no"),
)


class Streams:
    """Counts the connections that each player holds open (without a token they count by address), and each address."""

    def __init__(self, settings: Settings) -> None:
        self._limit = settings.max_streams
        self._crowd = Crowd()
        self._crowd.limit_to(settings)
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """The total number of open ones."""
        return self._open.total()

    def enter(self, who: str, peer: str) -> Callable[[], None]:
        """Count one more of a holder at an address, and return a function that ends it; raise Refused if there are too many."""
        if self._open[who] >= self._limit or not self._crowd.enter(peer):
            raise Refused("too-many-streams")
        self._open[who] += 1
        return lambda: self._leave(who, peer)

    def _leave(self, who: str, peer: str) -> None:
        self._crowd.leave(peer)
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]

    @contextmanager
    def place(self, who: str, peer: str) -> Generator[None]:
        """Hold one for as long as the block runs."""
        leave = self.enter(who, peer)
        try:
            yield
        finally:
            leave()


class Follower:
    """Follows one feed from a cursor on, for the holder of `token` (empty: anonymous)."""

    def __init__(self, application: Application, viewer: Viewer, match: MatchId, token: str) -> None:
        self._application = application
        self._viewer = viewer
        self._match = match
        self._token = token

    async def chunks(self, after: Cursor | None) -> AsyncGenerator[bytes]:
        """Yield the stream. It ends by itself: with the match, with the right to watch, with the process."""
        yield RETRY
        try:
            async with aclosing(self._events(after)) as events:
                async for chunk in events:
                    yield chunk
        except (Forbidden, NotFound, Unauthenticated, StoreUnavailable):
            yield BYE

    async def _events(self, after: Cursor | None) -> AsyncGenerator[bytes]:
        ping = asyncio.get_running_loop().time() + PING_SECONDS
        while True:
            page, was_reset = await self._next(after, ping)
            if was_reset:
                yield RESET
            after = page.cursor
            if page.items:
                yield chunk_of(page.items)
            if page.ended or self._application.draining:
                yield END if page.ended else BYE
                return
            if asyncio.get_running_loop().time() >= ping:
                ping += PING_SECONDS
                yield PING
                await self._still_welcome()

    async def _next(self, after: Cursor | None, until: float) -> tuple[FeedPage, bool]:
        """Return the next page, and whether the feed had to start over because its history has changed."""
        left_ms = max(0, math.ceil((until - asyncio.get_running_loop().time()) * 1000))
        try:
            return await self._application.queries.wait(self._viewer, self._match, after, left_ms), False
        except CursorUnknown:
            return await self._application.queries.wait(self._viewer, self._match, None, left_ms), True

    async def _still_welcome(self) -> None:
        """Raise Unauthenticated once the token was revoked or has expired."""
        if self._token:
            await self._application.accounts.authenticate(self._token)


def chunk_of(items: Sequence[FeedItem]) -> bytes:
    """Return items as server-sent events. JSON has no line breaks, so each is one line of data."""
    return b"".join(b"id: %s\nevent: item\ndata: %s\n\n" % (item.cursor.encode(), encode(item)) for item in items)


class EventStream:
    """A reply that continues until its chunks end or the client disconnects; then `leave` is called, which must not wait."""

    status = 200
    problem = ""

    def __init__(
        self, chunks: AsyncGenerator[bytes], leave: Callable[[], None] = lambda: None, headers: tuple[Header, ...] = HEADERS
    ) -> None:
        self._chunks = chunks
        self._leave = leave
        self.headers = list(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. Nothing here awaits while it is being cancelled."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_until_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            sending.cancel()
            leaving.cancel()
            self._leave()

    async def _send(self, send: Send) -> None:
        await send(cast(HTTPResponseStartEvent, {"type": "http.response.start", "status": 200, "headers": self.headers}))
        async with aclosing(self._chunks) as chunks:
            async for chunk in chunks:
                await send(cast(HTTPResponseBodyEvent, {"type": "http.response.body", "body": chunk, "more_body": True}))
        await send(cast(HTTPResponseBodyEvent, {"type": "http.response.body", "body": b"", "more_body": False}))


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
