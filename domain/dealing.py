"""Deals at random for imagined worlds, also such in which not every card may lie everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .game import Rng

MIXING = 4
"""How often, on average, each card of a bound deal is tried to change places with another."""


def mixed(cards: Iterable[int], rng: Rng, first: int | None = None) -> list[int]:
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

    Cards with but one place left are laid there once and for all. If the others may lie at all places left, every deal is
    equally likely. Otherwise a deal that fits is found first and then mixed by random exchanges.
    """

    def __init__(self, sizes: Sequence[int], allowed: Mapping[int, Iterable[int]]) -> None:
        self._free = list(sizes)
        self._fixed: list[list[int]] = [[] for _ in sizes]
        self._masks = {card: sum(1 << place for place in places) for card, places in allowed.items()}
        while self._fix():
            pass
        self._cards = [*self._masks]
        self._open = sorted((place for place, free in enumerate(self._free) if free), key=self._free.__getitem__)
        self._bound = len({*self._masks.values()}) > 1
        self._drawn = sum([self._free[place] for place in self._open[:-1]])  # what is left goes to the last place
        self._where = [1 << place for place in self._open for _ in range(self._free[place])]
        self._places = {mask: tuple(_bits(mask)) for mask in {*self._masks.values()}}

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
        cards = self._fitting(rng) if self._bound else mixed(self._cards, rng, self._drawn)
        lying = [fixed[:] for fixed in self._fixed]
        start = 0
        for place in self._open:
            end = start + self._free[place]
            lying[place] += cards[start:end]
            start = end
        return lying

    def _fitting(self, rng: Rng) -> list[int]:
        """Return cards in an order in which each may lie where it comes to lie."""
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


def _bits(mask: int) -> Iterable[int]:
    return (place for place in range(mask.bit_length()) if mask >> place & 1)
