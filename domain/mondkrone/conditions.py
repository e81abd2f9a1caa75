"""Conditions: what a palette shows for each of them, which cards make it, and what a winner may score.

A palette is a set of bits. A result is one int, the count times `PLACES` plus the strongest card that makes it, so that results
compare as the rules compare them; no result is 0. Results of recent palettes are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

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


Results: TypeAlias = tuple[int, int, int, int, int, int]
"""The result of a palette in each condition, in the order of the suits."""
NOTHING: Final[Results] = (0, 0, 0, 0, 0, 0)


@lru_cache(maxsize=1 << 14)
def results(palette: int) -> Results:
    """Return the results of a palette."""
    if not palette:
        return NOTHING
    return (
        PLACES + palette.bit_length() - 1,
        _best_result(palette, OF_SUIT),
        _result(palette & EVEN),
        _leaves_result(palette),
        _best_result(palette, OF_KIND),
        _result(palette & SMALL),
    )


def _result(cards: int) -> int:
    return cards.bit_count() * PLACES + cards.bit_length() - 1 if cards else 0


def _best_result(palette: int, groups: tuple[int, ...]) -> int:
    best = 0
    for group in groups:
        cards = palette & group
        if cards:
            result = cards.bit_count() * PLACES + cards.bit_length() - 1
            best = max(best, result)
    return best


def _leaves_result(palette: int) -> int:
    """Return how many suits there are, and the strongest card that some way of showing them needs."""
    wanted = suits_in(palette)
    rest = palette
    while rest:
        card = rest.bit_length() - 1
        own = SUIT_BITS[card]
        for suit in SUITS_OF[card]:
            # It can be the only one of this suit in cards that have all suits.
            if suits_in(palette & ~OF_SUIT[suit]) | own == wanted:
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


LOW: Final = _suits_by_chunk(0)
MIDDLE: Final = _suits_by_chunk(CHUNK)
HIGH: Final = _suits_by_chunk(2 * CHUNK)
TOP: Final = _suits_by_chunk(3 * CHUNK)


def suits_in(cards: int) -> int:
    """Return the suits of some cards, as a set of bits."""
    return LOW[cards & PART] | MIDDLE[cards >> CHUNK & PART] | HIGH[cards >> 2 * CHUNK & PART] | TOP[cards >> 3 * CHUNK]


def leads(own: Results, rivals: Results) -> int:
    """Return the conditions, as a set of bits, in which a seat's results are better than the best of all others."""
    moons, suns, waves, leaves, wyrms, knots = own
    moons2, suns2, waves2, leaves2, wyrms2, knots2 = rivals
    return (
        (1 if moons > moons2 else 0)
        + (2 if suns > suns2 else 0)
        + (4 if waves > waves2 else 0)
        + (8 if leaves > leaves2 else 0)
        + (16 if wyrms > wyrms2 else 0)
        + (32 if knots > knots2 else 0)
    )


def best_of(palettes: list[int]) -> Results:
    """Return the best result of some palettes in each condition."""
    if not palettes:
        return NOTHING
    best = results(palettes[0])
    for palette in palettes[1:]:
        best = better(best, results(palette))
    return best


def better(one: Results, other: Results) -> Results:
    """Return the better of two results in each condition."""
    moons, suns, waves, leaves, wyrms, knots = one
    moons2, suns2, waves2, leaves2, wyrms2, knots2 = other
    return (
        max(moons2, moons),
        max(suns2, suns),
        max(waves2, waves),
        max(leaves2, leaves),
        max(wyrms2, wyrms),
        max(knots2, knots),
    )


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
    found = set[int]()
    open_ = [0]
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
    return unite(chosen for condition in conditions for chosen in sets(palette, condition))


def unite(chosen: Iterable[int]) -> int:
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
    return sorted({unite(chosen) for chosen in product(*met)}) if met else []
