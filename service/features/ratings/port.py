"""What ratings need of a store: small tables per game that follow the transparency log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

import msgspec

from ....domain.game import GameId
from ...strength.scores import BOT, Entrant, LeaderboardEntry, Result, Score


class LeaderboardKind(Enum):
    """Who is on a leaderboard: people, programs that say so, or the bots of the house."""

    PEOPLE = "people"
    PROGRAMS = "programs"
    BOTS = "bots"


KEPT_POINTS = 200
"""How many points of a player's history in a game are kept: the newest."""


class Point(msgspec.Struct, frozen=True, array_like=True):
    """What a player's rating was after a match, and when that was (Unix milliseconds)."""

    at_ms: int
    rating: int


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What changes in one game: results to keep, and scores. `before`: the scores replaced; `complete`: all scores are given.

    `points` follow those that are kept of each entrant, or, if it is complete, take their place.
    """

    game: GameId
    results: tuple[Result, ...]
    scores: Mapping[Entrant, Score]
    before: Mapping[Entrant, Score]
    complete: bool
    points: Mapping[Entrant, Sequence[Point]] = {}


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
        """Delete everything."""
        ...

    async def board(
        self, game: GameId, below: tuple[int, Entrant] | None, limit: int, kind: LeaderboardKind | None = None
    ) -> Sequence[LeaderboardEntry]:
        """Return at most *limit* standings (of one kind), best first, below a position (points, entrant) if one is given.

        Places are those among the kind.
        """
        ...

    async def standings(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, LeaderboardEntry]:
        """Return the place of a player or bot in each of the games in which it is rated."""
        ...

    async def histories(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, Sequence[Point]]:
        """Return the newest points of an entrant in each of the games in which it has some, oldest first."""
        ...


def kind_of(entrant: Entrant, score: Score) -> LeaderboardKind:
    """Return on which leaderboard an entrant is."""
    if entrant.startswith(BOT):
        return LeaderboardKind.BOTS
    return LeaderboardKind.PROGRAMS if score.program else LeaderboardKind.PEOPLE
