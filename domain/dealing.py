"""Deals at random for imagined worlds, also such in which not every card may lie everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb
from typing import NamedTuple, TypeVar

from .game import Rng

Element = TypeVar("Element")

TRIES = 20
"""How often a bound deal is tried place by place, where that may work, ..."""
MIXING = 4
"""... and else, how often, on average, each card of a deal that fits is tried to change places with another."""


def mixed(cards: Iterable[Element], rng: Rng, first: int | None = None) -> list[Element]:
    """Return cards in random order; only the *first* ones are drawn at random if their number is given.

    It is quicker than a shuffle, and even enough for imagined worlds; true chance comes from elsewhere.
    """
    deck, luck = [*cards], rng.random
    left = len(deck)
    for place in range(left - 1 if first is None else first):
        other = place + int(luck() * left)
        left -= 1
        deck[place], deck[other] = deck[other], deck[place]
    return deck


class Dealing:
    """Cards dealt to places of fixed sizes that take them all, each card to one of the places that it is allowed at.

    Every deal is equally likely. Cards with but one place left are laid there once and for all. If some of the others may not
    lie at all places left, but one place takes them all, the other places choose theirs one after the other; the deal is
    kept as often as makes up for how freely they chose. Where that does not work, a deal that fits is found first and then
    mixed by random exchanges: so it is equally likely only nearly.
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
        self._bound = len({*self._masks.values()}) > 1
        self._drawn = sum([self._free[place] for place in self._open[:-1]])  # what is left goes to the last place
        self._where = [1 << place for place in self._open for _ in range(self._free[place])]
        self._places = {mask: tuple(_bits(mask)) for mask in {*self._masks.values()}}
        self._choices = self._chosen(takers) if self._bound and len(takers[self._open[-1]]) == len(self._cards) else None

    def _chosen(self, takers: Mapping[int, Sequence[int]]) -> list[_Choice]:
        """Return what all places but the last choose from, those with the fewest cards first."""
        found: list[_Choice] = []
        for number, place in enumerate(self._open[:-1]):
            cards, most = takers[place], len(takers[place])
            for other in self._open[:number]:  # which takes so many of these cards, whatever it chooses
                most -= max(self._free[other] - len({*takers[other]}.difference(cards)), 0)
            size = self._free[place]
            if most < size:
                raise AssertionError("no deal agrees with what is known")
            found.append(_Choice(size, tuple(cards), [comb(count, size) / comb(most, size) for count in range(most + 1)]))
        return found

    def _fix(self) -> bool:
        """Lay cards that have one place left; return whether there were any."""
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

    def dealt(self, rng: Rng) -> list[list[int]]:
        """Return the cards of each place."""
        cards = self._bound_cards(rng) if self._bound else mixed(self._cards, rng, self._drawn)
        lying = [fixed[:] for fixed in self._fixed]
        start = 0
        for place in self._open:
            end = start + self._free[place]
            lying[place] += cards[start:end]
            start = end
        return lying

    def _bound_cards(self, rng: Rng) -> list[int]:
        """Return cards in an order in which each may lie where it comes to lie."""
        if self._choices is not None:
            for _ in range(TRIES):
                found = self._tried(self._choices, rng)
                if found is not None:
                    return found
        return self._exchanged(rng)

    def _tried(self, choices: Sequence[_Choice], rng: Rng) -> list[int] | None:
        """Let each place choose from the cards that are left; return nothing if that leaves fewer ways than luck asks for."""
        cards: list[int] = []
        for choice in choices:
            left = [card for card in choice.cards if card not in cards]
            if rng.random() >= choice.odds[len(left)]:
                return None
            cards += mixed(left, rng, choice.size)[: choice.size]
        return cards + [card for card in self._cards if card not in cards]

    def _exchanged(self, rng: Rng) -> list[int]:
        """Find a deal that fits and mix it."""
        masks, where, luck = self._masks, self._where, rng.random
        found = self._found(rng)
        cards = [card for place in self._open for card in found[place]]
        count = len(cards)
        for _ in range(MIXING * count):
            one, other = int(luck() * count), int(luck() * count)
            first, second = cards[one], cards[other]
            if masks[first] & where[other] and masks[second] & where[one]:
                cards[one], cards[other] = second, first
        return cards

    def _found(self, rng: Rng) -> list[list[int]]:
        """Return a deal that fits: those with few places first, each more likely where there is more room."""
        free, luck = self._free[:], rng.random
        lying: list[list[int]] = [[] for _ in free]
        for card in self._few_first(rng):
            places = self._places[self._masks[card]]
            mark = luck() * sum([free[place] for place in places])
            for place in places:
                mark -= free[place]
                if mark < 0:
                    free[place] -= 1
                    lying[place].append(card)
                    break
            else:
                self._squeeze(card, free, lying)
        return lying

    def _few_first(self, rng: Rng) -> list[int]:
        """Return the cards in random order, those with few places first."""
        masks = self._masks
        return sorted(mixed(self._cards, rng), key=lambda card: masks[card].bit_count())

    def _squeeze(self, card: int, free: list[int], lying: list[list[int]]) -> None:
        """Lay a card for which there is no room, by moving others on."""
        if not self._make_room(card, free, lying, set()):
            raise AssertionError("no deal agrees with what is known")

    def _make_room(self, card: int, free: list[int], lying: list[list[int]], tried: set[int]) -> bool:
        """Lay a card by moving others on, as a matching is augmented; return whether that could be done."""
        for place in self._places[self._masks[card]]:
            if place in tried:
                continue
            tried.add(place)
            if free[place]:
                free[place] -= 1
                lying[place].append(card)
                return True
            for other in lying[place].copy():
                if self._make_room(other, free, lying, tried):
                    lying[place][lying[place].index(other)] = card
                    return True
        return False


class _Choice(NamedTuple):
    """What a place takes: how many cards, of which, and the odds of keeping a deal that leaves it so many of them."""

    size: int
    cards: tuple[int, ...]
    odds: list[float]


def _takers(masks: Mapping[int, int], places: Iterable[int]) -> dict[int, list[int]]:
    """Return the cards that each place may take."""
    return {place: [card for card, mask in masks.items() if mask >> place & 1] for place in places}


def _bits(mask: int) -> Iterator[int]:
    return (place for place in range(mask.bit_length()) if mask >> place & 1)
