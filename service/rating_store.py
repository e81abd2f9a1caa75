"""What ratings need of a store: small tables per game that follow the transparency log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from ..domain.game import GameId
from .ratings import Entrant, Result, Score


class Standing(msgspec.Struct, frozen=True):
    """A place in a game's leaderboard, from 1."""

    place: int
    entrant: Entrant
    score: Score


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What changes in one game: results to keep, and scores. `before`: the scores that those replace; `anew`: all are given."""

    game: GameId
    results: tuple[Result, ...]
    scores: Mapping[Entrant, Score]
    before: Mapping[Entrant, Score]
    anew: bool


class RatingStore(Protocol):
    """Results, scores and leaderboards. Every method may raise StoreUnavailable."""

    async def position(self) -> int:
        """Return how many leaves of the transparency log are counted."""
        ...

    async def results(self, game: GameId) -> Sequence[Result]:
        """Return all results of a game, in order."""
        ...

    async def scores(self, game: GameId, entrants: Sequence[Entrant]) -> Mapping[Entrant, Score]:
        """Return the scores of those entrants that have one."""
        ...

    async def write(self, old: int, new: int, updates: Sequence[Update]) -> bool:
        """Write updates and the new position in one step; False, and nothing written, if the position is not *old*."""
        ...

    async def reset(self) -> None:
        """Forget everything."""
        ...

    async def board(self, game: GameId, below: tuple[int, Entrant] | None, limit: int) -> Sequence[Standing]:
        """Return at most *limit* standings, best first, below a position (points, entrant) if one is given."""
        ...

    async def standings(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, Standing]:
        """Return the place of a player or bot in each of the games in which it is rated."""
        ...
