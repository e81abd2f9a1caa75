"""The cards: four colours of twelve. A card is an int: 12 for each colour before its own, and its value less one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final


class Colour(Enum):
    """The colours, in the order of the card numbers. Backs show them."""

    VIOLET = "violet"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"


COLOURS: Final = tuple(Colour)
VALUES: Final = 12
CARDS: Final = len(COLOURS) * VALUES
COLOUR_OF: Final = tuple(card // VALUES for card in range(CARDS))
VALUE_OF: Final = tuple(card % VALUES + 1 for card in range(CARDS))

RISING: Final = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
FALLING: Final = (3, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0)
MOST_DIAMONDS: Final = 3


def card_of(colour: Colour, value: int) -> int:
    """Return the card of a colour and a value."""
    return COLOURS.index(colour) * VALUES + value - 1


def counted(cards: Sequence[int]) -> tuple[int, int, int, int]:
    """Return how many cards there are of each colour."""
    found = [0, 0, 0, 0]
    for card in cards:
        found[COLOUR_OF[card]] += 1
    return found[0], found[1], found[2], found[3]


def worth(cards: tuple[int, ...], diamonds: tuple[int, ...]) -> int:
    """Return what cards score: one point each, and one for each diamond (rulebook: end of a round)."""
    return len(cards) + sum([diamonds[VALUE_OF[card] - 1] for card in cards])


def said(card: int) -> dict[str, str | int]:
    """Return a card as the arguments of a text."""
    return {"colour": COLOURS[COLOUR_OF[card]].value, "value": VALUE_OF[card]}
