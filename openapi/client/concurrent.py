"""The asynchronous client: the same words as the blocking one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Self

import httpx

from . import calls
from .calls import Call, Shape
from .shapes import Command, Feed, Game, Item, Match, MatchPage, Plain, Player, Receipt, View
from .sse import NO_CONTENT, OK, Lines, Place, Reset

SECONDS = 35.0
"""Longer than any answer of the service may take: a waiting feed answers after 30 seconds."""


class AsyncClient:
    """A player's, or nobody's, connection to a service.

    All methods raise ApiError with the problem, or Unreachable. What changes something carries an idempotency key of its
    own and is tried again, up to five times in all, where the connection or the service fails.
    """

    def __init__(self, url: str, token: str | None = None, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.token = token
        self._http = httpx.AsyncClient(base_url=url.rstrip("/"), timeout=SECONDS, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def games(self) -> tuple[Game, ...]:
        """Return the games of the service."""
        return (await self._ask(calls.list_games())).items

    async def sign_up(self, name: str | None = None) -> Player:
        """Become a new player (None: a guest), and go on as it; its token is in `token`."""
        made = await self._ask(calls.sign_up(name))
        self.token = made.text
        return made.player

    async def open_match(
        self,
        game: str,
        seats: int,
        *,
        bots: Mapping[int, str] | None = None,
        options: Mapping[str, Plain] | None = None,
        **settings: Plain,
    ) -> Receipt:
        """Open a match with the own player on seat 0. `settings` are those of the request: `clock`, `start`, `spectators` ..."""
        return await self._ask(calls.open_match(game, seats, bots or {}, options or {}, settings))

    async def matches(self, *, own: bool = False, **filters: str | int) -> MatchPage:
        """Return a page of matches, newest first."""
        return await self._ask(calls.list_matches(own, filters))

    async def match(self, match: str) -> Match:
        """Return the facts of a match."""
        return await self._ask(calls.get_match(match))

    async def take_seat(self, match: str, seat: int | None = None, *, nonce: str = "") -> Receipt:
        """Sit down (None: on the first empty seat)."""
        return await self._ask(calls.change(match, "seats", {"seat": seat, "nonce": nonce}))

    async def leave(self, match: str) -> Receipt:
        """Leave the own seat."""
        return await self._ask(calls.change(match, "seats/me", method="DELETE"))

    async def start(self, match: str) -> Receipt:
        """Start a match of one's own."""
        return await self._ask(calls.change(match, "start"))

    async def rematch(self, match: str) -> Receipt:
        """Agree to a rematch."""
        return await self._ask(calls.change(match, "rematch"))

    async def abort(self, match: str) -> Receipt:
        """Agree to end a match without a result."""
        return await self._ask(calls.change(match, "abort"))

    async def view(self, match: str, at: str | None = None) -> View:
        """Return the match as the own player may know it, now or at a cursor of its feed."""
        return await self._ask(calls.get_view(match, at))

    async def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision."""
        return await self._ask(calls.give_command(match, decision, command))

    async def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        return await self._ask(calls.get_feed(match, after, wait_seconds))

    async def follow(self, match: str, after: str | None = None) -> AsyncIterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        place = Place(match, after)
        while not place.over:
            answer = await self._send(place.request(self._http, self.token), stream=True)
            try:
                async for item in self._listen(answer, place):
                    yield item
            except httpx.TransportError:
                pass
            finally:
                if answer is not None:
                    await answer.aclose()
            if not place.over:
                await asyncio.sleep(place.rest(answer))

    async def _listen(self, answer: httpx.Response | None, place: Place) -> AsyncIterator[Item | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            await answer.aread()
            place.over = answer.status_code == NO_CONTENT
            return
        lines = Lines()
        async for line in answer.aiter_lines():
            for event in lines.feed(line):
                for item in place.take(event):
                    yield item

    async def _ask(self, call: Call[Shape]) -> Shape:
        tries = call.tries()
        answer = await self._send(call.request(self._http, self.token))
        while (seconds := tries.again(answer)) is not None:
            await asyncio.sleep(seconds)
            answer = await self._send(call.request(self._http, self.token))
        return call.read(answer)

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response | None:
        """Return the answer, or None if there was none."""
        try:
            return await self._http.send(request, stream=stream)
        except httpx.TransportError:
            return None
