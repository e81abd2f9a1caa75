"""Who is rated, by which results, and how well."""

from __future__ import annotations

from typing import NewType

import msgspec

from ...domain.match import MatchId

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
        """The rating that is shown: 1000 for a new player, and cautious, so that it rises with certainty."""
        return max(0, round(BASE + SCALE * (self.mu - SURE * self.sigma)))

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches yet to rely on the rating."""
        return self.matches < PROVISIONAL_MATCHES


class LeaderboardEntry(msgspec.Struct, frozen=True):
    """A place in a game's leaderboard, from 1."""

    place: int
    entrant: Entrant
    score: Score


def bot_of(entrant: Entrant) -> str | None:
    """Return the name of a bot; None for a player."""
    return entrant.removeprefix(BOT) if entrant.startswith(BOT) else None
