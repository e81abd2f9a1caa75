"""Shapes of ratings."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ...domain.game import GameId
from ...service.strength.scores import LeaderboardEntry
from .fields import GameName

Points = Annotated[
    int, Meta(ge=0, le=999_999, description="Conservative rating: 1000 for a new player. It also rises with certainty.")
]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Rank = Annotated[int, Meta(ge=1, le=1_000_000_000, description="Rank on the leaderboard, from 1.")]
Provisional = Annotated[bool, Meta(description="Fewer than 10 matches count so far: the rating may still be far off.")]


class RatingFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A rating in one game: strength `mu`, uncertainty `sigma` (Weng and Lin, Plackett-Luce), after this many `matches`."""

    game: GameName
    place: Rank
    rating: Points
    provisional: Provisional
    mu: float
    sigma: float
    matches: Count
    wins: Count


def rating_facts(game: GameId, standing: LeaderboardEntry) -> RatingFacts:
    """Return a rating."""
    score = standing.score
    return RatingFacts(
        game=game,
        place=standing.place,
        rating=score.points,
        provisional=score.provisional,
        mu=score.mu,
        sigma=score.sigma,
        matches=score.matches,
        wins=score.wins,
    )
