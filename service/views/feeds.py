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
from .viewers import Seating

Cursor = NewType("Cursor", str)
START = Cursor("0-00000000")
LOGGED_EACH = WEIGHT_EACH
"""How many entries of logs the kept tails may hold on to, for each cached match, if VIEWERS hold each log; else up to four times
as many."""
VIEWERS = 4
"""How many feeds are kept for each cached match."""
TAIL = 16
"""How many of its last items stay of a feed that is dropped: a command, and a stream that follows it, need no others.

A tail is cut when it has twice as many.
"""
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
    up to the start all feeds are the same, and count as the spectators' (None). `seating`: who sits there now.
    """

    items: tuple[FeedItem, ...]
    cursor: Cursor
    seat: Seat | None
    n: int
    chain: bytes
    more: bool
    ended: bool
    seating: Seating


class Feed:
    """The items of one viewer of one match, up to a version; extended as the match goes on.

    A tail has only the last of them: the first *skipped*, up to the version *since*, are not in its `items` and `versions`.
    """

    def __init__(self, seat: Seat | None, history: list[bytes]) -> None:
        self.seat = seat
        self.history = history
        self.version = 0
        self.skipped = 0
        self.since = 0
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
        n = self._length + 1
        chain = sha256(self._chains[-1] + _encode((n, at_ms, event))).digest()
        self._chains.append(chain)
        self.items.append(FeedItem(Cursor(f"{n}-{chain[:4].hex()}"), n, at_ms, event))
        self.versions.append(version)
        if not self._start and isinstance(event, MatchStarted):
            self._start = n

    def tail(self) -> Feed:
        """Return the feed with its last items only: itself, if it has few."""
        cut = len(self.items) - TAIL
        if cut <= TAIL:
            return self
        tail = Feed(self.seat, self.history)
        tail.version = self.version
        tail.skipped = self.skipped + cut
        tail.since = self.versions[cut - 1]
        tail.items, tail.versions = self.items[cut:], self.versions[cut:]
        tail._chains = self._chains[cut:]
        tail._start = self._start
        return tail

    @property
    def _length(self) -> int:
        return self.skipped + len(self.items)

    def count(self, version: int) -> int:
        """Return how many items there are up to a version, of a tail not before its beginning."""
        return self.skipped + bisect_right(self.versions, version)

    def between(self, start: int, end: int) -> tuple[FeedItem, ...]:
        """Return the items behind the first *start* up to the first *end*, of a tail not before its beginning."""
        return tuple(self.items[start - self.skipped : end - self.skipped])

    def cursor(self, count: int) -> Cursor:
        """Return the cursor after *count* items."""
        return Cursor(f"{count}-{self.chain(count)[:4].hex()}") if count else START

    def chain(self, count: int) -> bytes:
        """Return the hash over the first *count* items: sha256 over that before, and `[n,at_ms,event]` as compact JSON."""
        return self._chains[count - self.skipped] if count else GENESIS

    def seat_at(self, count: int, facts: MatchOpened) -> Seat | None:
        """Return whose feed the first *count* items are: None where all viewers have the same."""
        return self.seat if count >= self.first_late(facts) else None

    def first_late(self, facts: MatchOpened) -> int:
        """Return the number of the first item that delayed spectators get late: the start, or what would be next."""
        return 1 if facts.parent is not None else self._start or self._length + 1

    def position(self, cursor: Cursor) -> int:
        """Return after how many items a cursor stands; raise CursorUnknown."""
        count = number(cursor)
        if not self.skipped <= count <= self._length or self.cursor(count) != cursor:
            raise CursorUnknown(cursor)
        return count


class Feeds:
    """The feeds that a process has built, those of *limit* matches: of the least recently used only tails are kept.

    So what a command costs does not grow with its match where more is played than whole feeds are kept of.
    """

    def __init__(self, codec: Codec, limit: int) -> None:
        self._codec = codec
        self._feeds: Recent[tuple[MatchId, Seat | None], Feed] = Recent(VIEWERS * limit, WEIGHT_EACH * limit)
        self._tails: Recent[tuple[MatchId, Seat | None], Feed] = Recent(VIEWERS * limit, LOGGED_EACH * limit)

    def of(self, match_id: MatchId, loaded: Loaded, seat: Seat | None, *, version: int = 0, n: int = 0) -> Feed:
        """Return the feed of a viewer, at least up to the loaded version.

        It may be a tail for a caller that needs only the items after a *version*, or only those after the first *n*.
        """
        key = (match_id, seat)
        if (feed := _of_history(self._feeds.get(key), loaded)) is None:
            tail = _of_history(self._tails.get(key), loaded)
            if tail is not None and tail.since <= loaded.version and (tail.since <= version or tail.skipped <= n):
                tail.extend(loaded, self._codec)
                self._feeds.pop(key)  # it is of another history, and would take the place of the tail when it is dropped
                self._keep_tail(key, tail)
                return tail
            feed = Feed(seat, loaded.entries)
        feed.extend(loaded, self._codec)
        self._tails.pop(key)
        for dropped, each in self._feeds.put(key, feed, len(feed.items)):
            self._keep_tail(dropped, each)
        return feed

    def _keep_tail(self, key: tuple[MatchId, Seat | None], feed: Feed) -> None:
        """Keep a tail. It holds its match's whole log, which may be dropped elsewhere: each viewer's tail weighs a part of it."""
        tail = feed.tail()
        self._tails.put(key, tail, len(tail.items) + len(tail.history) // VIEWERS)


def _of_history(feed: Feed | None, loaded: Loaded) -> Feed | None:
    """Return a feed if it is one of the same history."""
    return feed if feed is not None and feed.history is loaded.entries else None


def number(cursor: Cursor) -> int:
    """Return after how many items a cursor says that it stands, -1 if it is malformed."""
    count = cursor.partition("-")[0]
    return int(count) if count.isdecimal() and len(count) < 10 else -1


def last_of_command(loaded: Loaded, codec: Codec, version: int) -> Version:
    """Return the version at which the command that caused *version* was complete: a view never shows half a command.

    It is not beyond what is loaded: who knows a match late knows an opening without the start that came with it.
    """
    while version < loaded.version and not codec.decode(loaded.entries[version - 1])[0].complete:
        version += 1
    return Version(version)
