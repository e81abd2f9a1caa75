"""What ratings need of a store: small tables per game that follow the transparency log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NewType, Protocol

import msgspec

from ...domain.game import GameId
from ...domain.match import MatchId


class LeaderboardEntry(msgspec.Struct, frozen=True):
    """A place in a game's leaderboard, from 1."""

    place: int
    entrant: Entrant
    score: Score


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What changes in one game: results to keep, and scores. `before`: the scores replaced; `complete`: all scores are given."""

    game: GameId
    results: tuple[Result, ...]
    scores: Mapping[Entrant, Score]
    before: Mapping[Entrant, Score]
    complete: bool


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

    async def board(self, game: GameId, below: tuple[int, Entrant] | None, limit: int) -> Sequence[LeaderboardEntry]:
        """Return at most *limit* standings, best first, below a position (points, entrant) if one is given."""
        ...

    async def standings(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, LeaderboardEntry]:
        """Return the place of a player or bot in each of the games in which it is rated."""
        ...


Entrant = NewType("Entrant", str)
"""Who is rated: a player's id, or `bot:` and the bot's name."""


BASE = 1_000


SCALE = 40


SURE = 3
PROVISIONAL_MATCHES = 10


class Result(msgspec.Struct, frozen=True, array_like=True):
    """What a leaf of the transparency log says for ratings: who was rated, and the ranks (empty: it does not count).

    One that `corrects` takes the place of what was said of the match before. Where a player forfeited, `only` that score changes.
    """

    match: MatchId
    entrants: tuple[Entrant, ...]
    ranks: tuple[int, ...]
    corrects: bool
    at_ms: int
    only: Entrant | None = None


class Score(msgspec.Struct, frozen=True, array_like=True):
    """Estimated strength (`mu` with uncertainty `sigma`), from how many matches, and when the newest one was."""

    mu: float
    sigma: float
    matches: int
    wins: int
    at_ms: int

    @property
    def points(self) -> int:
        """The rating that is shown: 1000 for a beginner, and cautious, so that it rises with certainty."""
        return max(0, round(BASE + SCALE * (self.mu - SURE * self.sigma)))

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches yet to rely on the rating."""
        return self.matches < PROVISIONAL_MATCHES
