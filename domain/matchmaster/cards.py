"""The 52 cards of MatchMaster as numbers: suit after suit, trump first, each from 1 to 13."""

from __future__ import annotations

from enum import Enum
from typing import Final

VALUES: Final = 13


class Suit(Enum):
    """The four suits; dark orange is trump."""

    DARK_ORANGE = "dark_orange"
    LIGHT_ORANGE = "light_orange"
    DARK_BLUE = "dark_blue"
    LIGHT_BLUE = "light_blue"


SUITS: Final = tuple(Suit)
TRUMP: Final = 0
CARDS: Final = len(SUITS) * VALUES
ROUNDS: Final = (7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)
"""How many cards each seat holds at the beginning of each round (rulebook, "Spielablauf")."""
MOST: Final = max(ROUNDS)


def suit_of(card: int) -> int:
    """Return the place of a card's suit in SUITS."""
    return card // VALUES


def value_of(card: int) -> int:
    """Return a card's value, 1 (low) to 13 (high)."""
    return card % VALUES + 1


def name_of(card: int) -> str:
    """Return a card as text, for instance `dark_blue-13`."""
    return f"{SUITS[suit_of(card)].value}-{value_of(card)}"
