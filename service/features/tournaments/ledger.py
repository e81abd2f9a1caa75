"""Tournaments as they stand: read from their facts, and changed by adding some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from ...errors import NotFound, StoreUnavailable
from ...matches.recent import Recent
from .events import AnyFact, decode, encode
from .port import TournamentId, TournamentStore
from .rules import Tournament, folded

CACHED = 200
HEAVIEST = 50_000
"""How many tournaments a process keeps, and how many facts they have at most together."""
TRIES = 20

Decide = Callable[[Tournament], Sequence[AnyFact]]
"""Returns what follows; may raise, and then nothing is written. Called again if another writer was first."""
Before = Callable[[Tournament, Sequence[AnyFact]], Awaitable[None]]
"""Called with what follows from what, each time that it is about to be written; may raise, too."""


class Contended(StoreUnavailable):
    """Others were first each time: nothing was written."""


class Kept(msgspec.Struct, frozen=True):
    """A tournament, and the number of facts that it was read from."""

    version: int
    state: Tournament


class Ledger:
    """Reads and writes the facts of tournaments."""

    def __init__(self, store: TournamentStore) -> None:
        self._store = store
        self._known: Recent[TournamentId, Kept] = Recent(CACHED, HEAVIEST)

    async def find(self, tournament: TournamentId) -> Kept | None:
        """Return a tournament as it is now; None if there is none (any more)."""
        known = self._known.get(tournament)
        facts = await self._store.read(tournament, known.version if known is not None else 0)
        if facts is None:
            self._known.pop(tournament)
            return None
        state = folded(map(decode, facts), known.state if known is not None else None)
        if state is None:
            return None
        now = Kept((known.version if known is not None else 0) + len(facts), state)
        self._known.put(tournament, now, now.version)
        return now

    async def get(self, tournament: TournamentId) -> Tournament:
        """Return a tournament as it is now; raise NotFound."""
        if (found := await self.find(tournament)) is None:
            raise NotFound("tournament")
        return found.state

    async def begin(self, tournament: TournamentId, facts: Sequence[AnyFact]) -> Tournament:
        """Write the first facts, unless there are some, and return the tournament as it is then."""
        await self._store.append(tournament, 0, [encode(each) for each in facts])
        return await self.get(tournament)

    async def add(self, tournament: TournamentId, found: Kept, facts: Sequence[AnyFact]) -> bool:
        """Write what follows from a tournament as it was found; return whether no other writer was first.

        Else all of it is read again, as the store may have lost its newest moments.
        """
        written = await self._store.append(tournament, found.version, [encode(each) for each in facts])
        if not written:
            self._known.pop(tournament)
        return written

    async def change(self, tournament: TournamentId, decide: Decide, before: Before | None = None) -> tuple[Tournament, bool]:
        """Write what follows, and return the tournament after it, and whether anything did; raise NotFound, Contended."""
        for _ in range(TRIES):
            if (found := await self.find(tournament)) is None:
                raise NotFound("tournament")
            facts = decide(found.state)
            if not facts:
                return found.state, False
            if before is not None:
                await before(found.state, facts)
            if await self.add(tournament, found, facts):
                return await self.get(tournament), True
        raise Contended("others keep changing this tournament")
