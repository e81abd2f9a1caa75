"""The asynchronous client: the same words as the blocking one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
from httpx_sse import EventSource

from . import asked
from .advice import Coaching, Hint
from .calls import Call, Shape
from .concurrent_service import AsyncServiceRequests
from .inbox import Inbox, InboxItem
from .keeping import EvidenceFolder, commitment_in, fresh_nonce, together
from .problems import ApiError, Unreachable
from .shapes import Command, Feed, Item, Match, MatchPage, Plain, Receipt, View, ViewPage
from .sse import NO_CONTENT, OK, Entry, Place, Reset

SECONDS = 35.0
"""Timeout in seconds, longer than any answer takes: a long poll answers after 30 seconds."""
LOOK_SECONDS = 1.0
"""How often it is looked whether others have agreed to a rematch: a match that is over sends no events."""


class AsyncClient(AsyncServiceRequests):
    """A connection to a service, as one player or without a token.

    All methods raise ApiError with the problem, or Unreachable. Requests that change
    something carry an idempotency key and are retried if the connection or the service fails, up to five times in all.
    `keep`: a folder in which a file for each of your matches keeps what proves how it was dealt (docs/auditing.md).
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        keep: str | Path | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.token = token or None
        self._evidence = EvidenceFolder(keep, url.rstrip("/"))
        self._http = httpx.AsyncClient(base_url=url.rstrip("/"), timeout=SECONDS, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    # Matches

    async def open_match(
        self,
        game: str,
        seats: int,
        *,
        bots: Mapping[int, str] | None = None,
        options: Mapping[str, Plain] | None = None,
        nonce: str | None = None,
        **settings: Plain,
    ) -> Receipt:
        """Open a match with yourself on seat 0. `settings` are more fields of the request: `clock`, `start`, `spectators` ...

        Your seat is taken after the commitment was received, with a nonce that is drawn then (*nonce* "": without one, in
        one request). If that is refused, the match is aborted.
        """
        seat = settings.get("seat", 0)
        if nonce == "" or not isinstance(seat, int):
            return await self._keeping(await self._ask(asked.open_match(game, seats, bots or {}, options or {}, settings)))
        first = {**settings, "seat": None, "start": False}
        opened = await self._keeping(await self._ask(asked.open_match(game, seats, bots or {}, options or {}, first)))
        try:
            taken = await self._sit(opened.match, seat, nonce or fresh_nonce())
            return together(opened, taken, *([await self.start(opened.match)] if settings.get("start") else []))
        except ApiError:
            with suppress(ApiError, Unreachable):
                await self.abort(opened.match)
            raise

    async def what_if(self, match: str, decision: int, seat: int, *, bot: str | None = None, nonce: str = "") -> Receipt:
        """Open a practice match from a decision of a finished match, on a seat, against bots (None: the game's first)."""
        return await self._ask(asked.what_if(match, decision, seat, bot, nonce))

    async def open_lesson(self, game: str) -> Receipt:
        """Open a game's lesson: a practice match against bots, whose cards and bots are the same for everyone."""
        return await self._ask(asked.open_lesson(game))

    async def open_daily(self, game: str) -> Receipt:
        """Play a game's deal of today, once: asked again, this is the same match."""
        return await self._ask(asked.open_daily(game))

    async def matches(self, *, own: bool = False, **filters: str | int) -> MatchPage:
        """Return a page of matches, newest first."""
        return await self._ask(asked.list_matches(own, filters))

    async def match(self, match: str) -> Match:
        """Return the facts of a match."""
        return await self._ask(asked.get_match(match))

    async def take_seat(self, match: str, seat: int | None = None, *, nonce: str | None = None) -> Receipt:
        """Sit down (None: on the first empty seat), with a nonce that is drawn when the commitment was received ("": none)."""
        if nonce is None:
            await self._received(match, (await self.match(match)).commitment)
        return await self._sit(match, seat, fresh_nonce() if nonce is None else nonce)

    async def _sit(self, match: str, seat: int | None, nonce: str) -> Receipt:
        receipt = await self._ask(asked.change(match, "seats", {"seat": seat, "nonce": nonce}))
        self._evidence.sat(match, receipt.items, nonce)
        return await self._keeping(receipt)

    async def _received(self, match: str, commitment: str) -> None:
        """Keep the commitment of a match, unless it is kept already."""
        if not self._evidence.knows(match):
            self._evidence.begin(match, commitment, await self.signing_keys(), await self.signed_checkpoint())

    async def _keeping(self, receipt: Receipt) -> Receipt:
        """Keep what a receipt shows."""
        if commitment := commitment_in(receipt.items):
            await self._received(receipt.match, commitment)
        self._evidence.heard(receipt.match, receipt.items, receipt.signed)
        return receipt

    async def leave(self, match: str) -> Receipt:
        """Leave your seat, or give up the one reserved for you; before the start it is free again.

        In a running match a bot plays on for you. With no other player at the table nothing is played at first: the table
        waits for `clock.away_seconds`. `take_seat` takes your seat back, until the match is over.
        """
        return await self._ask(asked.change(match, "seats/me", method="DELETE"))

    async def seat_bot(self, match: str, seat: int, bot: str) -> Receipt:
        """Give an empty seat of a match that you host to a bot."""
        return await self._ask(asked.change(match, f"seats/{seat}/bot", {"bot": bot}, "PUT"))

    async def clear_seat(self, match: str, seat: int) -> Receipt:
        """Clear a seat of a match that you host, before the start."""
        return await self._ask(asked.change(match, f"seats/{seat}", method="DELETE"))

    async def start(self, match: str) -> Receipt:
        """Start a match that you host."""
        return await self._keeping(await self._ask(asked.change(match, "start")))

    async def rematch(self, match: str) -> Receipt:
        """Agree to a rematch. It opens when all have agreed; then take your seat there: `join_rematch`."""
        return await self._ask(asked.change(match, "rematch"))

    async def join_rematch(self, match: str, *, wait_seconds: float = 600.0) -> Receipt | None:
        """Wait until all have agreed to a rematch of *match*, and take your seat in it; None if some have not in that time.

        As with `take_seat`, the commitment is received (and kept) before the nonce is drawn. The rematch, `match` of the receipt,
        begins when all have taken their seats.
        """
        until = time.monotonic() + wait_seconds
        while (successor := (await self.match(match)).rematch) is None:
            if (left := until - time.monotonic()) <= 0:
                return None
            await asyncio.sleep(min(left, LOOK_SECONDS))
        return await self.take_seat(successor)

    async def abort(self, match: str) -> Receipt:
        """Agree to end a match without a result."""
        return await self._ask(asked.change(match, "abort"))

    # Play

    async def view(self, match: str, at: str | None = None, *, perspective: str | None = None) -> View:
        """Return the match as you may see it, now or at a cursor of your feed.

        Once it is over, `perspective` (a seat's number, or `public`) shows it as others saw it.
        """
        return await self._ask(asked.get_view(match, at, perspective))

    async def views(self, match: str, after: str | None = None, *, limit: int = 20, perspective: str | None = None) -> ViewPage:
        """Return the views at the items of your feed after a cursor, to show one event after the other."""
        return await self._ask(asked.get_views(match, after, limit, perspective))

    async def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision."""
        return await self._keeping(await self._ask(asked.give_command(match, decision, command, self._evidence.keeps)))

    async def try_out(self, match: str, decision: int, command: Command) -> None:
        """Raise ApiError if an answer would be refused; nothing happens in either case."""
        await self._ask(asked.try_command(match, decision, command))

    async def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        page = await self._ask(asked.get_feed(match, after, wait_seconds))
        self._evidence.heard(match, page.items, page.signed)
        return page

    async def follow(self, match: str, after: str | None = None) -> AsyncIterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        async for item in self._follow(Place(f"/matches/{match}/stream", Item, after)):
            self._evidence.item(match, item)
            yield item

    async def inbox(self, after: str | None = None, *, limit: int = 100, wait_seconds: int = 0) -> Inbox:
        """Return what happened in all of your matches after a cursor (None: only a cursor to begin with); wait for the first."""
        return await self._ask(asked.get_inbox(after, limit, wait_seconds))

    async def follow_inbox(self, after: str | None = None) -> AsyncIterator[InboxItem | Reset]:
        """Yield what happens in all of your matches, from a cursor or from now on, over any number of connections."""
        async for item in self._follow(Place("/me/inbox/stream", InboxItem, after)):
            yield item

    # Advice

    async def hint(self, match: str) -> Hint:
        """Return a hint for your open decision, if the match allows hints; the match records that you took it."""
        return await self._ask(asked.get_hint(match))

    async def ask_for_coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Ask what your seat, or another one, of a finished match could have done better; it is made in the background."""
        return await self._ask(asked.ask_for_coaching(match, seat))

    async def coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Return what your seat, or another one, could have done better, or what there is of it while it is being made."""
        return await self._ask(asked.get_coaching(match, seat))

    async def _follow(self, place: Place[Entry]) -> AsyncIterator[Entry | Reset]:
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

    async def _listen(self, answer: httpx.Response | None, place: Place[Entry]) -> AsyncIterator[Entry | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            await answer.aread()
            place.over = answer.status_code == NO_CONTENT
            return
        async for event in EventSource(answer).aiter_sse():
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
