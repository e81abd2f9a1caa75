"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

import httpx

from . import calls
from .calls import Call, Shape
from .shapes import Command, Feed, Game, Item, Match, MatchPage, Plain, Player, Receipt, View
from .sse import NO_CONTENT, OK, Lines, Place, Reset

SECONDS = 35.0
"""Longer than any answer of the service may take: a waiting feed answers after 30 seconds."""


class Client:
    """A player's, or nobody's, connection to a service.

    All methods raise ApiError with the problem, or Unreachable. What changes something carries an idempotency key of its
    own and is tried again, up to five times in all, where the connection or the service fails.
    """

    def __init__(self, url: str, token: str | None = None, *, transport: httpx.BaseTransport | None = None) -> None:
        self.token = token
        self._http = httpx.Client(base_url=url.rstrip("/"), timeout=SECONDS, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def games(self) -> tuple[Game, ...]:
        """Return the games of the service."""
        return self._ask(calls.list_games()).items

    def sign_up(self, name: str | None = None) -> Player:
        """Become a new player (None: a guest), and go on as it; its token is in `token`."""
        made = self._ask(calls.sign_up(name))
        self.token = made.text
        return made.player

    def open_match(
        self,
        game: str,
        seats: int,
        *,
        bots: Mapping[int, str] | None = None,
        options: Mapping[str, Plain] | None = None,
        **settings: Plain,
    ) -> Receipt:
        """Open a match with the own player on seat 0. `settings` are those of the request: `clock`, `start`, `spectators` ..."""
        return self._ask(calls.open_match(game, seats, bots or {}, options or {}, settings))

    def matches(self, *, own: bool = False, **filters: str | int) -> MatchPage:
        """Return a page of matches, newest first."""
        return self._ask(calls.list_matches(own, filters))

    def match(self, match: str) -> Match:
        """Return the facts of a match."""
        return self._ask(calls.get_match(match))

    def take_seat(self, match: str, seat: int | None = None, *, nonce: str = "") -> Receipt:
        """Sit down (None: on the first empty seat)."""
        return self._ask(calls.change(match, "seats", {"seat": seat, "nonce": nonce}))

    def leave(self, match: str) -> Receipt:
        """Leave the own seat."""
        return self._ask(calls.change(match, "seats/me", method="DELETE"))

    def start(self, match: str) -> Receipt:
        """Start a match of one's own."""
        return self._ask(calls.change(match, "start"))

    def rematch(self, match: str) -> Receipt:
        """Agree to a rematch."""
        return self._ask(calls.change(match, "rematch"))

    def abort(self, match: str) -> Receipt:
        """Agree to end a match without a result."""
        return self._ask(calls.change(match, "abort"))

    def view(self, match: str, at: str | None = None) -> View:
        """Return the match as the own player may know it, now or at a cursor of its feed."""
        return self._ask(calls.get_view(match, at))

    def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision."""
        return self._ask(calls.give_command(match, decision, command))

    def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        return self._ask(calls.get_feed(match, after, wait_seconds))

    def follow(self, match: str, after: str | None = None) -> Iterator[Item | Reset]:
        """Yield all items from a cursor on as they happen, over any number of connections, until the match is over."""
        place = Place(match, after)
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

    def _listen(self, answer: httpx.Response | None, place: Place) -> Iterator[Item | Reset]:
        if answer is None:
            return
        if answer.status_code != OK:
            answer.read()
            place.over = answer.status_code == NO_CONTENT
            return
        lines = Lines()
        for line in answer.iter_lines():
            for event in lines.feed(line):
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
