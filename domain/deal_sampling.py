"""Sampling of deals for determinization, with constraints on where each card may lie.

Without constraints that matter a deal is a shuffle. With them it is sampled by rejection, uniformly, where one place takes
every card; otherwise by a Markov chain of swaps from a feasible deal (found as an augmented matching), approximately uniformly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb
from typing import Final, NamedTuple, TypeVar

from .game import Rng

Element = TypeVar("Element")

TRIES: Final = 20
"""Attempts of rejection sampling before the Markov chain takes over."""
MIXING: Final = 4
"""Length of the Markov chain: proposed swaps per card."""


def shuffle_cards(cards: Iterable[Element], rng: Rng, first: int | None = None) -> list[Element]:
    """Return the cards shuffled; with *first*, only that many leading places are shuffled (a partial Fisher-Yates shuffle).

    Faster than `random.shuffle` and not quite even, as `int(random() * n)` is: for sampling only, never for a real deal.
    """
    deck = [*cards]
    luck = rng.random
    left = len(deck)
    for place in range(left - 1 if first is None else first):
        other = place + int(luck() * left)
        left -= 1
        deck[place], deck[other] = deck[other], deck[place]
    return deck


class DealSampler:
    """Samples assignments of cards to places of fixed sizes that take them all, each card to one of its allowed places.

    Cards with a single allowed place are assigned once (constraint propagation). If the rest are constrained and one place
    takes all of them, the other places draw in turn, and the deal is accepted with a probability proportional to the choices
    they had: so all feasible deals are equally likely. If no attempt is accepted, or there is no such place, a feasible deal is
    mixed by random swaps that keep it feasible: then deals are equally likely only approximately.

    Raises AssertionError if no deal is feasible.
    """

    def __init__(self, sizes: Sequence[int], allowed: Mapping[int, Iterable[int]]) -> None:
        self._free = list(sizes)
        self._fixed: list[list[int]] = [[] for _ in sizes]
        self._masks = {card: sum(1 << place for place in places) for card, places in allowed.items()}
        while self._fix():
            pass
        self._cards = [*self._masks]
        takers = _takers(self._masks, [place for place, free in enumerate(self._free) if free])
        self._open = sorted(takers, key=lambda place: (len(takers[place]), self._free[place]))
        self._is_constrained = len({*self._masks.values()}) > 1
        self._drawn = sum([self._free[place] for place in self._open[:-1]])  # what is left goes to the last place
        self._where = [1 << place for place in self._open for _ in range(self._free[place])]
        self._places = {mask: tuple(_bits(mask)) for mask in {*self._masks.values()}}
        self._plan = self._draws(takers) if self._is_constrained and len(takers[self._open[-1]]) == len(self._cards) else None

    def _draws(self, takers: Mapping[int, Sequence[int]]) -> list[_Draw]:
        """Return what each place but the last draws from, those with the fewest candidates first."""
        found: list[_Draw] = []
        for number, place in enumerate(self._open[:-1]):
            cards = takers[place]
            most = len(takers[place])
            for other in self._open[:number]:  # which takes at least this many of these cards, whatever it draws
                most -= max(self._free[other] - len({*takers[other]}.difference(cards)), 0)
            size = self._free[place]
            if most < size:
                raise AssertionError("no deal agrees with what is known")
            found.append(_Draw(size, tuple(cards), [comb(count, size) / comb(most, size) for count in range(most + 1)]))
        return found

    def _fix(self) -> bool:
        """Assign the cards that have a single place left; return whether there were any."""
        room = sum(1 << place for place, free in enumerate(self._free) if free)
        self._masks = {card: mask & room for card, mask in self._masks.items()}
        single = [card for card, mask in self._masks.items() if not mask & (mask - 1)]
        for card in single:
            place = self._masks.pop(card).bit_length() - 1
            if place < 0 or not self._free[place]:
                raise AssertionError("no deal agrees with what is known")
            self._free[place] -= 1
            self._fixed[place].append(card)
        return bool(single)

    def sample(self, rng: Rng) -> list[list[int]]:
        """Return one deal: the cards of each place."""
        cards = self._place_constrained(rng) if self._is_constrained else shuffle_cards(self._cards, rng, self._drawn)
        lying = [fixed[:] for fixed in self._fixed]
        start = 0
        for place in self._open:
            end = start + self._free[place]
            lying[place] += cards[start:end]
            start = end
        return lying

    def _place_constrained(self, rng: Rng) -> list[int]:
        """Return the free cards in the order of the open places, each in a place that it is allowed at."""
        if self._plan is not None:
            for _ in range(TRIES):
                found = self._attempt(self._plan, rng)
                if found is not None:
                    return found
        return self._mixed_by_swaps(rng)

    def _attempt(self, draws: Sequence[_Draw], rng: Rng) -> list[int] | None:
        """Let each place draw from the candidates that are left; return None if the deal is rejected."""
        cards: list[int] = []
        for draw in draws:
            left = [card for card in draw.cards if card not in cards]
            if rng.random() >= draw.acceptance[len(left)]:
                return None
            cards += shuffle_cards(left, rng, draw.size)[: draw.size]
        return cards + [card for card in self._cards if card not in cards]

    def _mixed_by_swaps(self, rng: Rng) -> list[int]:
        """Return a feasible deal after a Markov chain of swaps."""
        masks = self._masks
        where = self._where
        luck = rng.random
        found = self._feasible(rng)
        cards = [card for place in self._open for card in found[place]]
        count = len(cards)
        for _ in range(MIXING * count):
            one, other = int(luck() * count), int(luck() * count)
            first, second = cards[one], cards[other]
            if masks[first] & where[other] and masks[second] & where[one]:
                cards[one], cards[other] = second, first
        return cards

    def _feasible(self, rng: Rng) -> list[list[int]]:
        """Return a feasible deal: the most constrained cards first, each more likely where more room is left."""
        free = self._free[:]
        luck = rng.random
        lying: list[list[int]] = [[] for _ in free]
        for card in self._most_constrained_first(rng):
            places = self._places[self._masks[card]]
            mark = luck() * sum([free[place] for place in places])
            for place in places:
                mark -= free[place]
                if mark < 0:
                    free[place] -= 1
                    lying[place].append(card)
                    break
            else:
                self._displace(card, free, lying)
        return lying

    def _most_constrained_first(self, rng: Rng) -> list[int]:
        """Return the cards by their number of allowed places, ties in random order."""
        masks = self._masks
        return sorted(shuffle_cards(self._cards, rng), key=lambda card: masks[card].bit_count())

    def _displace(self, card: int, free: list[int], lying: list[list[int]]) -> None:
        """Assign a card whose allowed places are full, by moving others."""
        if not self._augment(card, free, lying, set()):
            raise AssertionError("no deal agrees with what is known")

    def _augment(self, card: int, free: list[int], lying: list[list[int]], tried: set[int]) -> bool:
        """Assign a card along an augmenting path of the matching; return whether there is one."""
        for place in self._places[self._masks[card]]:
            if place in tried:
                continue
            tried.add(place)
            if free[place]:
                free[place] -= 1
                lying[place].append(card)
                return True
            for other in lying[place].copy():
                if self._augment(other, free, lying, tried):
                    lying[place][lying[place].index(other)] = card
                    return True
        return False


class _Draw(NamedTuple):
    """What a place draws: how many cards, its candidates, and the chance of acceptance by the number of candidates left."""

    size: int
    cards: tuple[int, ...]
    acceptance: list[float]


def _takers(masks: Mapping[int, int], places: Iterable[int]) -> dict[int, list[int]]:
    """Return the cards that each place may take."""
    return {place: [card for card, mask in masks.items() if mask >> place & 1] for place in places}


def _bits(mask: int) -> Iterator[int]:
    return (place for place in range(mask.bit_length()) if mask >> place & 1)
