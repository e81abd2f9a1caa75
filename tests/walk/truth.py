"""What each viewer of a match may know now, computed from its stored log by the domain alone.

Nothing of the service's views, feeds, delays and caches takes part: only the codec that reads an entry, the rules that fold it,
the redactor, and the shapes of the contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from typing import NamedTuple

import msgspec

from tafelrunde.api.schema.presenters import view_body
from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match import MatchId, PlayerId, Spectators, Status, Visibility
from tafelrunde.domain.match.events import MatchAborted, MatchEnded, MatchStarted
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.secrecy import redact
from tafelrunde.service.matches.codec import Codec
from tafelrunde.service.views.feeds import Cursor, FeedItem
from tafelrunde.service.views.queries import Seen

DELAY_MS = 60_000
_encode = msgspec.json.Encoder().encode
_CODEC = Codec(GAMES)


class Refusal(Enum):
    """Why someone may not look at a match, by the status of the answer."""

    HIDDEN = 404
    FORBIDDEN = 403


class Sight(NamedTuple):
    """What someone sees of a match: from which seat (None: none), and whether with the delay of spectators."""

    seat: Seat | None
    delayed: bool = False


class Fact(NamedTuple):
    """One event as it is stored."""

    event: Event
    time_ms: int
    complete: bool


class _Feed:
    """The feed of one seat, or of spectators, as far as it was computed."""

    def __init__(self) -> None:
        self.version = 0
        self.chain = bytes(32)
        self.items: list[bytes] = []
        self.cursors: list[str] = []
        self.versions: list[int] = []


class MatchTruth:
    """One match, from its log."""

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.state = Match(GAMES)
        self.facts: list[Fact] = []
        self._feeds: dict[Seat | None, _Feed] = {}
        self._late: int | None = None

    @property
    def version(self) -> int:
        """How many events there are."""
        return len(self.facts)

    def extend(self, entries: Sequence[bytes]) -> None:
        """Fold what was written since."""
        for entry in entries:
            envelope, event = _CODEC.decode(entry)
            self.facts.append(Fact(event, envelope.time_ms, envelope.complete))
            self.state.fold(event)
            if self._late is None and (isinstance(event, MatchStarted) or self.state.facts.parent is not None):
                self._late = len(self.facts) - 1 if self.state.facts.parent is None else 0

    def sight(self, player: str | None) -> Sight | Refusal:
        """Return what a player (None: someone without a token) sees of the match."""
        state = self.state
        who = PlayerId(player) if player is not None else None
        seat = state.seat_of(who) if who is not None else None
        if seat is not None:
            return Sight(seat)
        reserved = who is not None and state.reserved_for(who) is not None
        hosts = who is not None and who == state.host
        settings = state.settings
        off = settings.spectators is Spectators.OFF
        unlisted = settings.visibility is Visibility.UNLISTED
        if off and unlisted and state.status is not Status.OPEN and not (reserved or hosts):
            return Refusal.HIDDEN
        if off and state.started:
            return Refusal.FORBIDDEN
        return Sight(None, settings.spectators is Spectators.DELAYED and not reserved)

    def count_known(self, sight: Sight, now_ms: int) -> int:
        """Return how many events of the log such a viewer may know now; 0 if the match is still hidden from it."""
        if not sight.delayed or self._late is None:
            return self.version
        for number, fact in enumerate(self.facts):
            if number >= self._late and fact.time_ms > now_ms - DELAY_MS:
                return number
        return self.version

    def items(self, seat: Seat | None, known: int) -> list[bytes]:
        """Return the items of the feed of a seat (None: of spectators) up to a version, as JSON."""
        feed = self._feed(seat)
        return feed.items[: self._count(feed, known)]

    def cursor(self, seat: Seat | None, known: int) -> str:
        """Return the cursor behind them."""
        feed = self._feed(seat)
        count = self._count(feed, known)
        return feed.cursors[count - 1] if count else "0-00000000"

    @staticmethod
    def _count(feed: _Feed, known: int) -> int:
        return sum(version <= known for version in feed.versions) if feed.version > known else len(feed.items)

    def _feed(self, seat: Seat | None) -> _Feed:
        feed = self._feeds.setdefault(seat, _Feed())
        for number in range(feed.version, self.version):
            fact = self.facts[number]
            visible = redact(fact.event, seat)
            if visible is not None:
                n = len(feed.items) + 1
                feed.chain = sha256(feed.chain + _encode((n, fact.time_ms, visible))).digest()
                cursor = Cursor(f"{n}-{feed.chain[:4].hex()}")
                feed.items.append(_encode(FeedItem(cursor, n, fact.time_ms, visible)))
                feed.cursors.append(cursor)
                feed.versions.append(number + 1)
        feed.version = self.version
        return feed

    def view(self, sight: Sight, now_ms: int) -> bytes | None:
        """Return the view of such a viewer as JSON; None if the match is still hidden from it."""
        known = self.count_known(sight, now_ms)
        if not known:
            return None
        state = self.state
        if known < self.version:
            state = Match(GAMES)
            for fact in self.facts[:known]:
                state.fold(fact.event)
        cursor = Cursor(self.cursor(sight.seat, known))
        game = state.settings.game
        seen = Seen(match=MatchId(self.id), game=game, cursor=cursor, view=view(state, sight.seat))
        return _encode(view_body(seen, GAMES[game]))

    def ends_at(self) -> int | None:
        """Return the version at which the match ended; None while it has not."""
        for number, fact in enumerate(self.facts, 1):
            if isinstance(fact.event, MatchEnded | MatchAborted):
                return number
        return None
