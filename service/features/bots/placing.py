"""Where a player stands among the bots of a game, from its results against some of them.

The model is that of the ratings (Plackett and Luce): in a match of n seats a player whose rating is d points above each of n - 1
equal rivals wins with the odds exp(d / s) to n - 1, where s = 166.7 √n.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import msgspec

from ...strength.scores import SCALE
from .arena import CERTAINTY, RESAMPLES

NOISE = 25 / 6
"""How much results scatter around strength: `beta` of the model."""
STEPS = 30
FARTHEST = 4_000
"""The search for a rating begins this far around 1000."""


class RatingEstimate(msgspec.Struct, frozen=True):
    """A rating on the scale of a game's bots, and its interval of 95 %, bootstrapped over deals."""

    points: int
    low: int
    high: int


def standing_among(shares: Mapping[str, Sequence[float]], ratings: Mapping[str, int], seats: int) -> RatingEstimate | None:
    """Return the rating under which shares of wins (by rival, one per deal) are most likely; None if no rival has a rating.

    One win and one loss in half a match are added for each rival, so that a player who has won everything has a rating too.
    """
    known = {rival: values for rival, values in shares.items() if rival in ratings and values}
    if not known:
        return None
    rng = random.Random(1)  # noqa: S311 - repeatable on purpose
    drawn = sorted(
        _fit({rival: rng.choices(values, k=len(values)) for rival, values in known.items()}, ratings, seats)
        for _ in range(RESAMPLES)
    )
    cut = int(RESAMPLES * (1 - CERTAINTY) / 2)
    return RatingEstimate(_fit(known, ratings, seats), drawn[cut], drawn[-1 - cut])


def _fit(shares: Mapping[str, Sequence[float]], ratings: Mapping[str, int], seats: int) -> int:
    """Return the rating at which the expected wins are those that were won. Expected wins rise with it, so halving finds it."""
    half = 1 / (2 * seats)  # of a match for each seat
    won = sum(sum(values) + half / 2 for values in shares.values())
    low = 1_000.0 - FARTHEST
    high = 1_000.0 + FARTHEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        expected = sum(_share(middle - ratings[rival], seats) * (len(values) + half) for rival, values in shares.items())
        low, high = (middle, high) if expected < won else (low, middle)
    return round(low)


def _share(ahead: float, seats: int) -> float:
    """Return the expected share of wins of a player this many points ahead of all others."""
    return 1 / (1 + (seats - 1) * math.exp(-ahead / (SCALE * NOISE * math.sqrt(seats))))
