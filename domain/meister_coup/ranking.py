"""Who wins a trick (rulebook: 2 Einen Stich gewinnen, examples 1 to 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .cards import CARDS, COLOUR_OF, VALUE_OF

WIDE: Final = 16
"""More than any value, and than the cards of a trick: several numbers are compared as one."""
BY_VALUE: Final = tuple(VALUE_OF[card] * CARDS + card for card in range(CARDS))
"""How cards are ordered by value, equal ones by number."""


def sums(cards: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the total value of each colour."""
    found = [0, 0, 0, 0]
    for card in cards:
        found[COLOUR_OF[card]] += VALUE_OF[card]
    return found[0], found[1], found[2], found[3]


def ranking(cards: list[int]) -> list[int]:
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
    keys: list[int] = []
    for place, card in enumerate(cards):
        colour = COLOUR_OF[card]
        of_colour = (total[colour] * WIDE + highest[colour]) * WIDE - place_of[colour]
        keys.append((of_colour * WIDE + VALUE_OF[card]) * WIDE + place)
    keys.sort()
    keys.reverse()
    return [key % WIDE for key in keys]


def beaten_by(trick: list[int], hand: list[int]) -> list[int]:
    """Return for each card of a hand how many cards rank above it if it is the last one of a trick.

    The same as its place in `ranking`, and faster: a search asks for it more often than for anything else.
    """
    total, highest, place_of, count = [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]
    for place, card in enumerate(trick):
        colour, value = COLOUR_OF[card], VALUE_OF[card]
        total[colour] += value
        count[colour] += 1
        if value > highest[colour]:
            highest[colour], place_of[colour] = value, place
    rivals = [
        (colour, (total[colour] * WIDE + highest[colour]) * WIDE - place_of[colour], count[colour])
        for colour in range(4)
        if count[colour]
    ]
    later = len(trick)
    found = list[int]()
    for last in hand:
        colour = COLOUR_OF[last]
        value = VALUE_OF[last]
        better = 0
        if value > highest[colour]:
            key = ((total[colour] + value) * WIDE + value) * WIDE - later
        else:
            key = ((total[colour] + value) * WIDE + highest[colour]) * WIDE - place_of[colour]
            for card in trick:
                if COLOUR_OF[card] == colour and VALUE_OF[card] > value:
                    better += 1
        for other, rival, cards in rivals:
            if rival > key and other != colour:
                better += cards
        found.append(better)
    return found


def fewest(counts: list[int]) -> int:
    """Return how many cards there are of the colour that there are fewest of."""
    least = counts[0]
    for count in counts:
        least = min(least, count)
    return least


def lowest(cards: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which cards left the runner-up takes in any case, and of which equal ones it chooses the rest of its two.

    They are those of the lowest values. No equal ones: there is no choice.
    """
    order = [BY_VALUE[card] for card in cards]
    order.sort()
    first, second = order[0] % CARDS, order[1] % CARDS
    limit = VALUE_OF[second]
    if len(order) == TAKEN or order[TAKEN] // CARDS > limit:
        return (first, second), ()
    if VALUE_OF[first] < limit:
        return (first,), (second, *_of_value(order, limit))
    return (), (first, second, *_of_value(order, limit))


def _of_value(order: list[int], value: int) -> list[int]:
    """Return the cards of a value behind the first two, of cards in the order of their values."""
    return [key % CARDS for key in order[TAKEN:] if key // CARDS == value]


TAKEN: Final = 2
"""How many cards the runner-up takes."""
