"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
from httpx_sse import EventSource

from . import asked
from .advice import Coaching, Hint
from .blocking_service import ServiceRequests
from .calls import Call, Shape
from .inbox import Inbox, InboxItem
from .keeping import EvidenceFolder, commitment_in, fresh_nonce, together
from .problems import ApiError, Unreachable
from .shapes import Command, Feed, Item, Match, MatchPage, Plain, Receipt, View, ViewPage
from .sse import NO_CONTENT, OK, Entry, Place, Reset

SECONDS = 35.0
"""Timeout in seconds, longer than any answer takes: a long poll answers after 30 seconds."""
LOOK_SECONDS = 1.0
"""How often it is looked whether others have agreed to a rematch: a match that is over sends no events."""


class Client(ServiceRequests):
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.token = token or None
        self._evidence = EvidenceFolder(keep, url.rstrip("/"))
        self._http = httpx.Client(base_url=url.rstrip("/"), timeout=SECONDS, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # Matches

    def open_match(
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
            return self._keeping(self._ask(asked.open_match(game, seats, bots or {}, options or {}, settings)))
        first = {**settings, "seat": None, "start": False}
        opened = self._keeping(self._ask(asked.open_match(game, seats, bots or {}, options or {}, first)))
        try:
            taken = self._sit(opened.match, seat, nonce or fresh_nonce())
            return together(opened, taken, *([self.start(opened.match)] if settings.get("start") else []))
        except ApiError:
            with suppress(ApiError, Unreachable):
                self.abort(opened.match)
            raise

    def what_if(self, match: str, decision: int, seat: int, *, bot: str | None = None, nonce: str = "") -> Receipt:
        """Open a practice match from a decision of a finished match, on a seat, against bots (None: the game's first)."""
        return self._ask(asked.what_if(match, decision, seat, bot, nonce))

    def open_lesson(self, game: str) -> Receipt:
        """Open a game's lesson: a practice match against bots, whose cards and bots are the same for everyone."""
        return self._ask(asked.open_lesson(game))

    def open_daily(self, game: str) -> Receipt:
        """Play a game's deal of today, once: asked again, this is the same match."""
        return self._ask(asked.open_daily(game))

    def matches(self, *, own: bool = False, **filters: str | int) -> MatchPage:
        """Return a page of matches, newest first."""
        return self._ask(asked.list_matches(own, filters))

    def match(self, match: str) -> Match:
        """Return the facts of a match."""
        return self._ask(asked.get_match(match))

    def take_seat(self, match: str, seat: int | None = None, *, nonce: str | None = None) -> Receipt:
        """Sit down (None: on the first empty seat), with a nonce that is drawn when the commitment was received ("": none)."""
        if nonce is None:
            self._received(match, (self.match(match)).commitment)
        return self._sit(match, seat, fresh_nonce() if nonce is None else nonce)

    def _sit(self, match: str, seat: int | None, nonce: str) -> Receipt:
        receipt = self._ask(asked.change(match, "seats", {"seat": seat, "nonce": nonce}))
        self._evidence.sat(match, receipt.items, nonce)
        return self._keeping(receipt)

    def _received(self, match: str, commitment: str) -> None:
        """Keep the commitment of a match, unless it is kept already."""
        if not self._evidence.knows(match):
            self._evidence.begin(match, commitment, self.signing_keys(), self.signed_checkpoint())

    def _keeping(self, receipt: Receipt) -> Receipt:
        """Keep what a receipt shows."""
        if commitment := commitment_in(receipt.items):
            self._received(receipt.match, commitment)
        self._evidence.heard(receipt.match, receipt.items, receipt.signed)
        return receipt

    def leave(self, match: str) -> Receipt:
        """Leave your seat, or give up the one reserved for you; before the start it is free again.

        In a running match a bot plays on for you. With no other player at the table nothing is played at first: the table
        waits for `clock.away_seconds`. `take_seat` takes your seat back, until the match is over.
        """
        return self._ask(asked.change(match, "seats/me", method="DELETE"))

    def seat_bot(self, match: str, seat: int, bot: str) -> Receipt:
        """Give an empty seat of a match that you host to a bot."""
        return self._ask(asked.change(match, f"seats/{seat}/bot", {"bot": bot}, "PUT"))

    def clear_seat(self, match: str, seat: int) -> Receipt:
        """Clear a seat of a match that you host, before the start."""
        return self._ask(asked.change(match, f"seats/{seat}", method="DELETE"))

    def start(self, match: str) -> Receipt:
        """Start a match that you host."""
        return self._keeping(self._ask(asked.change(match, "start")))

    def rematch(self, match: str) -> Receipt:
        """Agree to a rematch. It opens when all have agreed; then take your seat there: `join_rematch`."""
        return self._ask(asked.change(match, "rematch"))

    def join_rematch(self, match: str, *, wait_seconds: float = 600.0) -> Receipt | None:
        """Wait until all have agreed to a rematch of *match*, and take your seat in it; None if some have not in that time.

        As with `take_seat`, the commitment is received (and kept) before the nonce is drawn. The rematch, `match` of the receipt,
        begins when all have taken their seats.
        """
        until = time.monotonic() + wait_seconds
        while (successor := self.match(match).rematch) is None:
            if (left := until - time.monotonic()) <= 0:
                return None
            time.sleep(min(left, LOOK_SECONDS))
        return self.take_seat(successor)

    def abort(self, match: str) -> Receipt:
        """Agree to end a match without a result."""
        return self._ask(asked.change(match, "abort"))

    # Play

    def view(self, match: str, at: str | None = None, *, perspective: str | None = None) -> View:
        """Return the match as you may see it, now or at a cursor of your feed.

        Once it is over, `perspective` (a seat's number, or `public`) shows it as others saw it.
        """
        return self._ask(asked.get_view(match, at, perspective))

    def views(self, match: str, after: str | None = None, *, limit: int = 20, perspective: str | None = None) -> ViewPage:
        """Return the views at the items of your feed after a cursor, to show one event after the other."""
        return self._ask(asked.get_views(match, after, limit, perspective))

    def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision."""
        return self._keeping(self._ask(asked.give_command(match, decision, command, self._evidence.keeps)))

    def try_out(self, match: str, decision: int, command: Command) -> None:
        """Raise ApiError if an answer would be refused; nothing happens in either case."""
        self._ask(asked.try_command(match, decision, command))

    def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        page = self._ask(asked.get_feed(match, after, wait_seconds))
        self._evidence.heard(match, page.items, page.signed)
        return page

    def follow(self, match: str, after: str | None = None) -> Iterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        for item in self._follow(Place(f"/matches/{match}/stream", Item, after)):
            self._evidence.item(match, item)
            yield item

    def inbox(self, after: str | None = None, *, limit: int = 100, wait_seconds: int = 0) -> Inbox:
        """Return what happened in all of your matches after a cursor (None: only a cursor to begin with); wait for the first."""
        return self._ask(asked.get_inbox(after, limit, wait_seconds))

    def follow_inbox(self, after: str | None = None) -> Iterator[InboxItem | Reset]:
        """Yield what happens in all of your matches, from a cursor or from now on, over any number of connections."""
        return self._follow(Place("/me/inbox/stream", InboxItem, after))

    # Advice

    def hint(self, match: str) -> Hint:
        """Return a hint for your open decision, if the match allows hints; the match records that you took it."""
        return self._ask(asked.get_hint(match))

    def ask_for_coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Ask what your seat, or another one, of a finished match could have done better; it is made in the background."""
        return self._ask(asked.ask_for_coaching(match, seat))

    def coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Return what your seat, or another one, could have done better, or what there is of it while it is being made."""
        return self._ask(asked.get_coaching(match, seat))

    def _follow(self, place: Place[Entry]) -> Iterator[Entry | Reset]:
        while not place.over:
            answer = self._send(place.request(self._http, self.token), stream=True)
            try:
                yield from self._listen(answer, place)
            except httpx.TransportError:
                pass
            finally:
                if answer is not None:
                    answer.close()
            if not place.over:
                time.sleep(place.rest(answer))

    def _listen(self, answer: httpx.Response | None, place: Place[Entry]) -> Iterator[Entry | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            answer.read()
            place.over = answer.status_code == NO_CONTENT
            return
        for event in EventSource(answer).iter_sse():
            yield from place.take(event)

    def _ask(self, call: Call[Shape]) -> Shape:
        tries = call.tries()
        answer = self._send(call.request(self._http, self.token))
        while (seconds := tries.again(answer)) is not None:
            time.sleep(seconds)
            answer = self._send(call.request(self._http, self.token))
        return call.read(answer)

    def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response | None:
        """Return the answer, or None if there was none."""
        try:
            return self._http.send(request, stream=stream)
        except httpx.TransportError:
            return None
