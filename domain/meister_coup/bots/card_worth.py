"""What cards are worth to a seat in a play-out: their points, and what their colours bring towards a Meistercoup."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ..cards import CARDS, COLOUR_OF, VALUE_OF
from ..ranking import fewest

STEP: Final = 3.0
"""What a missing colour is worth, in points."""


def values_of(diamonds: tuple[int, ...], counts: list[int]) -> tuple[float, ...]:
    """Return what each card is worth to a seat: its points, and more if its colour is missing for the next Meistercoup."""
    least = fewest(counts)
    missing = 0
    for colour, count in enumerate(counts):
        if count == least:
            missing |= 1 << colour
    return _values(diamonds, missing)


@lru_cache(4096)
def _values(diamonds: tuple[int, ...], missing: int) -> tuple[float, ...]:
    return tuple([1 + diamonds[VALUE_OF[card] - 1] + STEP * (missing >> COLOUR_OF[card] & 1) for card in range(CARDS)])


def dearest(cards: list[int], values: tuple[float, ...]) -> int:
    """Return the card that is worth most, the first of several."""
    found = cards[0]
    for card in cards:
        if values[card] > values[found]:
            found = card
    return found


def brings(trick: list[int], last: int, values: tuple[float, ...]) -> float:
    """Return what a trick of at least two cards would bring the runner-up if it ended with the card that this seat adds."""
    full = [*trick, last]
    full.remove(dearest(full, values))
    full.sort(key=VALUE_OF.__getitem__)
    return values[full[0]] + (values[full[1]] if len(full) > 1 else 0.0)
