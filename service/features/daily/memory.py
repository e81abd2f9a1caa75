"""The deals of the day in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.game import GameId
from ....domain.match import PlayerId
from ...days import Day
from .port import DailyResult, RankedResult


class MemoryDaily:
    """Secrets by day, and results by deal and player."""

    def __init__(self) -> None:
        self._secrets: dict[Day, str] = {}
        self._results: dict[tuple[GameId, Day], dict[PlayerId, DailyResult]] = {}

    async def secret(self, day: Day, fresh: str) -> str:
        """Return a day's secret; the first *fresh* one that was offered for a day stays its secret."""
        return self._secrets.setdefault(day, fresh)

    async def known_secret(self, day: Day) -> str | None:
        """Return a day's secret, None if it has none."""
        return self._secrets.get(day)

    async def note(self, game: GameId, day: Day, result: DailyResult) -> None:
        """Keep a player's first result; later ones change nothing."""
        self._results.setdefault((game, day), {}).setdefault(result.player, result)

    async def result(self, game: GameId, day: Day, player: PlayerId) -> RankedResult | None:
        """Return where a player stands."""
        found = self._results.get((game, day), {}).get(player)
        return self._ranked(game, day, found) if found is not None else None

    async def ranking(self, game: GameId, day: Day, start: int, limit: int) -> Sequence[RankedResult]:
        """Return at most *limit* lines, best first, behind the first *start*."""
        results = self._results.get((game, day), {}).values()
        chosen = sorted(results, key=lambda each: (-each.merit, each.player))[start : start + limit]
        return [self._ranked(game, day, each) for each in chosen]

    async def count(self, game: GameId, day: Day) -> int:
        """Return how many have a result."""
        return len(self._results.get((game, day), {}))

    async def forget(self, player: PlayerId, deals: Sequence[tuple[GameId, Day]]) -> None:
        """Delete a player's results of those deals."""
        for deal in deals:
            self._results.get(deal, {}).pop(player, None)

    def _ranked(self, game: GameId, day: Day, result: DailyResult) -> RankedResult:
        better = sum(each.merit > result.merit for each in self._results[game, day].values())
        return RankedResult(1 + better, result)
