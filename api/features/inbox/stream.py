"""A player's inbox as it comes: as server-sent events, and for the socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from ....domain.match import PlayerId
from ....service.application import Application
from ....service.errors import StoreUnavailable, Unauthenticated
from ....service.features.inbox.service import Inboxes, InboxPage
from ....service.views.feeds import Cursor, CursorUnknown
from ...http.sse import PING_SECONDS, RETRY, Sign


class InboxFollower:
    """Follows a player's inbox from a cursor on, for the holder of `token` (empty: others ask about it)."""

    def __init__(self, application: Application, player: PlayerId, token: str) -> None:
        self._application = application
        self._player = player
        self._token = token

    async def chunks(self, after: Cursor | None) -> AsyncGenerator[bytes]:
        """Yield the stream as server-sent events."""
        yield RETRY
        async with aclosing(self.events(after)) as events:
            async for each in events:
                if isinstance(each, Sign):
                    yield each.value
                else:
                    yield _start(each) if isinstance(each, str) else chunk_of(each)

    async def events(self, after: Cursor | None) -> AsyncGenerator[InboxPage | Cursor | Sign]:
        """Yield what comes, and a cursor where items begin. It ends with the token, or with the process."""
        try:
            async with aclosing(self._events(after)) as events:
                async for each in events:
                    yield each
        except (Unauthenticated, StoreUnavailable):
            yield Sign.BYE

    async def _events(self, after: Cursor | None) -> AsyncGenerator[InboxPage | Cursor | Sign]:
        loop = asyncio.get_running_loop()
        inboxes = self._application.get(Inboxes)
        ping = loop.time() + PING_SECONDS
        while True:
            if after is None:
                after = (await inboxes.page(self._player, None, 1)).cursor
                yield after
            try:
                page = await inboxes.wait(self._player, after, ping - loop.time())
            except CursorUnknown:
                after = None
                yield Sign.RESET
                continue
            if page.items:
                after = page.cursor
                yield page
            if self._application.draining:
                yield Sign.BYE
                return
            if loop.time() >= ping:
                ping += PING_SECONDS
                yield Sign.PING
                if self._token:
                    await self._application.accounts.authenticate(self._token)


def _start(cursor: Cursor) -> bytes:
    """Return the event that says where the items will begin: a client that comes back before the first has this cursor."""
    return b'id: %s\nevent: start\ndata: {"cursor":"%s"}\n\n' % (cursor.encode(), cursor.encode())


def chunk_of(page: InboxPage) -> bytes:
    """Return items as server-sent events. JSON has no line breaks, so each is one line of data."""
    return b"".join(b"id: %s\nevent: item\ndata: %s\n\n" % (cursor.encode(), item) for cursor, item in page.items)
