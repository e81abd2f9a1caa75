"""The rating projector: follows the transparency log, leaf by leaf, and keeps the ratings of each game."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

import structlog

from ...domain.game import GameId
from ..errors import CorruptHistory, NotFound
from ..matches.repository import MatchRepository
from ..ports.ratings import RatingStore, Result, Update
from ..ports.transparency import Leaf, TransparencyStore
from .model import fold, result_of

PORTION = 100
PAUSE_SECONDS = 1.0
"""Pause before looking for new leaves."""

log = structlog.get_logger(__name__)


class RatingProjector:
    """Keeps ratings up with the log. Any number may run: a portion that another process has counted is not written."""

    def __init__(self, store: RatingStore, tree: TransparencyStore, matches: MatchRepository) -> None:
        self._store = store
        self._tree = tree
        self._matches = matches

    async def step(self) -> float:
        """Count the next leaves; return after how many seconds to look again."""
        return 0.0 if await self.portion() else PAUSE_SECONDS

    async def portion(self) -> int:
        """Count the next leaves that are not counted yet; return how many there were."""
        position = await self._store.position()
        leaves = await self._tree.leaves(position, PORTION)
        if leaves:
            updates = [await self._update(game, results) for game, results in (await self._results(leaves)).items()]
            await self._store.write(position, position + len(leaves), updates)
        return len(leaves)

    async def catch_up(self) -> int:
        """Count all leaves that are not counted yet; return how many are counted then."""
        while await self.portion():
            pass
        return await self._store.position()

    async def rebuild(self) -> int:
        """Rebuild all ratings from the log and the matches; return how many leaves are counted."""
        await self._store.reset()
        return await self.catch_up()

    async def _results(self, leaves: Sequence[Leaf]) -> Mapping[GameId, list[Result]]:
        found: defaultdict[GameId, list[Result]] = defaultdict(list)
        for leaf in leaves:
            told = await self._result(leaf)
            if told is not None:
                found[told[0]].append(told[1])
        return found

    async def _result(self, leaf: Leaf) -> tuple[GameId, Result] | None:
        """Return the result that a leaf records, whatever happened to the match later. An unreadable match stops no others."""
        try:
            loaded = await self._matches.current(leaf.match)
        except (CorruptHistory, NotFound) as error:
            log.error("rating a match failed", match=leaf.match, reason=str(error))
            return None
        if loaded.version == leaf.version:
            return result_of(loaded.match, leaf)
        return result_of(self._matches.fold(self._matches.blank().match, loaded.entries[: leaf.version]), leaf)

    async def _update(self, game: GameId, results: Sequence[Result]) -> Update:
        """Return the changes by new results: the scores of their entrants, or all scores of the game if one corrects another."""
        if any(result.corrects for result in results):
            told = [*await self._store.results(game), *results]
            return Update(game=game, results=tuple(results), scores=await asyncio.to_thread(fold, told), before={}, complete=True)
        entrants = sorted({entrant for result in results for entrant in result.entrants})
        before = await self._store.scores(game, entrants)
        scores = fold(results, before)
        return Update(game=game, results=tuple(results), scores=scores, before=before, complete=False)
