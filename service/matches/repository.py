"""Matches in memory: loaded from their log, folded, checked against the stored chain, and kept while they are in use.

A loaded match is never changed: new events are folded on a copy. So a caller may keep one across an await.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

from ...domain.game import AnyGame, Event, GameId
from ...domain.match import MatchId
from ...domain.match.state import Match
from ..errors import CorruptHistory, NotFound
from ..ports.events import GENESIS, NO_EVENTS, EventStore, Log, Version, chain_over
from .codec import Codec
from .recent import WEIGHT_EACH, Recent

Seen = TypeVar("Seen")

SLICE = 32
"""How many entries are folded at a time where a request asks for the past: about a tenth of a millisecond."""


class Loads:
    """How many matches were read as a whole, because the process did not have them, for one request: see `loads`."""

    def __init__(self) -> None:
        self.count = 0


loads: ContextVar[Loads | None] = ContextVar("loads", default=None)
"""Where they are counted for the request that is being answered."""


FRESH = 16
"""How many of the last events of a match are kept, so that feeds that are brought up to date soon need not decode them."""


class Loaded:
    """A match at one version; `entries` is the log up to there (shared and append-only, so only read up to `version`).

    `fresh` are the events of its last entries with their times, as far as they need not be decoded.
    """

    __slots__ = ("chain", "entries", "fresh", "match", "version")

    def __init__(
        self,
        match: Match,
        version: Version,
        chain: bytes,
        entries: list[bytes],
        fresh: Sequence[tuple[int, Event]] = (),
    ) -> None:
        self.match = match
        self.version = version
        self.chain = chain
        self.entries = entries
        self.fresh = fresh

    def fact(self, version: int, codec: Codec) -> tuple[int, Event]:
        """Return time and event of the entry of a version; raise CorruptHistory."""
        place = version - self.version + len(self.fresh) - 1
        if place >= 0:
            return self.fresh[place]
        envelope, event = codec.decode(self.entries[version - 1])
        return envelope.time_ms, event


class Advance(NamedTuple):
    """What a successful append has made of a match: the match and the chain after it, its entries, their events and time."""

    match: Match
    chain: bytes
    entries: Sequence[bytes]
    events: Sequence[Event]
    time_ms: int


def _history(before: Loaded, entries: Sequence[bytes]) -> list[bytes]:
    """Return the log of a match with new *entries*: the same list, unless it has other ones in their place.

    A command and a stream that it wakes both bring the match up to date. What is made of the list, such as a feed, would be
    made again if each of them had a list of its own.
    """
    history = before.entries
    version = before.version
    if history[version : version + len(entries)] != list(entries):
        history = history if len(history) == version else history[:version]
        history.extend(entries)
    return history


class MatchRepository:
    """The matches that a process has folded, the least recently used dropped first."""

    def __init__(self, store: EventStore, games: Mapping[GameId, AnyGame], limit: int) -> None:
        self._store = store
        self._games = games
        self._loaded: Recent[MatchId, Loaded] = Recent(limit, WEIGHT_EACH * limit)
        self._running: dict[MatchId, asyncio.Task[Loaded]] = {}
        self._waiting: dict[MatchId, asyncio.Task[Loaded]] = {}
        self._apart = asyncio.Lock()
        self.codec = Codec(games)

    def game(self, game: GameId) -> AnyGame | None:
        """Return a game of this service."""
        return self._games.get(game)

    def blank(self) -> Loaded:
        """Return the match before its first event."""
        return Loaded(Match(self._games), NO_EVENTS, GENESIS, [])

    async def load_cached(self, match_id: MatchId) -> Loaded:
        """Return the match as last seen here, which may be behind the store; raise NotFound."""
        return self._loaded.get(match_id) or await self.load_latest(match_id)

    def peek(self, match_id: MatchId) -> Loaded | None:
        """Return the match as last seen here, if it is still here."""
        return self._loaded.get(match_id)

    async def is_finished(self, match_id: MatchId) -> bool:
        """Return whether a match is over, which its head says even while its archive is unavailable."""
        head = await self._store.head(match_id)
        return head is not None and head.status.finished

    async def load_latest(self, match_id: MatchId) -> Loaded:
        """Return the match as the store has it now; raise NotFound, CorruptHistory.

        Reads only what is new, once for all who ask before the reading begins.
        """
        task = self._waiting.get(match_id)
        if task is None:
            task = asyncio.ensure_future(self._take_turn(match_id))
            task.add_done_callback(_look_at_error)
            self._waiting[match_id] = task
        return await asyncio.shield(task)

    async def _take_turn(self, match_id: MatchId) -> Loaded:
        """Read after a read that is under way: it may have begun before an event that a caller already knows of."""
        running = self._running.get(match_id)
        if running is not None:
            await asyncio.wait({running})
        task = self._waiting.pop(match_id)
        self._running[match_id] = task
        try:
            return await self._read(match_id)
        finally:
            if self._running.get(match_id) is task:
                del self._running[match_id]

    async def _read(self, match_id: MatchId) -> Loaded:
        held = self._loaded.get(match_id) or self.blank()
        log = await self._store.load(match_id, held.version)
        if log is None:
            self._loaded.pop(match_id)
            raise NotFound("match")
        fresh = self._follow(held, log)
        if fresh is None and held.version:
            return await self._reread(match_id)
        if fresh is None:
            raise CorruptHistory("the entries do not hash to the stored chain")
        if not held.version and (counted := loads.get()) is not None:
            counted.count += 1
        return self._keep(match_id, held, fresh)

    async def _reread(self, match_id: MatchId) -> Loaded:
        """Start over: the store has another history than the one that was known here."""
        self._loaded.pop(match_id)
        return await self._read(match_id)

    def _follow(self, held: Loaded, log: Log) -> Loaded | None:
        """Return the match at the log's head, None if the log does not continue what was held."""
        if held.version + len(log.entries) != log.head.version:
            return None
        chain = chain_over(held.chain, log.entries)
        if chain != log.head.chain:
            return None
        if not log.entries:
            return held
        return Loaded(self.fold(held.match, log.entries), log.head.version, chain, _history(held, log.entries))

    async def origin(self, match_id: MatchId, loaded: Loaded) -> tuple[MatchId, Loaded]:
        """Return what a branch of *match_id* refers to: the match, or its own origin while it is stored as a branch."""
        origin = await self._store.origin(match_id) if loaded.match.branched is not None else None
        return (match_id, loaded) if origin is None else (origin, await self.load_latest(origin))

    def fold(self, match: Match, entries: Sequence[bytes]) -> Match:
        """Return the match after *entries*, without changing the given one."""
        after = match.copy()
        for entry in entries:
            after.fold(self.codec.decode(entry)[1])
        return after

    async def fold_apart(self, entries: Sequence[bytes]) -> Match:
        """Return the match after its first *entries*: in slices, so that other requests go on beside it."""
        after = self.blank().match
        async with self._apart:
            for start in range(0, len(entries), SLICE):
                for entry in entries[start : start + SLICE]:
                    after.fold(self.codec.decode(entry)[1])
                await asyncio.sleep(0)
        return after

    async def fold_along(
        self, entries: Sequence[bytes], versions: Sequence[int], see: Callable[[Match, int], Seen]
    ) -> list[Seen]:
        """Return what *see* makes of the match at each of these ascending versions of its log, folded once, in slices."""
        after = self.blank().match
        found = list[Seen]()
        wanted = frozenset(versions)
        async with self._apart:
            for version, entry in enumerate(entries[: versions[-1] if versions else 0], 1):
                after.fold(self.codec.decode(entry)[1])
                if version in wanted:
                    found.append(see(after, version))
                    after = after.copy()
                if version % SLICE == 0:
                    await asyncio.sleep(0)
        return found

    def advance(self, match_id: MatchId, before: Loaded, made: Advance) -> Loaded:
        """Keep what a successful append made, unless something newer is already here."""
        version = Version(before.version + len(made.entries))
        history = _history(before, made.entries)
        fresh = [*before.fresh, *[(made.time_ms, event) for event in made.events]][-FRESH:]
        return self._keep(match_id, before, Loaded(made.match, version, made.chain, history, fresh))

    def _keep(self, match_id: MatchId, before: Loaded, fresh: Loaded) -> Loaded:
        held = self._loaded.get(match_id)
        if held is None or held is before or held.version < fresh.version:
            self._loaded.put(match_id, fresh, fresh.version)
        else:
            self._loaded.use(match_id)
        return fresh


def _look_at_error(task: asyncio.Task[Loaded]) -> None:
    """Retrieve the error of a read that no caller waits for any more, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()
