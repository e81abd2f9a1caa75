"""Server-sent events: a viewer's feed as it grows.

A stream pulls from the log and keeps nothing, so a slow client costs nothing. Comments keep the connection open on a
schedule that is fixed when it opens, whatever happens at the table.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Generator
from contextlib import aclosing, contextmanager
from enum import Enum
from typing import cast

from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from ...domain.match import MatchId, PlayerId
from ...service.application import Application
from ...service.errors import StoreUnavailable, Unauthenticated
from ...service.players.accounts import Principal
from ...service.players.quota_table import LIVE_STREAMS
from ...service.runtime.connections import ConnectionLimiter
from ...service.runtime.siblings import Siblings
from ...service.settings import Settings
from ...service.views.feeds import Cursor
from ...service.views.viewers import Viewer
from ..problems import Refused
from .broadcasts import ENDED, Broadcasts
from .response import AS_SAID, Header

AT = "at "
"""Begins the name of a holder that is no player: what a player has allowed an application of others follows."""
NO_ONE = AT
"""Stands for all callers without a token: only those of their address are counted."""
TOKENLESS_SHARE = 2
"""Callers without a token use one part in this number of what their address may have open."""
PING_SECONDS = 15.0
RETRY_MS = 1_000
RETRY = b"retry: %d\n\n" % RETRY_MS
PING = b": ping\n\n"
RESET = b"event: reset\ndata: {}\n\n"
BYE = b"event: bye\ndata: {}\n\n"
END = b"event: end\ndata: {}\n\n"


class Sign(Enum):
    """What a stream says beside its items, as an event."""

    PING = PING
    RESET = RESET
    BYE = BYE


HEADERS: tuple[Header, ...] = (
    (b"content-type", b"text/event-stream"),
    AS_SAID,
    (b"cache-control", b"no-store"),
    (b"vary", b"Authorization"),
    (b"x-accel-buffering", b"no"),
)


def listener_of(holder: Principal | None) -> str:
    """Return whom a connection counts for: a player, no one without a token, or by itself an application that acts for a player.

    It neither takes the player's place nor says that the player is there.
    """
    if holder is None:
        return NO_ONE
    return holder.player if holder.grant is None else f"{AT}{holder.grant}"


class Streams:
    """Counts the streams and long polls that each player holds open, and each address.

    Without a token only the address counts, and those without one leave half of it to those with one.

    What *siblings* have open for a player counts as well. Each notes its own before it looks at the others', so the limit holds
    although no process waits for another one.
    """

    def __init__(self, settings: Settings, siblings: Siblings | None = None) -> None:
        self._limit = LIVE_STREAMS.share(settings.limits)
        self._siblings = siblings
        self._crowd = ConnectionLimiter()
        self._crowd.limit_to(settings)
        self._tokenless = ConnectionLimiter()
        self._tokenless.limit_to(settings, share=TOKENLESS_SHARE)
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many are open in this process."""
        return self._open.total()

    def players(self) -> Collection[PlayerId]:
        """Return the players who have any open in this process."""
        return [PlayerId(who) for who in self._open if not who.startswith(AT)]

    def enter(self, who: str, peer: str) -> Callable[[], None]:
        """Count one more of a holder at an address, and return a function that ends it; raise Refused if there are too many."""
        self._note(who, 1)
        if who != NO_ONE and self._open[who] + self._elsewhere(who) > self._limit:
            self._note(who, -1)
            raise Refused("too-many-streams", detail="open streams and long polls per player")
        if not self._enter_address(who, peer):
            self._note(who, -1)
            raise Refused("too-many-streams", detail="open streams and long polls per address")
        return lambda: self._leave(who, peer)

    def _elsewhere(self, who: str) -> int:
        return self._siblings.elsewhere(who) if self._siblings is not None else 0

    def _enter_address(self, who: str, peer: str) -> bool:
        """Count one more of an address; False if it has too many."""
        if who == NO_ONE and not self._tokenless.enter(peer):
            return False
        if self._crowd.enter(peer):
            return True
        if who == NO_ONE:
            self._tokenless.leave(peer)
        return False

    def _leave(self, who: str, peer: str) -> None:
        self._crowd.leave(peer)
        if who == NO_ONE:
            self._tokenless.leave(peer)
        self._note(who, -1)

    def _note(self, who: str, change: int) -> None:
        self._open[who] += change
        if not self._open[who]:
            del self._open[who]
        if self._siblings is not None and who != NO_ONE:
            self._siblings.add(who, change)

    @contextmanager
    def place(self, who: str, peer: str) -> Generator[None]:
        """Hold one for as long as the block runs."""
        leave = self.enter(who, peer)
        try:
            yield
        finally:
            leave()


class Follower:
    """Follows one feed from a cursor on, for the holder of `token` (empty: anonymous), together with those who see the same.

    When the holder becomes another viewer, it goes on with the feed of that one, from its first item.
    """

    def __init__(self, application: Application, broadcasts: Broadcasts, viewer: Viewer, match_id: MatchId, token: str) -> None:
        self._application = application
        self._broadcasts = broadcasts
        self._viewer = viewer
        self._match = match_id
        self._token = token

    async def chunks(self, after: Cursor | None) -> AsyncGenerator[bytes]:
        """Yield the stream. It ends by itself: with the match, with the right to watch, with the process."""
        yield RETRY
        try:
            with self._application.queries.watch(self._match):
                async with aclosing(self._events(after)) as events:
                    async for chunk in events:
                        yield chunk
        except (Unauthenticated, StoreUnavailable):
            yield BYE

    async def _events(self, after: Cursor | None) -> AsyncGenerator[bytes]:
        loop = asyncio.get_running_loop()
        queries = self._application.queries
        ping = loop.time() + PING_SECONDS
        while True:
            found = await self._broadcasts.follow(queries, self._viewer, self._match, after, ping)
            page = found.page if found is not None else None
            if found is not None and found.viewer is not None:
                self._viewer = found.viewer
                after = None
            if found is not None and found.starts_over:
                yield RESET
            if page is not None:
                after = page.cursor
            if found is not None and found.chunk:
                yield found.chunk
            if (ended := page is not None and page.ended) or found is ENDED or self._application.draining:
                yield END if ended else BYE
                return
            if loop.time() >= ping:
                ping += PING_SECONDS
                yield PING
                await self._still_welcome()

    async def _still_welcome(self) -> None:
        """Raise Unauthenticated once the token was revoked or has expired."""
        if self._token:
            await self._application.accounts.authenticate(self._token)


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
