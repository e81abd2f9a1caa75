"""A room's talk as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from ....domain.match import PlayerId
from ....service.application import Application
from ....service.errors import Forbidden, NotFound, StoreUnavailable, Unauthenticated
from ....service.features.talk.port import Place
from ....service.features.talk.talks import TalkPage, Talks
from ....service.views.feeds import CursorUnknown
from ...http.response import encode
from ...http.sse import BYE, PING, PING_SECONDS, RESET, RETRY
from .schema import talk_body

PAGE = 100


class TalkFollower:
    """Follows a room from a line on, for a player (None: anonymous), the holder of `token`."""

    def __init__(self, application: Application, player: PlayerId | None, place: Place, token: str) -> None:
        self._application = application
        self._player = player
        self._place = place
        self._token = token

    async def chunks(self, after: int) -> AsyncGenerator[bytes]:
        """Yield the stream. It ends with the token, with the right to hear the room, or with the process."""
        yield RETRY
        try:
            async with aclosing(self._events(after)) as events:
                async for chunk in events:
                    yield chunk
        except (Unauthenticated, Forbidden, NotFound, StoreUnavailable):
            yield BYE

    async def _events(self, after: int) -> AsyncGenerator[bytes]:
        loop = asyncio.get_running_loop()
        talks = self._application.get(Talks)
        ping = loop.time() + PING_SECONDS
        while True:
            try:
                page = await talks.wait(self._player, self._place, after, PAGE, ping - loop.time())
            except CursorUnknown:
                after = 0
                yield RESET
                continue
            after = page.after
            if page.lines:
                yield await self._chunk(page)
            if self._application.draining:
                yield BYE
                return
            if loop.time() >= ping:
                ping += PING_SECONDS
                yield PING
                if self._token:
                    await self._application.accounts.authenticate(self._token)

    async def _chunk(self, page: TalkPage) -> bytes:
        people = await self._application.accounts.people([*{each.line.player for each in page.lines}])
        lines = talk_body(self._place.match, page, people).items
        return b"".join(b"id: %d\nevent: item\ndata: %s\n\n" % (line.n, encode(line)) for line in lines)
