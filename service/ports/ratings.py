"""What ratings need of a store: small tables per game that follow the transparency log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NewType, Protocol

import msgspec

from ...domain.game import GameId
from ...domain.match import MatchId


class LeaderboardKind(Enum):
    """Who is on a leaderboard: people, programs that say so, or the bots of the house."""

    PEOPLE = "people"
    PROGRAMS = "programs"
    BOTS = "bots"


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


Entrant = NewType("Entrant", str)
"""Who is rated: a player's id, or `bot:` and the bot's name."""


BOT = "bot:"
BASE = 1_000


SCALE = 40


SURE = 3
PROVISIONAL_MATCHES = 10


class Result(msgspec.Struct, frozen=True, array_like=True):
    """What a leaf of the transparency log says for ratings: who was rated, and the ranks (empty: it does not count).

    One that `corrects` takes the place of what was said of the match before. Where a player forfeited, `only` that score changes.
    `programs` are the entrants who declared to be programs.
    """

    match: MatchId
    entrants: tuple[Entrant, ...]
    ranks: tuple[int, ...]
    corrects: bool
    at_ms: int
    only: Entrant | None = None
    programs: tuple[Entrant, ...] = ()


class Score(msgspec.Struct, frozen=True, array_like=True):
    """Estimated strength (`mu` with uncertainty `sigma`), from how many matches, and when the newest one was.

    `program`: the entrant declared to be a program.
    """

    mu: float
    sigma: float
    matches: int
    wins: int
    at_ms: int
    program: bool = False

    @property
    def points(self) -> int:
        """The rating that is shown: 1000 for a beginner, and cautious, so that it rises with certainty."""
        return max(0, round(BASE + SCALE * (self.mu - SURE * self.sigma)))

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches yet to rely on the rating."""
        return self.matches < PROVISIONAL_MATCHES


def kind_of(entrant: Entrant, score: Score) -> LeaderboardKind:
    """Return on which leaderboard an entrant is."""
    if entrant.startswith(BOT):
        return LeaderboardKind.BOTS
    return LeaderboardKind.PROGRAMS if score.program else LeaderboardKind.PEOPLE
