"""Where a player stands among bots of known strength."""

from __future__ import annotations

import math
import random

import pytest

from tafelrunde.service.features.bots.placing import standing_among

RATINGS = {"weak": 600, "strong": 1_200}


@pytest.mark.parametrize(("points", "seats"), [(700, 2), (1_000, 4)])
def test_rating_is_found_from_matches_of_that_strength(points: int, seats: int) -> None:
    """Matches drawn with the odds of the model lead back to the rating, within its interval; more matches, a smaller one."""
    rng = random.Random(points)

    def won(rival: int) -> float:
        odds = math.exp((points - rival) / (40 * 25 / 6 * math.sqrt(seats)))
        return float(rng.random() < odds / (odds + seats - 1))

    few = standing_among({rival: [won(known) for _ in range(20)] for rival, known in RATINGS.items()}, RATINGS, seats)
    many = standing_among({rival: [won(known) for _ in range(320)] for rival, known in RATINGS.items()}, RATINGS, seats)
    assert few is not None
    assert many is not None
    assert many.low - 60 <= points <= many.high + 60
    assert few.low <= few.points <= few.high
    assert many.high - many.low < few.high - few.low


def test_player_who_wins_or_loses_everything_has_a_rating() -> None:
    """It is above the strongest, or below the weakest, and finite."""
    best = standing_among({"strong": [1.0] * 20}, RATINGS, 2)
    worst = standing_among({"weak": [0.0] * 20}, RATINGS, 2)
    assert best is not None
    assert worst is not None
    assert 1_200 < best.points < 3_000
    assert -2_000 < worst.points < 600


def test_rivals_without_a_rating_say_nothing() -> None:
    """There is no scale without a bot on it."""
    assert standing_among({"unknown": [1.0]}, RATINGS, 2) is None
