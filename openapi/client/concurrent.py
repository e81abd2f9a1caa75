"""The asynchronous client: the same words as the blocking one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
from httpx_sse import EventSource

from . import asked
from .advice import Coaching, Hint, Review
from .calls import Call, Shape
from .daily import Daily, DailyRanking
from .evidence import (
    Checkpoint,
    Consistency,
    Cosignatures,
    LeafHashes,
    LeafProofs,
    LogEntries,
    OpeningProof,
    Proof,
    Proofs,
    SigningKeys,
    Verdict,
)
from .inbox import Inbox, InboxItem
from .keeping import Keeper, commitment_in, fresh_nonce, together
from .lessons import Lesson
from .problems import ApiError, Unreachable
from .shapes import (
    Board,
    Command,
    Feed,
    Game,
    GameSheet,
    IssuedToken,
    Item,
    Match,
    MatchPage,
    Placing,
    Plain,
    Player,
    Program,
    Receipt,
    SeatToken,
    Token,
    View,
    ViewPage,
)
from .sse import NO_CONTENT, OK, Entry, Place, Reset
from .webhooks import Delivery, DeliveryPage, IssuedWebhook, Webhook

SECONDS = 35.0
"""Timeout in seconds, longer than any answer takes: a long poll answers after 30 seconds."""


class AsyncClient:
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
        self._keeper = Keeper(keep, url.rstrip("/"))
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
        return (await self._ask(asked.list_games())).items

    async def game(self, game: str) -> GameSheet:
        """Return a game: options, cards, texts, schemas."""
        return await self._ask(asked.get_game(game))

    async def rules(self, game: str, lang: str = "en") -> str:
        """Return a game's rule sheet (de, en) as Markdown."""
        return (await self._ask(asked.get_rules(game, lang))).decode()

    async def lesson(self, game: str) -> Lesson:
        """Return what a game's lesson says, and when."""
        return await self._ask(asked.get_lesson(game))

    async def daily(self, game: str) -> Daily:
        """Return a game's deal of today, and your try at it."""
        return await self._ask(asked.get_daily(game))

    async def daily_ranking(self, game: str, day: str | None = None, *, start: int = 0, limit: int = 50) -> DailyRanking:
        """Return who did best in a game's deal of a day (None: today), best first."""
        return await self._ask(asked.get_daily_ranking(game, day, start, limit))

    async def leaderboard(self, game: str, cursor: str | None = None, *, limit: int = 50, kind: str | None = None) -> Board:
        """Return a page of a game's leaderboard, best first; *kind*: only `people`, `programs` or `bots`."""
        return await self._ask(asked.get_leaderboard(game, cursor, limit, kind))

    # Players and tokens

    async def sign_up(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Sign up a new player (name None: a guest; *bot*: a program) and act as it from now on; its token is in `token`."""
        made = await self._ask(asked.sign_up(name, bot))
        self.token = made.text
        return made.player

    async def player(self, player: str | None = None) -> Player:
        """Return a player (None: yourself) with its ratings."""
        return await self._ask(asked.get_player(player))

    async def rename(self, name: str) -> Player:
        """Change your display name; a guest becomes a named player."""
        return await self._ask(asked.rename(name))

    async def program(self, player: str) -> Program:
        """Return what the operator of a program has stated."""
        return await self._ask(asked.get_program(player))

    async def declare_program(self, **statement: Plain) -> Program:
        """State which program plays as you: `key`, `version`, `signed_ms`, `signature`, and more (docs/bots.md)."""
        return await self._ask(asked.declare_program(statement))

    async def revoke_program(self) -> None:
        """Revoke the keys of your program permanently."""
        await self._ask(asked.revoke_program())

    async def delete_me(self) -> None:
        """Delete your player permanently: name, tokens, and seats in unfinished matches."""
        await self._ask(asked.delete_me())

    async def tokens(self) -> tuple[Token, ...]:
        """Return your tokens, without their texts."""
        return (await self._ask(asked.list_tokens())).items

    async def create_token(
        self, label: str, scopes: Iterable[str] = ("read", "play"), *, expires_ms: int | None = None
    ) -> IssuedToken:
        """Create a token with some of the scopes of your own."""
        return await self._ask(asked.create_token(label, scopes, expires_ms))

    async def revoke_token(self, token: str) -> None:
        """Revoke a token by its id."""
        await self._ask(asked.revoke_token(token))

    async def seat_token(self, match: str, seat: int) -> SeatToken:
        """Create a token for your seat in a match; a seat token is exchanged for the new one."""
        return await self._ask(asked.create_seat_token(match, seat))

    async def seat_user(
        self, match: str, user: str, *, name: str | None = None, seat: int | None = None, nonce: str = ""
    ) -> SeatToken:
        """Seat a user of your application (scope `embed`), and create a token for the seat."""
        return await self._ask(asked.seat_user(match, user, name, seat, nonce))

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
        """Open a game's lesson: a practice match against bots, with a first deal that is the same for everyone."""
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
        self._keeper.sat(match, receipt.items, nonce)
        return await self._keeping(receipt)

    async def _received(self, match: str, commitment: str) -> None:
        """Keep the commitment of a match, unless it is kept already."""
        if not self._keeper.knows(match):
            self._keeper.begin(match, commitment, await self.signing_keys(), await self.signed_checkpoint())

    async def _keeping(self, receipt: Receipt) -> Receipt:
        """Keep what a receipt shows."""
        if commitment := commitment_in(receipt.items):
            await self._received(receipt.match, commitment)
        self._keeper.heard(receipt.match, receipt.items, receipt.signed)
        return receipt

    async def leave(self, match: str) -> Receipt:
        """Leave your seat."""
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
        """Agree to a rematch."""
        return await self._ask(asked.change(match, "rematch"))

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
        return await self._keeping(await self._ask(asked.give_command(match, decision, command)))

    async def try_out(self, match: str, decision: int, command: Command) -> None:
        """Raise ApiError if an answer would be refused; nothing happens in either case."""
        await self._ask(asked.try_command(match, decision, command))

    async def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        page = await self._ask(asked.get_feed(match, after, wait_seconds))
        self._keeper.heard(match, page.items, page.signed)
        return page

    async def follow(self, match: str, after: str | None = None) -> AsyncIterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        async for item in self._follow(Place(f"/matches/{match}/stream", Item, after)):
            self._keeper.item(match, item)
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

    async def review(self, match: str, after: int = 0, *, limit: int = 5) -> Review:
        """Return a review of a finished match's decisions after a version, each from the view of its seat."""
        return await self._ask(asked.get_review(match, after, limit))

    async def ask_for_coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Ask what your seat, or another one, of a finished match could have done better; it is made in the background."""
        return await self._ask(asked.ask_for_coaching(match, seat))

    async def coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Return what your seat, or another one, could have done better, or what there is of it while it is being made."""
        return await self._ask(asked.get_coaching(match, seat))

    # Evidence

    async def proofs(self, match: str, after: int = 0, *, limit: int = 100) -> Proofs:
        """Return the commitments to the deals after a number, each with the cards that you can prove."""
        return await self._ask(asked.list_proofs(match, after, limit))

    async def proof(self, match: str, deal: int, index: int) -> Proof:
        """Return the proof of one card."""
        return await self._ask(asked.get_proof(match, deal, index))

    async def record(self, match: str) -> bytes:
        """Return the record of a finished match as JSON lines, as `tafelrunde verify` and `tools/verify.py` read it."""
        return await self._ask(asked.get_record(match))

    async def records(self, cursor: str | None = None, *, own: bool = False, limit: int = 20) -> bytes:
        """Return the records of a page of finished matches as JSON lines (own: yours); the last line has the next cursor."""
        return await self._ask(asked.list_records(cursor, own, limit))

    async def verification(self, match: str) -> Verdict:
        """Return the service's own verification of a finished match."""
        return await self._ask(asked.get_verification(match))

    async def checkpoint(self) -> Checkpoint:
        """Return the current size and root of the transparency log."""
        return await self._ask(asked.get_checkpoint())

    async def signed_checkpoint(self) -> bytes:
        """Return the latest checkpoint as a signed note in the form of C2SP's tlog-checkpoint."""
        return await self._ask(asked.get_signed_checkpoint())

    async def signing_keys(self) -> SigningKeys:
        """Return the public keys that sign checkpoints, receipts and feeds."""
        return await self._ask(asked.get_signing_keys())

    async def log_proofs(self, match: str, size: int | None = None) -> LeafProofs:
        """Return the proofs that a match is in the transparency log of a size (None: the latest)."""
        return await self._ask(asked.get_log_proofs(match, size))

    async def opening_proof(self, match: str, size: int | None = None) -> OpeningProof:
        """Return the proof that the opening of a match is in the transparency log."""
        return await self._ask(asked.get_opening_proof(match, size))

    async def log_entries(self, first: int = 0, *, limit: int = 1_000) -> LogEntries:
        """Return what everyone may know of the log's leaves, starting with number *first*."""
        return await self._ask(asked.list_log_entries(first, limit))

    async def cosignatures(self) -> Cosignatures:
        """Return the latest checkpoint that each witness has signed."""
        return await self._ask(asked.list_cosignatures())

    async def add_cosignature(self, witness: str, note: str) -> None:
        """Hand in a checkpoint that a witness has signed."""
        await self._ask(asked.add_cosignature(witness, note))

    async def log_consistency(self, earlier: int, later: int | None = None) -> Consistency:
        """Return the proof that the log of a later size (None: the latest) extends that of an earlier one."""
        return await self._ask(asked.get_log_consistency(earlier, later))

    async def log_leaves(self, first: int = 0, *, limit: int = 1_000) -> LeafHashes:
        """Return hashes of the log's leaves, from an index on."""
        return await self._ask(asked.list_log_leaves(first, limit))

    # Webhooks

    async def create_webhook(
        self, url: str, events: Iterable[str], *, game: str | None = None, match: str | None = None
    ) -> IssuedWebhook:
        """Create a webhook: messages of some types are sent to a URL. Its secret is returned only once."""
        return await self._ask(asked.create_webhook(url, events, game, match))

    async def webhooks(self) -> tuple[Webhook, ...]:
        """Return your webhooks."""
        return (await self._ask(asked.list_webhooks())).items

    async def webhook(self, webhook: str) -> Webhook:
        """Return one of your webhooks."""
        return await self._ask(asked.get_webhook(webhook))

    async def change_webhook(self, webhook: str, **changes: Plain) -> Webhook:
        """Change a webhook: `url`, `events`, `game`, `match`, `paused`; the rest stays."""
        return await self._ask(asked.change_webhook(webhook, changes))

    async def delete_webhook(self, webhook: str) -> None:
        """Delete a webhook."""
        await self._ask(asked.delete_webhook(webhook))

    async def rotate_webhook_secret(self, webhook: str) -> IssuedWebhook:
        """Rotate the secret of a webhook; for a day messages are signed with both secrets."""
        return await self._ask(asked.rotate_webhook_secret(webhook))

    async def ping_webhook(self, webhook: str) -> Delivery:
        """Send a test message."""
        return await self._ask(asked.ping_webhook(webhook))

    async def deliveries(self, webhook: str, cursor: str | None = None, *, limit: int = 50) -> DeliveryPage:
        """Return a page of a webhook's deliveries, sent and pending, newest first."""
        return await self._ask(asked.list_deliveries(webhook, cursor, limit))

    async def delivery(self, webhook: str, delivery: str) -> Delivery:
        """Return one delivery with its latest attempts."""
        return await self._ask(asked.get_delivery(webhook, delivery))

    async def redeliver(self, webhook: str, delivery: str) -> Delivery:
        """Send a message again."""
        return await self._ask(asked.redeliver(webhook, delivery))

    # Operators (scope `admin`)

    async def void(self, match: str, reason: str) -> Match:
        """Void the result of a finished match."""
        return await self._ask(asked.void(match, reason))

    async def adjudicate(self, match: str, placings: Iterable[Placing], reason: str) -> Match:
        """Change the result of a finished match."""
        return await self._ask(asked.adjudicate(match, placings, reason))

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
