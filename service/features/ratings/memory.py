"""Ratings in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ....domain.game import GameId
from ...strength.scores import Entrant, LeaderboardEntry, Result, Score
from .port import KEPT_POINTS, LeaderboardKind, Point, Update, kind_of


class MemoryRatings:
    """The ratings; a leaderboard is sorted on request."""

    def __init__(self) -> None:
        self._position = 0
        self._results: defaultdict[GameId, list[Result]] = defaultdict(list)
        self._scores: defaultdict[GameId, dict[Entrant, Score]] = defaultdict(dict)
        self._points: defaultdict[GameId, dict[Entrant, Sequence[Point]]] = defaultdict(dict)

    async def position(self) -> int:
        return self._position

    async def results(self, game: GameId) -> Sequence[Result]:
        return list(self._results[game])

    async def scores(self, game: GameId, entrants: Sequence[Entrant]) -> Mapping[Entrant, Score]:
        known = self._scores[game]
        return {entrant: known[entrant] for entrant in entrants if entrant in known}

    async def write(self, old: int, new: int, updates: Sequence[Update]) -> bool:
        if self._position != old:
            return False
        self._position = new
        for update in updates:
            self._results[update.game].extend(update.results)
            self._scores[update.game] = {**({} if update.complete else self._scores[update.game]), **update.scores}
            known = {} if update.complete else self._points[update.game]
            self._points[update.game] = {
                **known,
                **{entrant: [*known.get(entrant, ()), *points][-KEPT_POINTS:] for entrant, points in update.points.items()},
            }
        return True

    async def reset(self) -> None:
        self._position = 0
        self._results.clear()
        self._scores.clear()
        self._points.clear()

    async def board(
        self, game: GameId, below: tuple[int, Entrant] | None, limit: int, kind: LeaderboardKind | None = None
    ) -> Sequence[LeaderboardEntry]:
        found = [each for each in self._board(game, kind) if below is None or (each.score.points, each.entrant) < below]
        return found[:limit]

    async def standings(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, LeaderboardEntry]:
        return {game: each for game in games for each in self._board(game) if each.entrant == entrant}

    async def histories(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, Sequence[Point]]:
        return {game: self._points[game][entrant] for game in games if entrant in self._points[game]}

    def _board(self, game: GameId, kind: LeaderboardKind | None = None) -> list[LeaderboardEntry]:
        known = [each for each in self._scores[game].items() if kind is None or kind_of(*each) is kind]
        ranked = sorted(known, key=lambda each: (each[1].points, each[0]), reverse=True)
        return [LeaderboardEntry(place, entrant, score) for place, (entrant, score) in enumerate(ranked, start=1)]
