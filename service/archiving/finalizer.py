"""What follows the end of a match, in small portions, by the process that claims it from the agenda.

A finished match is on the agenda from the append that ended it until the step that archives it. So nothing is
forgotten, and interrupted work is offered again when its lease expires.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence

import structlog

from ...domain.match import MatchId
from ...domain.match.events import DealOfDay, MatchExpired, MatchOpened
from ..errors import ArchiveUnavailable, CorruptHistory, NotFound, VersionConflict
from ..matches.codec import Codec
from ..matches.spectator_delay import Lateness, delay_of, lateness_of
from ..ports.agenda import AgendaKind
from ..ports.events import GENESIS, SHARDS, Head, Log, Shard, chain_over
from ..ports.stores import Stores
from ..ports.transparency import Leaf
from ..runtime.outage import Outage
from ..settings import Settings
from ..transparency.checks import leaves_of, opening_of
from ..transparency.log import TransparencyLog
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


class Finalizer:
    """Enters finished matches into the transparency log, and archives what has been over for long enough.

    *on_over* is called with each finished match that is the deal of a day; it may be called again.
    """

    def __init__(
        self,
        stores: Stores,
        transparency_log: TransparencyLog,
        codec: Codec,
        settings: Settings,
        now_ms: Callable[[], int],
        on_over: Callable[[MatchId], Awaitable[None]] | None = None,
    ) -> None:
        self._stores = stores
        self._transparency_log = transparency_log
        self._codec = codec
        self._grace_ms = 1000 * settings.archive_after_seconds
        self._now_ms = now_ms
        self._on_over = on_over
        self._outage = Outage("store of archives")
        self._sweep_ms = 0
        self._shard = 0
        self._key_noted = False
        self.archiver = Archiver(stores.archives, stores.blobs)

    async def step(self, shards: Collection[Shard] | None = None) -> float:
        """Process a few due matches of those shards (None: of all); return after how many seconds to look again."""
        if not self._key_noted:
            await self._transparency_log.claim_key()
            self._key_noted = True
        left_ms = min(await self.openings(shards), await self.portion(shards))
        await self._sweep()
        return max(left_ms, PAUSE_MS) / 1000

    async def openings(self, shards: Collection[Shard] | None = None) -> int:
        """Enter some openings into the transparency log; return after how many milliseconds more may be due, 0 if more are.

        An opening that delayed spectators may not know yet has to wait.
        """
        agenda, now_ms = self._stores.agenda, self._now_ms()
        claims = await agenda.claim(AgendaKind.OPENING, now_ms, OPENING_LEASE_MS, OPENINGS, shards)
        due: dict[MatchId, Leaf] = {}
        for match, _ in claims.due:
            try:
                leaf, public_ms = await self._opening(match)
            except (ArchiveUnavailable, CorruptHistory, NotFound) as error:
                log.error("transparency log: adding an opening failed", match=match, reason=str(error))
                await agenda.postpone(AgendaKind.OPENING, match, now_ms + REST_MS)
                continue
            if public_ms <= now_ms:
                due[match] = leaf
            else:
                await agenda.postpone(AgendaKind.OPENING, match, public_ms)
        if due:
            await self._transparency_log.add(list(due.values()))
        for match in due:
            await agenda.remove(AgendaKind.OPENING, match)
        left = LOOK_MS if claims.next_ms is None else claims.next_ms - self._now_ms()
        return max(0, min(LOOK_MS, left))

    async def _opening(self, match: MatchId) -> tuple[Leaf, int]:
        """Return the leaf of a match's opening, and from when on everyone may know of it."""
        found = await self._stores.events.load(match)
        opened = self._codec.decode(found.entries[0])[1] if found is not None else None
        if not isinstance(opened, MatchOpened):
            raise NotFound("match")
        delay_ms = delay_of(opened.settings) if opened.parent is not None else 0
        return opening_of(match, opened), opened.at_ms + delay_ms

    async def portion(self, shards: Collection[Shard] | None = None) -> int:
        """Process a few due matches; return after how many milliseconds more may be due, 0 if more are."""
        claims = await self._stores.agenda.claim(AgendaKind.CARE, self._now_ms(), LEASE_MS, PORTION, shards)
        matches = [match for match, _ in claims.due]
        waiting = await self._enter(matches)
        for match, until_ms in waiting.items():
            await self._stores.agenda.postpone(AgendaKind.CARE, match, until_ms)
        tended = await asyncio.gather(*(self._tend(match) for match in matches if match not in waiting), return_exceptions=True)
        for failure in tended:
            if failure is not None:
                raise failure
        left = LOOK_MS if claims.next_ms is None else claims.next_ms - self._now_ms()
        return max(0, min(LOOK_MS, left))

    async def _sweep(self) -> None:
        """Delete the leftovers of the next shard, if it is time."""
        if self._now_ms() - self._sweep_ms < SWEEP_MS:
            return
        self._sweep_ms = self._now_ms()
        try:
            await self.archiver.sweep(Shard(self._shard))
        except ArchiveUnavailable as error:
            self._outage.met(error)
        self._shard = (self._shard + 1) % SHARDS

    async def _enter(self, matches: Sequence[MatchId]) -> Mapping[MatchId, int]:
        """Enter matches into the transparency log, together; return those with more to enter, and from when on.

        What delayed spectators may not know yet has to wait. A match that cannot be read does not stop the others.
        """
        ripe: list[Leaf] = []
        waiting: dict[MatchId, int] = {}
        for match in matches:
            try:
                leaves, late = await self._leaves(match)
                if late.sealed_until_ms and self._on_over is not None:
                    await self._on_over(match)
            except ArchiveUnavailable as error:
                self._outage.met(error)
                continue
            except (CorruptHistory, NotFound) as error:
                log.error("transparency log: adding a match failed", match=match, reason=str(error))
                continue
            known = [leaf for leaf in leaves if late.public_ms(leaf.time_ms) <= self._now_ms()]
            ripe += known
            if len(known) < len(leaves):
                waiting[match] = late.public_ms(leaves[len(known)].time_ms)
        if ripe:
            await self._transparency_log.add(ripe)
        return waiting

    async def _leaves(self, match: MatchId) -> tuple[list[Leaf], Lateness]:
        """Return all leaves of a match, and when each becomes public."""
        found = await self._stores.events.load(match)
        if found is None:
            raise NotFound("match")
        leaves = list(leaves_of(match, found.entries, self._codec))
        if chain_over(GENESIS, found.entries) != found.head.chain:
            raise CorruptHistory("the entries do not hash to the stored chain")
        return leaves, self._lateness_of(found)

    def _lateness_of(self, found: Log) -> Lateness:
        opened, *facts = [self._codec.decode(entry)[1] for entry in found.entries[:FACTS]]
        daily = next((fact for fact in facts if isinstance(fact, DealOfDay)), None)
        return lateness_of(opened.settings, daily) if isinstance(opened, MatchOpened) else Lateness(0)

    async def _tend(self, match: MatchId) -> None:
        try:
            ripe_ms = await self.ripe_ms(match)
            if ripe_ms > self._now_ms():
                await self._stores.agenda.postpone(AgendaKind.CARE, match, ripe_ms)
            else:
                await self.archiver.archive(match)
                self._outage.over()
        except ArchiveUnavailable as error:
            self._outage.met(error)  # it stays on the agenda, and comes again when its lease has expired
        except VersionConflict:
            log.info("archiving skipped: match changed meanwhile", match=match)  # it stays on the agenda in either case
        except (CorruptHistory, NotFound) as error:
            log.error("archiving failed", match=match, reason=str(error))
            await self._stores.agenda.postpone(AgendaKind.CARE, match, self._now_ms() + REST_MS)

    async def ripe_ms(self, match: MatchId) -> int:
        """Return from when on a finished match may be archived: some time after its newest event. Raises NotFound.

        One that ended because it was no longer needed is archived at once: else copies for practice would pile up for that time.
        """
        found = await self._stores.events.load(match)
        if found is None or not found.entries:
            raise NotFound("match")
        last = [self._codec.decode(entry) for entry in found.entries[-2:]]
        expired = any(isinstance(event, MatchExpired) for _, event in last)
        ended_ms = last[-1][0].time_ms
        return max(ended_ms + (0 if expired else self._grace_ms), self._lateness_of(found).public_ms(ended_ms))

    async def ripe(self) -> AsyncIterator[MatchId]:
        """Yield all matches that are due to be archived, or archived elsewhere than new ones are, from all stored ones."""
        for number in range(SHARDS):
            matches = await self._stores.events.matches(Shard(number))
            for start in range(0, len(matches), HEADS_AT_ONCE):
                for match in await self._waiting(matches[start : start + HEADS_AT_ONCE]):
                    if await self.ripe_ms(match) <= self._now_ms():
                        yield match

    async def _waiting(self, matches: Sequence[MatchId]) -> list[MatchId]:
        heads = await self._stores.archives.heads(matches)
        return [match for match, head in zip(matches, heads, strict=True) if head is not None and self._waits(head)]

    def _waits(self, head: Head) -> bool:
        return head.status.finished and not self.archiver.in_place(head)

    async def archive(self, match: MatchId) -> Archived:
        """Archive a due match now: add its leaves, then archive it. Raises NotFound, VersionConflict, CorruptHistory."""
        leaves, _ = await self._leaves(match)
        await self._transparency_log.add(leaves)
        return await self.archiver.archive(match)

    async def restore(self, match: MatchId) -> bool:
        """Put one match back into its log, for as long as a match that has just ended; False if it is not archived."""
        return await self.archiver.restore(match, self._now_ms() + self._grace_ms)
