"""A deal at random in which not every card may lie everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .game import Rng

MIXING = 4
"""How often, on average, each card of a bound deal is tried to change places with another."""


class Dealing:
    """Cards dealt to places of fixed sizes, each card to one of the places that it is allowed at.

    Without bounds every deal is equally likely. With bounds a deal that fits is found first and then mixed by random exchanges.
    """

    def __init__(self, sizes: Sequence[int], allowed: Mapping[int, Sequence[int]], rng: Rng) -> None:
        self._allowed = allowed
        self._rng = rng
        self._free = list(sizes)
        self._lying: list[list[int]] = [[] for _ in sizes]

    def dealt(self) -> list[list[int]]:
        """Return the cards of each place."""
        cards = list(self._allowed)
        self._rng.shuffle(cards)
        cards.sort(key=lambda card: len(self._allowed[card]))
        for card in cards:
            self._deal(card)
        if any(self._allowed[card] != self._allowed[cards[0]] for card in cards):
            self._mix(cards)
        return self._lying

    def _deal(self, card: int) -> None:
        """Lay a card on a free place, those with more room more likely; make room if there is none."""
        free = self._free
        room = sum([free[place] for place in self._allowed[card]])
        if room:
            mark = int(self._rng.random() * room)
            for place in self._allowed[card]:
                mark -= free[place]
                if mark < 0:
                    self._lay(card, place)
                    return
        elif not self._make_room(card, set()):
            raise AssertionError("no deal agrees with what is known")

    def _lay(self, card: int, place: int) -> None:
        self._free[place] -= 1
        self._lying[place].append(card)

    def _make_room(self, card: int, tried: set[int]) -> bool:
        """Lay a card by moving others on, as a matching is augmented; return whether that could be done."""
        for place in self._allowed[card]:
            if place in tried:
                continue
            tried.add(place)
            if self._free[place]:
                self._lay(card, place)
                return True
            for other in self._lying[place].copy():
                if self._make_room(other, tried):
                    self._lying[place][self._lying[place].index(other)] = card
                    return True
        return False

    def _mix(self, cards: Sequence[int]) -> None:
        """Exchange cards at random where both may lie at the other's place."""
        spots = [(place, index) for place, lying in enumerate(self._lying) for index in range(len(lying))]
        lying, allowed, luck, count = self._lying, self._allowed, self._rng.random, len(spots)
        for _ in range(MIXING * len(cards)):
            place, index = spots[int(luck() * count)]
            other, other_index = spots[int(luck() * count)]
            if place == other:
                continue
            first, second = lying[place][index], lying[other][other_index]
            if other in allowed[first] and place in allowed[second]:
                lying[place][index], lying[other][other_index] = second, first
