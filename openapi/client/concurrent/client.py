"""The client: what it adds to the calls of the contract."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from time import monotonic, time_ns
from types import NoneType, TracebackType
from typing import Literal, Self

import httpx
import msgspec

from ..calls import Call, Shape, require_transport
from ..keeping import EvidenceFolder, KeptAnswer, commitment_in, fresh_nonce, together
from ..problems import ApiError, Unreachable
from ..shapes import Command, Feed, InboxItem, Item, MatchPage, Plain, Player, Receipt, TournamentSheet
from ..sse import Place, Reset
from .connection import AsyncConnection
from .requests import AsyncRequests

LOOK_SECONDS = 1.0
"""How often it is looked whether others have agreed to a rematch: a match that is over sends no events."""


class AsyncClient(AsyncRequests):
    """A connection to a service, as one player or without a token.

    All methods raise ApiError with the problem, or Unreachable. Requests that change
    something carry an idempotency key and are retried if the connection or the service fails, up to five times in all.
    `transport`: one of httpx, or "socket": commands, talk, views and what you follow go over one socket, all else over HTTP.
    Any other value raises TypeError.
    `keep`: a folder in which a file for each of your matches keeps what proves how it was dealt (docs/auditing.md).
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        keep: str | Path | None = None,
        transport: httpx.AsyncBaseTransport | Literal["socket"] | None = None,
    ) -> None:
        self.token = token or None
        self._evidence = EvidenceFolder(keep, url.rstrip("/"))
        if transport == "socket":
            from .socket import AsyncSocketConnection

            self._connection: AsyncConnection = AsyncSocketConnection(url.rstrip("/"))
        else:
            require_transport(transport, httpx.AsyncBaseTransport)
            self._connection = AsyncConnection(url.rstrip("/"), transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()

    async def _ask(self, call: Call[Shape]) -> Shape:
        return await self._connection.ask(call, self.token)

    async def sign_up(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Sign up a new player (name None: a guest; *bot*: a program) and act as it from now on; its token is in `token`."""
        made = await self._ask(self._create_player(name=name, bot=bot))
        self.token = made.text
        return made.player

    async def player(self, player: str | None = None) -> Player:
        """Return a player (None: yourself) with its ratings."""
        return await self._ask(self._get_me() if player is None else self._get_player(player))

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
        seated = [{"seat": at, "bot": bot} for at, bot in (bots or {}).items()]
        request = {"game": game, "seats": seats, "options": options or {}, "bots": seated, **settings}
        seat = settings.get("seat", 0)
        if nonce == "" or not isinstance(seat, int):
            return await self._keeping(await self._ask(self._open_match(**request)), nonce)
        opened = await self._keeping(await self._ask(self._open_match(**{**request, "seat": None, "start": False})))
        try:
            taken = await self._sit(opened.match, seat, nonce or fresh_nonce())
            return together(opened, taken, *([await self.start(opened.match)] if settings.get("start") else []))
        except ApiError:
            with suppress(ApiError, Unreachable):
                await self.abort(opened.match)
            raise

    async def matches(
        self,
        *,
        own: bool = False,
        game: str | None = None,
        status: str | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> MatchPage:
        """Return a page of matches, newest first; *own*: those in which you, or users of your application, play."""
        pages = self._list_my_matches if own else self._list_matches
        return await self._ask(pages(game, status=status, after=after, limit=limit))

    async def take_seat(self, match: str, seat: int | None = None, *, nonce: str | None = None) -> Receipt:
        """Sit down (None: on the first empty seat), with a nonce that is drawn when the commitment was received ("": none)."""
        if nonce is None:
            await self._received(match, (await self.match(match)).commitment)
        return await self._sit(match, seat, fresh_nonce() if nonce is None else nonce)

    async def _sit(self, match: str, seat: int | None, nonce: str) -> Receipt:
        return await self._keeping(await self._ask(self._take_seat(match, seat=seat, nonce=nonce)), nonce)

    async def _received(self, match: str, commitment: str) -> None:
        """Keep the commitment of a match, unless it is kept already."""
        if not self._evidence.knows(match):
            self._evidence.begin(match, commitment, await self.signing_keys(), await self.signed_checkpoint())

    async def open_tournament(self, **wish: Plain) -> TournamentSheet:
        """Open a tournament, and join it unless `joins` is False. `wish` are the fields of the request: `name`, `game` ...

        It is joined as by `join_tournament`, with a nonce that is drawn when the commitments were received. If that is refused,
        the tournament is called off.
        """
        opened = await self._ask(self._open_tournament(**{**wish, "joins": False}))
        if not wish.get("joins", True):
            return opened
        try:
            return await self.join_tournament(opened.facts.tournament)
        except ApiError:
            with suppress(ApiError, Unreachable):
                await self.cancel_tournament(opened.facts.tournament)
            raise

    async def join_tournament(self, tournament: str, *, nonce: str | None = None) -> TournamentSheet:
        """Join a tournament that has not begun, with a nonce that is drawn when the commitments were received ("": none)."""
        before = await self.tournament(tournament)
        if before.facts.entry is not None:
            return before
        if not self._evidence.knows_tournament(tournament):
            self._evidence.begin_tournament(before, await self.signing_keys(), await self.signed_checkpoint())
        drawn = fresh_nonce() if nonce is None else nonce
        self._evidence.join(tournament, drawn)  # now, as the answer may be lost
        try:
            joined = await self._ask(self._join_tournament(tournament, nonce=drawn))
        except ApiError:
            self._evidence.join(tournament, "")
            raise
        self._evidence.joined(joined)
        return joined

    async def tournament(self, tournament: str) -> TournamentSheet:
        """Return a tournament: its facts, its standings, and its newest round. Anyone who has its id may see it."""
        sheet = await self._ask(self._get_tournament(tournament))
        self._evidence.saw_tournament(sheet)
        return sheet

    async def _recognise(self, match: str) -> None:
        """Begin to keep a match that a tournament has seated its player in."""
        if self._evidence.misses(match) and (seat := (await self.view(match)).seat) is not None:
            self._evidence.begin_table(match, (await self.match(match)).commitment, seat)

    async def _keeping(self, receipt: Receipt, nonce: str | None = None) -> Receipt:
        """Keep what a receipt shows, with the nonce of the seat that was just taken (None: there is none)."""
        await self._recognise(receipt.match)
        if commitment := commitment_in(receipt.items):
            await self._received(receipt.match, commitment)
        if nonce is not None:
            self._evidence.sat(receipt.match, receipt.items, nonce)
        self._evidence.heard(receipt.match, receipt.items, receipt.signed)
        return receipt

    async def start(self, match: str) -> Receipt:
        """Start a match that you host."""
        return await self._keeping(await self._ask(self._start_match(match)))

    async def join_rematch(self, match: str, *, wait_seconds: float = 600.0) -> Receipt | None:
        """Wait until all have agreed to a rematch of *match*, and take your seat in it; None if some have not in that time.

        As with `take_seat`, the commitment is received (and kept) before the nonce is drawn. The rematch, `match` of the receipt,
        begins when all have taken their seats.
        """
        until = monotonic() + wait_seconds
        while (successor := (await self.match(match)).rematch) is None:
            if (left := until - monotonic()) <= 0:
                return None
            await sleep(min(left, LOOK_SECONDS))
        return await self.take_seat(successor)

    async def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision; with `keep` the receipt is signed, and an answer that is not taken is kept with its time."""
        at_ms = time_ns() // 1_000_000
        try:
            receipt = await self._ask(self._give_command(match, decision, command, signed=self._evidence.keeps))
        except (ApiError, Unreachable) as error:
            problem = error.problem.type if isinstance(error, ApiError) else ""
            self._evidence.failed(match, KeptAnswer(decision=decision, command=command, at_ms=at_ms, problem=problem))
            raise
        self._evidence.taken(match, decision)
        return await self._keeping(receipt)

    async def try_out(self, match: str, decision: int, command: Command) -> None:
        """Raise ApiError if an answer would be refused; nothing happens in either case."""
        call = self._give_command(match, decision, command, dry_run=True)
        await self._ask(msgspec.structs.replace(call, shape=NoneType))

    async def feed(self, match: str, after: str | None = None, *, limit: int = 100, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        await self._recognise(match)
        page = await self._ask(self._get_feed(match, after, limit=limit, wait_seconds=wait_seconds))
        self._evidence.heard(match, page.items, page.signed)
        return page

    async def follow(self, match: str, after: str | None = None) -> AsyncIterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        await self._recognise(match)
        async with aclosing(self._connection.follow(Place(self._stream_feed(match), after), self.token)) as items:
            async for item in items:
                self._evidence.item(match, item)
                yield item

    async def follow_inbox(self, after: str | None = None) -> AsyncIterator[InboxItem | Reset]:
        """Yield what happens in all of your matches, from a cursor or from now on, over any number of connections."""
        async with aclosing(self._connection.follow(Place(self._stream_inbox(), after), self.token)) as items:
            async for item in items:
                yield item

    async def records(self, after: str | None = None, *, own: bool = False, game: str | None = None, limit: int = 20) -> bytes:
        """Return the records of a page of finished matches as JSON lines (own: yours); the last line has the next cursor."""
        pages = self._list_my_records if own else self._list_records
        return await self._ask(pages(game, after=after, limit=limit))
