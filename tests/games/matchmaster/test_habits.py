"""How seats are expected to bid is how they bid: HABITS of the rollout against bids that searches make."""

from __future__ import annotations

from statistics import fmean

import pytest

from bench.habits import Bid, bids_of
from tafelrunde.domain.matchmaster.bots.rollout import DOUBT_PER_CARD, HABITS, Habit, hopes

MATCHES = 5


def misfits(bids: list[Bid], habit: Habit) -> list[float]:
    """Return by how many of its standard deviations each bid lies above what the habit expects."""
    worth = hopes(habit)
    found: list[float] = []
    for hand, tricks in ((bid.hand, bid.tricks) for bid in bids):
        expected = sum(worth[card] for card in hand) - habit.crowd * (len(hand) - 1)
        found.append((tricks - min(max(expected, 0), len(hand))) / (habit.doubt + DOUBT_PER_CARD * len(hand)))
    return found


@pytest.mark.parametrize("seats", sorted(HABITS))
def test_bids_lie_around_the_habit_of_their_table_as_far_as_it_says(seats: int) -> None:
    """Expected bids are right on average to a fourth of a standard deviation, spread as they say, fit no other table better."""
    bids = [bid for seed in range(MATCHES) for bid in bids_of(seats, seed)]
    assert abs(fmean(misfits(bids, HABITS[seats]))) < 0.25
    spread = {other: fmean(misfit**2 for misfit in misfits(bids, habit)) for other, habit in HABITS.items()}
    assert 0.7 < spread[seats] < 1.5
    assert min(spread, key=spread.__getitem__) == seats
