"""The cards: four suits of fifteen. A card is an int: 15 for each suit before its own, and its value less one."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Suit(Enum):
    """The printed suits, in the order of the card numbers."""

    FAN = "fan"
    COIN = "coin"
    KOI = "koi"
    TORII = "torii"


SUITS: Final = tuple(Suit)
VALUES: Final = 15
CARDS: Final = len(SUITS) * VALUES
SAMURAI: Final = (1, 10, 13)
TRUMP: Final = len(SUITS)
"""What stands for the trump suit where a suit is a number."""
FOLLOWED: Final = (*(suit.value for suit in SUITS), "trump")
"""Names of what can be followed: the suits, and trump."""


def card_of(suit: Suit, value: int) -> int:
    """Return the card of a suit and a value."""
    return SUITS.index(suit) * VALUES + value - 1


def suit_of(card: int) -> int:
    """Return the number of a card's printed suit."""
    return card // VALUES


def value_of(card: int) -> int:
    """Return a card's value, 1 to 15."""
    return card % VALUES + 1


def deck_for(seats: int) -> list[int]:
    """Return the cards in play: with three seats the samurai stay in the box."""
    return list(FOR_THREE if seats == 3 else ALL)


ALL: Final = tuple(range(CARDS))
FOR_THREE: Final = tuple(card for card in ALL if value_of(card) not in SAMURAI)
