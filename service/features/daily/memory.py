"""The deals of the day in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.game import GameId
from ....domain.match import MatchId, PlayerId
from ...days import Day
from .port import DailyResult, RankedResult


class MemoryDaily:
    """Secrets by day, and results by deal and player."""

    def __init__(self) -> None:
        self._secrets: dict[Day, str] = {}
        self._closed: set[Day] = set()
        self._disqualified: set[tuple[Day, MatchId]] = set()
        self._results: dict[tuple[GameId, Day], dict[PlayerId, DailyResult]] = {}

    async def secret(self, day: Day, fresh: str) -> str:
        return self._secrets.setdefault(day, fresh)

    async def known_secret(self, day: Day) -> str | None:
        return self._secrets.get(day)

    async def close(self, day: Day) -> None:
        self._closed.add(day)

    async def is_closed(self, day: Day) -> bool:
        return day in self._closed

    async def disqualify(self, day: Day, match: MatchId) -> None:
        self._disqualified.add((day, match))

    async def is_disqualified(self, day: Day, match: MatchId) -> bool:
        return (day, match) in self._disqualified

    async def note(self, game: GameId, day: Day, result: DailyResult) -> None:
        self._results.setdefault((game, day), {}).setdefault(result.player, result)

    async def result(self, game: GameId, day: Day, player: PlayerId) -> RankedResult | None:
        found = self._results.get((game, day), {}).get(player)
        return self._rank(game, day, found) if found is not None else None

    async def ranking(self, game: GameId, day: Day, start: int, limit: int) -> Sequence[RankedResult]:
        results = self._results.get((game, day), {}).values()
        chosen = sorted(results, key=lambda each: (-each.merit, each.player))[start : start + limit]
        return [self._rank(game, day, each) for each in chosen]

    async def count(self, game: GameId, day: Day) -> int:
        return len(self._results.get((game, day), {}))

    async def days_of(self, player: PlayerId, games: Sequence[GameId], days: Sequence[Day]) -> set[Day]:
        return {day for day in days if any(player in self._results.get((game, day), {}) for game in games)}

    async def forget(self, player: PlayerId, deals: Sequence[tuple[GameId, Day]]) -> None:
        for deal in deals:
            self._results.get(deal, {}).pop(player, None)

    def _rank(self, game: GameId, day: Day, result: DailyResult) -> RankedResult:
        better = sum(each.merit > result.merit for each in self._results[game, day].values())
        return RankedResult(1 + better, result)
