"""What bots learn from blocks: a seat that has blocked is believed, and the action against it is not repeated.

A single rival is believed after two blocks: there is no one else to turn to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..conduct import CAPTAIN_BLOCK, CONTESSA_BLOCK, FIFTH_BLOCK
from ..view import CoupSeatView

OF_ASSASSINS: Final = (CONTESSA_BLOCK,)
OF_THEFTS: Final = (CAPTAIN_BLOCK, FIFTH_BLOCK)


def yielding(seats: Sequence[CoupSeatView], blocks: Sequence[int]) -> list[CoupSeatView]:
    """Return the rivals that have not blocked with such a claim since their cards last changed, or were disproved.

    If there is only one rival, it has to have blocked twice.
    """
    most = 1 if len(seats) == 1 else 0
    return [seat for seat in seats if sum(seat.conduct.claimed[kind] for kind in blocks) <= most]
