"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self

import httpx

from . import asked
from .advice import Hint, Review
from .calls import Call, Shape
from .evidence import Checkpoint, Consistency, LeafHashes, LeafProofs, Proof, Proofs, Verdict
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
    Receipt,
    SeatToken,
    Token,
    View,
)
from .sse import NO_CONTENT, OK, Lines, Place, Reset
from .webhooks import Delivery, DeliveryPage, IssuedWebhook, Webhook

SECONDS = 35.0
"""Longer than any answer of the service may take: a waiting feed answers after 30 seconds."""


class Client:
    """A player's, or nobody's, connection to a service.

    All methods raise ApiError with the problem, or Unreachable. What changes something carries an idempotency key of its
    own and is tried again, up to five times in all, where the connection or the service fails.
    """

    def __init__(self, url: str, token: str | None = None, *, transport: httpx.BaseTransport | None = None) -> None:
        self.token = token or None
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
        return self._ask(asked.list_games()).items

    def game(self, game: str) -> GameSheet:
        """Return all that there is to know of a game: options, cards, texts, schemas."""
        return self._ask(asked.get_game(game))

    def rules(self, game: str, lang: str = "en") -> str:
        """Return a game's rule sheet (de, en) as Markdown."""
        return self._ask(asked.get_rules(game, lang)).decode()

    def leaderboard(self, game: str, cursor: str | None = None, *, limit: int = 50) -> Board:
        """Return a page of a game's leaderboard, best first."""
        return self._ask(asked.get_leaderboard(game, cursor, limit))

    # Players and tokens

    def sign_up(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Become a new player (None: a guest; *bot*: a program), and go on as it; its token is in `token`."""
        made = self._ask(asked.sign_up(name, bot))
        self.token = made.text
        return made.player

    def player(self, player: str | None = None) -> Player:
        """Return a player (None: the own one), with its ratings."""
        return self._ask(asked.get_player(player))

    def rename(self, name: str) -> Player:
        """Change the own display name; a guest becomes a named player."""
        return self._ask(asked.rename(name))

    def delete_me(self) -> None:
        """Delete the own player for good: name, tokens, and seats in matches that are not over."""
        self._ask(asked.delete_me())

    def tokens(self) -> tuple[Token, ...]:
        """Return the own tokens, without their texts."""
        return self._ask(asked.list_tokens()).items

    def create_token(self, label: str, scopes: Iterable[str] = ("read", "play"), *, expires_ms: int | None = None) -> IssuedToken:
        """Make a further token, which can do at most what the own one can."""
        return self._ask(asked.create_token(label, scopes, expires_ms))

    def revoke_token(self, token: str) -> None:
        """End a token, by its id."""
        self._ask(asked.revoke_token(token))

    def seat_token(self, match: str, seat: int) -> SeatToken:
        """Make a token for the own seat of a match; a seat token itself is exchanged for the fresh one."""
        return self._ask(asked.create_seat_token(match, seat))

    def seat_user(self, match: str, user: str, *, name: str | None = None, seat: int | None = None, nonce: str = "") -> SeatToken:
        """Seat a user of the own application (scope `embed`), and make a token for the seat."""
        return self._ask(asked.seat_user(match, user, name, seat, nonce))

    # Matches

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
        return self._ask(asked.open_match(game, seats, bots or {}, options or {}, settings))

    def what_if(self, match: str, decision: int, seat: int, *, bot: str | None = None, nonce: str = "") -> Receipt:
        """Take a finished match up again before one of its decisions, on a seat, against bots (None: the game's first)."""
        return self._ask(asked.what_if(match, decision, seat, bot, nonce))

    def matches(self, *, own: bool = False, **filters: str | int) -> MatchPage:
        """Return a page of matches, newest first."""
        return self._ask(asked.list_matches(own, filters))

    def match(self, match: str) -> Match:
        """Return the facts of a match."""
        return self._ask(asked.get_match(match))

    def take_seat(self, match: str, seat: int | None = None, *, nonce: str = "") -> Receipt:
        """Sit down (None: on the first empty seat)."""
        return self._ask(asked.change(match, "seats", {"seat": seat, "nonce": nonce}))

    def leave(self, match: str) -> Receipt:
        """Leave the own seat."""
        return self._ask(asked.change(match, "seats/me", method="DELETE"))

    def seat_bot(self, match: str, seat: int, bot: str) -> Receipt:
        """Give an empty seat of a match of one's own to a bot."""
        return self._ask(asked.change(match, f"seats/{seat}/bot", {"bot": bot}, "PUT"))

    def clear_seat(self, match: str, seat: int) -> Receipt:
        """Empty a seat of a match of one's own, before the start."""
        return self._ask(asked.change(match, f"seats/{seat}", method="DELETE"))

    def start(self, match: str) -> Receipt:
        """Start a match of one's own."""
        return self._ask(asked.change(match, "start"))

    def rematch(self, match: str) -> Receipt:
        """Agree to a rematch."""
        return self._ask(asked.change(match, "rematch"))

    def abort(self, match: str) -> Receipt:
        """Agree to end a match without a result."""
        return self._ask(asked.change(match, "abort"))

    # Play

    def view(self, match: str, at: str | None = None, *, perspective: str | None = None) -> View:
        """Return the match as the own player may know it, now or at a cursor of its feed.

        Once it is over, `perspective` (a seat's number, or `public`) shows it as others saw it.
        """
        return self._ask(asked.get_view(match, at, perspective))

    def play(self, match: str, decision: int, command: Command) -> Receipt:
        """Answer a decision."""
        return self._ask(asked.give_command(match, decision, command))

    def try_out(self, match: str, decision: int, command: Command) -> None:
        """Raise ApiError if an answer would be refused; nothing happens in either case."""
        self._ask(asked.try_command(match, decision, command))

    def feed(self, match: str, after: str | None = None, *, wait_seconds: int = 0) -> Feed:
        """Return the next items; wait up to 30 seconds if there are none yet."""
        return self._ask(asked.get_feed(match, after, wait_seconds))

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

    # Advice

    def hint(self, match: str) -> Hint:
        """Return what a search makes of the own open decision, where the match allows hints; the log keeps that it was taken."""
        return self._ask(asked.get_hint(match))

    def review(self, match: str, after: int = 0, *, limit: int = 5) -> Review:
        """Return what a search makes of the decisions of a finished match after a version, from their seats' views."""
        return self._ask(asked.get_review(match, after, limit))

    # Evidence

    def proofs(self, match: str, after: int = 0, *, limit: int = 100) -> Proofs:
        """Return the commitments to the deals after a number, each with the cards that the own player can prove."""
        return self._ask(asked.list_proofs(match, after, limit))

    def proof(self, match: str, deal: int, index: int) -> Proof:
        """Return the proof of one card."""
        return self._ask(asked.get_proof(match, deal, index))

    def record(self, match: str) -> bytes:
        """Return a finished match whole: one JSON line for each part, as `tafelrunde verify` and `tools/verify.py` read them."""
        return self._ask(asked.get_record(match))

    def verification(self, match: str) -> Verdict:
        """Return what the service finds when it does all of a finished match again."""
        return self._ask(asked.get_verification(match))

    def checkpoint(self) -> Checkpoint:
        """Return size and root of the log over all matches now."""
        return self._ask(asked.get_checkpoint())

    def log_proofs(self, match: str, size: int | None = None) -> LeafProofs:
        """Return the proofs that a match is in the log over all matches, of a size (None: the newest)."""
        return self._ask(asked.get_log_proofs(match, size))

    def log_consistency(self, earlier: int, later: int | None = None) -> Consistency:
        """Return the proof that the log of a later size (None: the newest) begins with that of an earlier one."""
        return self._ask(asked.get_log_consistency(earlier, later))

    def log_leaves(self, first: int = 0, *, limit: int = 1_000) -> LeafHashes:
        """Return the hashes of the log's leaves from a number on."""
        return self._ask(asked.list_log_leaves(first, limit))

    # Webhooks

    def create_webhook(
        self, url: str, events: Iterable[str], *, game: str | None = None, match: str | None = None
    ) -> IssuedWebhook:
        """Have messages of some types sent to an address; its secret is shown this once."""
        return self._ask(asked.create_webhook(url, events, game, match))

    def webhooks(self) -> tuple[Webhook, ...]:
        """Return the own webhooks."""
        return self._ask(asked.list_webhooks()).items

    def webhook(self, webhook: str) -> Webhook:
        """Return one of the own webhooks."""
        return self._ask(asked.get_webhook(webhook))

    def change_webhook(self, webhook: str, **changes: Plain) -> Webhook:
        """Change a webhook: `url`, `events`, `game`, `match`, `paused`; what is not said stays."""
        return self._ask(asked.change_webhook(webhook, changes))

    def delete_webhook(self, webhook: str) -> None:
        """Delete a webhook."""
        self._ask(asked.delete_webhook(webhook))

    def rotate_webhook_secret(self, webhook: str) -> IssuedWebhook:
        """Give a webhook a fresh secret; for a day messages are signed with both."""
        return self._ask(asked.rotate_webhook_secret(webhook))

    def ping_webhook(self, webhook: str) -> Delivery:
        """Have a message sent that says nothing, to try a webhook out."""
        return self._ask(asked.ping_webhook(webhook))

    def deliveries(self, webhook: str, cursor: str | None = None, *, limit: int = 50) -> DeliveryPage:
        """Return a page of what was sent to a webhook or waits, newest first."""
        return self._ask(asked.list_deliveries(webhook, cursor, limit))

    def delivery(self, webhook: str, delivery: str) -> Delivery:
        """Return one message to a webhook, with its newest attempts."""
        return self._ask(asked.get_delivery(webhook, delivery))

    def redeliver(self, webhook: str, delivery: str) -> Delivery:
        """Have a message sent once more."""
        return self._ask(asked.redeliver(webhook, delivery))

    # Operators (scope `admin`)

    def void(self, match: str, reason: str) -> Match:
        """Take the result of a finished match back."""
        return self._ask(asked.void(match, reason))

    def adjudicate(self, match: str, placings: Iterable[Placing], reason: str) -> Match:
        """Give a finished match another result."""
        return self._ask(asked.adjudicate(match, placings, reason))

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
