"""The puzzles of the day in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.game import GameId
from ....domain.match import PlayerId
from ...days import Day
from .port import POOLED, Candidate, Chosen, Solution, Tally, first_kept


class MemoryPuzzles:
    """Candidates by game, choices by day, answers by player."""

    def __init__(self) -> None:
        self._pool: dict[GameId, dict[Candidate, float]] = {}
        self._chosen: dict[Day, dict[GameId, Chosen]] = {}
        self._visited: Day | None = None
        self._answers: dict[PlayerId, dict[tuple[Day, GameId], Solution]] = {}

    async def offer(self, game: GameId, candidate: Candidate, margin: float) -> None:
        pool = self._pool.setdefault(game, {})
        pool[candidate] = margin
        for each in (await self.candidates(game))[POOLED:]:
            del pool[each]

    async def candidates(self, game: GameId) -> Sequence[Candidate]:
        pool = self._pool.get(game, {})
        return sorted(pool, key=lambda each: -pool[each])

    async def take(self, game: GameId, candidate: Candidate) -> float | None:
        return self._pool.get(game, {}).pop(candidate, None)

    async def choose(self, game: GameId, day: Day, candidate: Candidate) -> Chosen:
        for old in [each for each in self._chosen if each < first_kept(day)]:
            del self._chosen[old]
        return self._chosen.setdefault(day, {}).setdefault(game, Chosen(candidate))

    async def note_visit(self, day: Day) -> None:
        self._visited = day

    async def is_visited(self, day: Day) -> bool:
        return self._visited == day

    async def withdraw(self, game: GameId, day: Day) -> None:
        if (found := self._chosen.get(day, {}).get(game)) is not None:
            self._chosen[day][game] = Chosen(found.candidate, withdrawn=True)

    async def choices(self, day: Day) -> Mapping[GameId, Chosen]:
        return dict(self._chosen.get(day, {}))

    async def answer(self, game: GameId, day: Day, player: PlayerId, solution: Solution) -> Solution:
        kept = ((each, self._later(answers, day)) for each, answers in self._answers.items())
        self._answers = {each: answers for each, answers in kept if answers}
        return self._answers.setdefault(player, {}).setdefault((day, game), solution)

    @staticmethod
    def _later(answers: Mapping[tuple[Day, GameId], Solution], day: Day) -> dict[tuple[Day, GameId], Solution]:
        return {each: solution for each, solution in answers.items() if each[0] >= first_kept(day)}

    async def answers(self, player: PlayerId) -> Mapping[tuple[Day, GameId], Solution]:
        return dict(self._answers.get(player, {}))

    async def tally(self, game: GameId, day: Day) -> Tally:
        found = [each[day, game] for each in self._answers.values() if (day, game) in each]
        return Tally(len(found), sum(each.right for each in found))

    async def forget(self, player: PlayerId) -> None:
        self._answers.pop(player, None)
