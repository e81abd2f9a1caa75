"""A feed per viewer: the items that one seat, or a spectator, may see, with a sequence and a hash chain of its own.

A cursor is `<n>-<8 hex of the chain>`: n counts the viewer's own items, so it tells nothing of hidden ones, and the chain
tells a resumed client when the history it knew is gone.
"""

from __future__ import annotations

from bisect import bisect_right
from hashlib import sha256
from typing import NewType

import msgspec

from ...domain.game import Event, Seat
from ...domain.match import MatchId
from ...domain.match.events import MatchOpened, MatchStarted
from ...domain.secrecy import redact
from ..errors import ServiceError
from ..matches.codec import Codec
from ..matches.recent import WEIGHT_EACH, Recent
from ..matches.repository import Loaded
from ..ports.events import GENESIS, Version

Cursor = NewType("Cursor", str)
START = Cursor("0-00000000")
VIEWERS = 4
"""How many feeds are kept for each cached match."""
_encode = msgspec.json.Encoder().encode


class CursorUnknown(ServiceError):
    """The cursor is not of this viewer's history: malformed, from another feed, or of a history that was lost."""


class FeedItem(msgspec.Struct, frozen=True):
    """One visible event: its cursor, its number n (1, 2, 3 ...), its time, and the event as the viewer may know it."""

    cursor: Cursor
    n: int
    at_ms: int
    event: Event


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Items in order, the cursor after the last of them, whether more are there now, and whether the feed has ended.

    `chain` is the whole hash over the first `n` items, of which the cursor has the beginning. `seat` says whose feed that is:
    up to the start all feeds are the same, and count as the spectators' (None).
    """

    items: tuple[FeedItem, ...]
    cursor: Cursor
    seat: Seat | None
    n: int
    chain: bytes
    more: bool
    ended: bool


class Feed:
    """All items of one viewer of one match, up to a version; extended as the match goes on."""

    def __init__(self, seat: Seat | None, history: list[bytes]) -> None:
        self.seat = seat
        self.history = history
        self.version = 0
        self.items: list[FeedItem] = []
        self.versions: list[int] = []
        self._chains = [GENESIS]
        self._start = 0

    def extend(self, loaded: Loaded, codec: Codec) -> None:
        """Add what has become visible up to the loaded version. Cost grows with the number of new entries."""
        for version in range(self.version + 1, loaded.version + 1):
            time_ms, event = loaded.fact(version, codec)
            visible = redact(event, self.seat)
            if visible is not None:
                self._add(version, time_ms, visible)
        self.version = max(self.version, loaded.version)

    def _add(self, version: int, at_ms: int, event: Event) -> None:
        n = len(self.items) + 1
        chain = sha256(self._chains[-1] + _encode((n, at_ms, event))).digest()
        self._chains.append(chain)
        self.items.append(FeedItem(Cursor(f"{n}-{chain[:4].hex()}"), n, at_ms, event))
        self.versions.append(version)
        if not self._start and isinstance(event, MatchStarted):
            self._start = n

    def count(self, version: int) -> int:
        """Return how many items there are up to a version."""
        return bisect_right(self.versions, version)

    def cursor(self, count: int) -> Cursor:
        """Return the cursor after *count* items."""
        return self.items[count - 1].cursor if count else START

    def chain(self, count: int) -> bytes:
        """Return the hash over the first *count* items: sha256 over that before, and `[n,at_ms,event]` as compact JSON."""
        return self._chains[count]

    def seat_at(self, count: int, facts: MatchOpened) -> Seat | None:
        """Return whose feed the first *count* items are: None where all viewers have the same."""
        return self.seat if count >= self.first_late(facts) else None

    def first_late(self, facts: MatchOpened) -> int:
        """Return the number of the first item that delayed spectators get late: the start, or what would be next."""
        return 1 if facts.parent is not None else self._start or len(self.items) + 1

    def position(self, cursor: Cursor) -> int:
        """Return after how many items a cursor stands; raise CursorUnknown."""
        number = cursor.partition("-")[0]
        count = int(number) if number.isdecimal() and len(number) < 10 else -1
        if not 0 <= count <= len(self.items) or self.cursor(count) != cursor:
            raise CursorUnknown(cursor)
        return count


class Feeds:
    """The feeds that a process has built, those of *limit* matches: the least recently used are dropped first."""

    def __init__(self, codec: Codec, limit: int) -> None:
        self._codec = codec
        self._feeds: Recent[tuple[MatchId, Seat | None], Feed] = Recent(VIEWERS * limit, WEIGHT_EACH * limit)

    def of(self, match_id: MatchId, loaded: Loaded, seat: Seat | None) -> Feed:
        """Return the feed of a viewer, at least up to the loaded version."""
        key = (match_id, seat)
        feed = self._feeds.get(key)
        if feed is None or feed.history is not loaded.entries:
            feed = Feed(seat, loaded.entries)
        feed.extend(loaded, self._codec)
        self._feeds.put(key, feed, len(feed.items))
        return feed


def last_of_command(loaded: Loaded, codec: Codec, version: int) -> Version:
    """Return the version at which the command that caused *version* was complete: a view never shows half a command.

    It is not beyond what is loaded: who knows a match late knows an opening without the start that came with it.
    """
    while version < loaded.version and not codec.decode(loaded.entries[version - 1])[0].complete:
        version += 1
    return Version(version)
