"""What follows the opening and the end of a match, in small portions, by the process that claims it from the agenda.

A match is on the agenda of openings until all who follow them have had it. A finished match is on the agenda from the append that
ended it until the step that archives it. So nothing is forgotten, and interrupted work is offered again when its lease expires.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import TypeAlias

import msgspec
import structlog

from ...domain.match import MatchId
from ...domain.match.events import DealOfDay, MatchExpired, MatchOpened
from ..errors import ArchiveUnavailable, CorruptHistory, NotFound, VersionConflict
from ..matches.codec import Codec
from ..matches.spectator_delay import Lateness, delay_of, lateness_of
from ..ports.agenda import AgendaKind
from ..ports.events import GENESIS, SHARDS, Head, Log, Shard, chain_over
from ..ports.stores import Stores
from ..runtime.outage import Outage
from ..settings import Settings
from .archiver import Archived, Archiver

PORTION = 20
LOOK_MS = 4_000
PAUSE_MS = 50
"""Pause between two portions, so that they never delay anything else."""
LEASE_MS = 30_000
OPENINGS = 100
OPENING_LEASE_MS = 10_000
"""After which time the openings of a process that died are offered again."""
REST_MS = 3_600_000
"""How long a match with a corrupt log is left alone before a retry."""
HEADS_AT_ONCE = 500
FACTS = 3
"""Among how many first entries a match says of which day it is the deal."""
SWEEP_MS = 60_000
"""How often the leftovers of one shard are deleted."""

log = structlog.get_logger(__name__)


class StoredMatch(msgspec.Struct, frozen=True):
    """A match with its whole log, and when what it says becomes public."""

    match: MatchId
    log: Log
    late: Lateness


Follow: TypeAlias = Callable[[Sequence[StoredMatch]], Awaitable[Mapping[MatchId, int]]]
"""Does what it has to do with some matches, any number of times; returns those that it wants again, and when (Unix milliseconds).

It raises nothing on account of one of them: the others would have to wait for that one."""


class Finalizer:
    """Archives what has been over for long enough, after all who follow openings and ends have had it."""

    def __init__(self, stores: Stores, codec: Codec, settings: Settings, now_ms: Callable[[], int]) -> None:
        self._stores = stores
        self._codec = codec
        self._grace_ms = 1000 * settings.archive_after_seconds
        self._now_ms = now_ms
        self._first: list[Callable[[], Awaitable[None]]] = []
        self._follow_openings: list[Follow] = []
        self._follow_ends: list[Follow] = []
        self._outage = Outage("store of archives")
        self._sweep_ms = 0
        self._shard = 0
        self.archiver = Archiver(stores.archives, stores.blobs)

    def begin_with(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Have *begin* called once in this process, before anything is handed on; as long as it raises, nothing is."""
        self._first.append(begin)

    def on_opened(self, follow: Follow) -> None:
        """Have *follow* called with each match that was opened, until it does not want it again."""
        self._follow_openings.append(follow)

    def on_over(self, follow: Follow) -> None:
        """Have *follow* called with each finished or corrected match: it is not archived as long as *follow* wants it again."""
        self._follow_ends.append(follow)

    async def step(self, shards: Collection[Shard] | None = None) -> float:
        """Process a few due matches of those shards (None: of all); return after how many seconds to look again."""
        while self._first:
            await self._first[0]()
            del self._first[0]
        left_ms = min(await self.openings(shards), await self.portion(shards))
        await self._sweep()
        return max(left_ms, PAUSE_MS) / 1000

    async def openings(self, shards: Collection[Shard] | None = None) -> int:
        """Hand on some matches that were opened; return after how many milliseconds more may be due, 0 if more are."""
        agenda = self._stores.agenda
        claims = await agenda.claim(AgendaKind.OPENING, self._now_ms(), OPENING_LEASE_MS, OPENINGS, shards)
        opened = [each for match_id, _ in claims.due if (each := await self._load_opened(match_id)) is not None]
        again = await _ask(self._follow_openings, opened)
        for each in opened:
            if each.match in again:
                await agenda.postpone(AgendaKind.OPENING, each.match, again[each.match])
            else:
                await agenda.remove(AgendaKind.OPENING, each.match)
        return self._left_ms(claims.next_ms)

    async def _load_opened(self, match_id: MatchId) -> StoredMatch | None:
        """Return a match that was opened, which everyone may know at once unless it is a rematch; None if it cannot be read."""
        try:
            found, opened = await self._load(match_id)
        except (ArchiveUnavailable, CorruptHistory, NotFound) as error:
            log.error("reading an opening failed", match=match_id, reason=str(error))
            await self._stores.agenda.postpone(AgendaKind.OPENING, match_id, self._now_ms() + REST_MS)
            return None
        return StoredMatch(match_id, found, Lateness(delay_of(opened.settings) if opened.parent is not None else 0))

    async def portion(self, shards: Collection[Shard] | None = None) -> int:
        """Process a few due matches; return after how many milliseconds more may be due, 0 if more are."""
        claims = await self._stores.agenda.claim(AgendaKind.CARE, self._now_ms(), LEASE_MS, PORTION, shards)
        finished = [each for match_id, _ in claims.due if (each := await self._load_finished(match_id)) is not None]
        again = await _ask(self._follow_ends, finished)
        for match_id, at_ms in again.items():
            await self._stores.agenda.postpone(AgendaKind.CARE, match_id, at_ms)
        tended = await asyncio.gather(*(self._tend(each) for each in finished if each.match not in again), return_exceptions=True)
        for failure in tended:
            if failure is not None:
                raise failure
        return self._left_ms(claims.next_ms)

    def _left_ms(self, next_ms: int | None) -> int:
        left = LOOK_MS if next_ms is None else next_ms - self._now_ms()
        return max(0, min(LOOK_MS, left))

    async def _sweep(self) -> None:
        """Delete the leftovers of the next shard, if it is time."""
        if self._now_ms() - self._sweep_ms < SWEEP_MS:
            return
        self._sweep_ms = self._now_ms()
        try:
            await self.archiver.sweep(Shard(self._shard))
        except ArchiveUnavailable as error:
            self._outage.note(error)
        self._shard = (self._shard + 1) % SHARDS

    async def _load_finished(self, match_id: MatchId) -> StoredMatch | None:
        """Return a finished match; None if it cannot be read, which does not stop the others."""
        try:
            return await self._load_stored(match_id)
        except ArchiveUnavailable as error:
            self._outage.note(error)  # it stays on the agenda, and comes again when its lease has expired
        except (CorruptHistory, NotFound) as error:
            await self._give_rest(match_id, error)
        return None

    async def _load_stored(self, match_id: MatchId) -> StoredMatch:
        """Return a match whose entries hash to its chain; raise NotFound, CorruptHistory, ArchiveUnavailable."""
        found, opened = await self._load(match_id)
        if chain_over(GENESIS, found.entries) != found.head.chain:
            raise CorruptHistory("the entries do not hash to the stored chain")
        facts = [self._codec.decode(entry)[1] for entry in found.entries[1:FACTS]]
        daily = next((fact for fact in facts if isinstance(fact, DealOfDay)), None)
        return StoredMatch(match_id, found, lateness_of(opened.settings, daily))

    async def _load(self, match_id: MatchId) -> tuple[Log, MatchOpened]:
        """Return the log of a match and what opened it; raise NotFound, CorruptHistory, ArchiveUnavailable."""
        found = await self._stores.events.load(match_id)
        if found is None or not found.entries:
            raise NotFound("match")
        opened = self._codec.decode(found.entries[0])[1]
        if not isinstance(opened, MatchOpened):
            raise CorruptHistory("the first entry is no opening")
        return found, opened

    async def _tend(self, found: StoredMatch) -> None:
        match_id = found.match
        try:
            due_ms = self._due_ms(found)
            if due_ms > self._now_ms():
                await self._stores.agenda.postpone(AgendaKind.CARE, match_id, due_ms)
            else:
                await self.archiver.archive(match_id, found.log.head.version)
                self._outage.over()
        except ArchiveUnavailable as error:
            self._outage.note(error)  # it stays on the agenda, and comes again when its lease has expired
        except VersionConflict:
            log.info("archiving skipped: match changed meanwhile", match=match_id)  # it stays on the agenda in either case
        except (CorruptHistory, NotFound) as error:
            await self._give_rest(match_id, error)

    async def _give_rest(self, match_id: MatchId, error: Exception) -> None:
        log.error("archiving failed", match=match_id, reason=str(error))
        await self._stores.agenda.postpone(AgendaKind.CARE, match_id, self._now_ms() + REST_MS)

    def _due_ms(self, found: StoredMatch) -> int:
        """Return from when on a finished match may be archived: some time after its newest event.

        One that ended because it was no longer needed is archived at once: else copies for practice would pile up for that time.
        """
        last = [self._codec.decode(entry) for entry in found.log.entries[-2:]]
        expired = any(isinstance(event, MatchExpired) for _, event in last)
        ended_ms = last[-1][0].time_ms
        return max(ended_ms + (0 if expired else self._grace_ms), found.late.public_ms(ended_ms))

    async def due(self) -> AsyncIterator[MatchId]:
        """Yield all matches that are due to be archived, or archived elsewhere than new ones are, from all stored ones."""
        for number in range(SHARDS):
            matches = await self._stores.events.matches(Shard(number))
            for start in range(0, len(matches), HEADS_AT_ONCE):
                for match_id in await self._waiting(matches[start : start + HEADS_AT_ONCE]):
                    if self._due_ms(await self._load_stored(match_id)) <= self._now_ms():
                        yield match_id

    async def _waiting(self, matches: Sequence[MatchId]) -> list[MatchId]:
        heads = await self._stores.archives.heads(matches)
        return [match_id for match_id, head in zip(matches, heads, strict=True) if head is not None and self._waits(head)]

    def _waits(self, head: Head) -> bool:
        return head.status.finished and not self.archiver.in_place(head)

    async def archive(self, match_id: MatchId) -> Archived:
        """Archive a due match now, after all who follow ends have had it, as one that everyone may know.

        Raises NotFound, VersionConflict if it has continued meanwhile, and CorruptHistory; it may be wanted again.
        """
        found = await self._load_stored(match_id)
        if await _ask(self._follow_ends, [msgspec.structs.replace(found, late=Lateness(0))]):
            raise CorruptHistory(f"not all that follows from the end of {match_id} could be done")
        return await self.archiver.archive(match_id, found.log.head.version)

    async def restore(self, match_id: MatchId) -> bool:
        """Put one match back into its log, for as long as a match that has just ended; False if it is not archived."""
        return await self.archiver.restore(match_id, self._now_ms() + self._grace_ms)


async def _ask(all_follow: Sequence[Follow], matches: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
    """Let all follow some matches; return those that one of them wants again, and when at the earliest."""
    again: dict[MatchId, int] = {}
    for follow in all_follow if matches else ():
        for match_id, at_ms in (await follow(matches)).items():
            again[match_id] = min(at_ms, again.get(match_id, at_ms))
    return again
