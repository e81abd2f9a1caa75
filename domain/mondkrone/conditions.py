"""Conditions: what a palette shows for each of them, which cards make it, and what a winner may score.

A palette is a set of bits. A result is one int, the count times `PLACES` plus the strongest card that makes it, so that results
compare as the rules compare them; no result is 0. Results of recent palettes are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from .cards import EVEN, OF_KIND, OF_SUIT, SMALL, SUIT_BITS, SUITS_OF, cards_in

PLACES: Final = 64
MOONS: Final = 0
SUNS: Final = 1
WAVES: Final = 2
LEAVES: Final = 3
WYRMS: Final = 4
KNOTS: Final = 5
GROUPS: Final[Mapping[int, tuple[int, ...]]] = {SUNS: OF_SUIT, WAVES: (EVEN,), WYRMS: OF_KIND, KNOTS: (SMALL,)}
"""The cards that count together, for each condition that counts cards."""


@lru_cache(maxsize=1 << 14)
def results(palette: int) -> tuple[int, ...]:
    """Return the result of a palette in each condition, in the order of the suits."""
    return (
        PLACES + palette.bit_length() - 1 if palette else 0,
        _best_result(palette, OF_SUIT),
        _result(palette & EVEN),
        _leaves_result(palette),
        _best_result(palette, OF_KIND),
        _result(palette & SMALL),
    )


def _result(cards: int) -> int:
    return cards.bit_count() * PLACES + cards.bit_length() - 1 if cards else 0


def _best_result(palette: int, groups: Sequence[int]) -> int:
    best = 0
    for group in groups:
        if cards := palette & group:
            result = cards.bit_count() * PLACES + cards.bit_length() - 1
            best = max(best, result)
    return best


def _leaves_result(palette: int) -> int:
    """Return how many suits there are, and the strongest card that some way of showing them needs."""
    wanted = suits_in(palette)
    without = [suits_in(palette & ~cards) for cards in OF_SUIT]
    rest = palette
    while rest:
        card = rest.bit_length() - 1
        own = SUIT_BITS[card]
        for suit in SUITS_OF[card]:
            if without[suit] | own == wanted:  # it can be the only one of this suit in cards that have all suits
                return wanted.bit_count() * PLACES + card
        rest ^= 1 << card
    return 0


CHUNK: Final = 11
PART: Final = (1 << CHUNK) - 1


def _suits_by_chunk(first: int) -> tuple[int, ...]:
    """Return the suits of every set of the cards from *first* on that make up a chunk."""
    bits = [*SUIT_BITS[first : first + CHUNK]]
    found = [0]
    for own in bits:
        found += [suits | own for suits in found]
    return tuple(found)


LOW, MIDDLE, HIGH, TOP = (_suits_by_chunk(first) for first in range(0, len(SUIT_BITS), CHUNK))


def suits_in(cards: int) -> int:
    """Return the suits of some cards, as a set of bits."""
    return LOW[cards & PART] | MIDDLE[cards >> CHUNK & PART] | HIGH[cards >> 2 * CHUNK & PART] | TOP[cards >> 3 * CHUNK]


def leads(own: Sequence[int], rivals: Sequence[int]) -> int:
    """Return the conditions, as a set of bits, in which a seat's results are better than the best of all others."""
    moons, suns, waves, leaves, wyrms, knots = rivals
    return (
        (own[0] > moons)
        | (own[1] > suns) << 1
        | (own[2] > waves) << 2
        | (own[3] > leaves) << 3
        | (own[4] > wyrms) << 4
        | (own[5] > knots) << 5
    )


def best_of(palettes: Sequence[int]) -> Sequence[int]:
    """Return the best result of some palettes in each condition."""
    if len(palettes) == 1:
        return results(palettes[0])
    return tuple(map(max, *map(results, palettes))) if palettes else NOTHING


NOTHING: Final = (0,) * 6


@lru_cache(maxsize=1 << 10)
def sets(palette: int, condition: int) -> tuple[int, ...]:
    """Return the irredundant sets of a condition: cards that make the whole count, none of which can be taken away."""
    if condition == MOONS:
        found = {1 << palette.bit_length() - 1} if palette else set[int]()
    elif condition == LEAVES:
        found = _covers(palette, suits_in(palette))
    else:
        found = _largest([palette & cards for cards in GROUPS[condition]])
    return tuple(sorted(found - {0}))


def _largest(groups: Sequence[int]) -> set[int]:
    most = max(group.bit_count() for group in groups)
    return {group for group in groups if group.bit_count() == most}


def _covers(palette: int, wanted: int) -> set[int]:
    """Return the sets that have all wanted suits and lose one with any card."""
    found, open_ = set[int](), [0]
    while open_:
        chosen = open_.pop()
        missing = wanted & ~suits_in(chosen)
        if not missing:
            found.add(chosen)
            continue
        suit = (missing & -missing).bit_length() - 1
        open_ += [chosen | 1 << card for card in cards_in(palette & OF_SUIT[suit])]
    return {chosen for chosen in found if _irredundant(chosen, wanted)}


def _irredundant(chosen: int, wanted: int) -> bool:
    return all(suits_in(chosen & ~(1 << card)) != wanted for card in cards_in(chosen))


def best_set(palette: int, condition: int) -> int:
    """Return the irredundant set with the strongest card, 0 if there is none."""
    return max(sets(palette, condition), default=0)


def involved(palette: int, conditions: Sequence[int]) -> int:
    """Return the cards that are in some irredundant set of some of the conditions."""
    return united(chosen for condition in conditions for chosen in sets(palette, condition))


def united(chosen: Iterable[int]) -> int:
    """Return the cards that are in any of these sets."""
    found = 0
    for cards in chosen:
        found |= cards
    return found


def hauls(palette: int, conditions: Sequence[int], *, all_cards: bool) -> list[int]:
    """Return what a winner may lay aside: one involved card, or one irredundant set for each condition that is met, united."""
    if not all_cards:
        return [1 << card for card in cards_in(involved(palette, conditions))]
    met = [found for condition in conditions if (found := sets(palette, condition))]
    return sorted({united(chosen) for chosen in product(*met)}) if met else []
