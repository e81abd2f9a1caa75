"""What bots learn from blocks: a role that a seat has blocked with twice is believed, and the action is not repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..conduct import CAPTAIN_BLOCK, CONTESSA_BLOCK, FIFTH_BLOCK
from ..view import CoupSeatView

TWICE: Final = 2
"""After this many blocks of its present cards, which no one has disproved, a seat is believed."""
OF_ASSASSINS: Final = (CONTESSA_BLOCK,)
OF_THEFTS: Final = (CAPTAIN_BLOCK, FIFTH_BLOCK)


def yielding(seats: Sequence[CoupSeatView], blocks: Sequence[int]) -> list[CoupSeatView]:
    """Return the seats that have not blocked twice with one of these kinds of claims since their cards last changed."""
    return [seat for seat in seats if sum(seat.conduct.claimed[kind] for kind in blocks) < TWICE]
