"""A room's talk as it comes: as server-sent events, and for the socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from ....domain.match import PlayerId
from ....service.application import Application
from ....service.errors import Forbidden, NotFound, StoreUnavailable, Unauthenticated
from ....service.features.talk.port import MatchRoom
from ....service.features.talk.service import TalkPage, Talks
from ....service.runtime.connections import Gate
from ....service.views.feeds import CursorUnknown
from ...http.response import encode
from ...http.sse import PING_SECONDS, RETRY, Sign
from .schema import TalkBody, talk_body

PAGE = 20
"""Few lines: a client that takes nothing may have a page of them under way."""


class TalkFollower:
    """Follows a room from a line on, for a player (None: anonymous), the holder of `token` (empty: others ask about it).

    What comes is read behind a *gate*, if there is one; who has got it lets the next one through.
    """

    def __init__(
        self, application: Application, player: PlayerId | None, place: MatchRoom, token: str, gate: Gate | None = None
    ) -> None:
        self._application = application
        self._player = player
        self._place = place
        self._token = token
        self._gate = gate

    async def chunks(self, after: int) -> AsyncGenerator[bytes]:
        """Yield the stream as server-sent events."""
        yield RETRY
        async with aclosing(self.events(after)) as events:
            async for each in events:
                yield each.value if isinstance(each, Sign) else _chunk(each)

    async def events(self, after: int) -> AsyncGenerator[TalkBody | Sign]:
        """Yield what comes. It ends with the token, with the right to hear the room, or with the process."""
        try:
            async with aclosing(self._events(after)) as events:
                async for each in events:
                    yield each
        except (Unauthenticated, Forbidden, NotFound, StoreUnavailable):
            yield Sign.BYE

    async def _events(self, after: int) -> AsyncGenerator[TalkBody | Sign]:
        loop = asyncio.get_running_loop()
        talks = self._application.get(Talks)
        ping = loop.time() + PING_SECONDS
        while True:
            try:
                page = await talks.wait(self._player, self._place, after, PAGE, ping - loop.time(), self._gate)
            except CursorUnknown:
                after = 0
                yield Sign.RESET
                continue
            after = page.after
            if page.lines:
                yield await self._body(page)
            if self._application.draining:
                yield Sign.BYE
                return
            if loop.time() >= ping:
                ping += PING_SECONDS
                yield Sign.PING
                if self._token:
                    await self._application.accounts.authenticate(self._token)

    async def _body(self, page: TalkPage) -> TalkBody:
        people = await self._application.accounts.people([*{each.line.player for each in page.lines}])
        return talk_body(self._place.match, page, people)


def _chunk(body: TalkBody) -> bytes:
    return b"".join(b"id: %d\nevent: item\ndata: %s\n\n" % (line.n, encode(line)) for line in body.items)
