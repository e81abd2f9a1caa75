"""The cards of Duel: two suits of nine ranks. A card is 9 times its suit (0, 1) plus its rank (0..8)."""

from __future__ import annotations

RANKS = 9
SUITS = ("moon", "sun")
DECK = range(RANKS * len(SUITS))


def suit(card: int) -> int:
    """Return the suit of a card."""
    return card // RANKS


def rank(card: int) -> int:
    """Return the rank of a card as it is printed, from 1."""
    return card % RANKS + 1
