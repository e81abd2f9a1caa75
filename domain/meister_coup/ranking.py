"""Who wins a trick (rulebook: 2 Einen Stich gewinnen, examples 1 to 4)."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import COLOUR_OF, VALUE_OF, VALUES


def sums(cards: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the total value of each colour."""
    found = [0, 0, 0, 0]
    for card in cards:
        found[COLOUR_OF[card]] += VALUE_OF[card]
    return found[0], found[1], found[2], found[3]


def ranking(cards: Sequence[int]) -> list[int]:
    """Return the places of a trick's cards, best first.

    Colours come by their total, then by their highest card, then by which of these was played earlier; within a colour the higher
    card comes first.
    """
    total, highest, place_of = [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]
    for place, card in enumerate(cards):
        colour, value = COLOUR_OF[card], VALUE_OF[card]
        total[colour] += value
        if value > highest[colour]:
            highest[colour], place_of[colour] = value, place
    keys = [(-total[card // VALUES], -highest[card // VALUES], place_of[card // VALUES], -VALUE_OF[card]) for card in cards]
    return sorted(range(len(cards)), key=keys.__getitem__)


def lowest(cards: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which cards left the runner-up takes in any case, and of which equal ones it chooses the rest of its two.

    They are those of the lowest values. No equal ones: there is no choice.
    """
    ordered = sorted(cards, key=lambda card: (VALUE_OF[card], card))
    limit = VALUE_OF[ordered[1]]
    level = tuple(card for card in ordered if VALUE_OF[card] == limit)
    below = tuple(card for card in ordered if VALUE_OF[card] < limit)
    if len(below) + len(level) == TAKEN:
        return (*below, *level), ()
    return below, level


TAKEN = 2
"""How many cards the runner-up takes."""
