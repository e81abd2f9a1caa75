"""The chance of a match: handed in, bound to the cards that it hands out, and counted by what it was drawn for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from ..game import Chance, Hand

Element = TypeVar("Element")


class Dealer(Chance, Protocol):
    """The chance of a match, which also binds itself to the cards that it hands out."""

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return what is published about the hands of deal number *deal*; it tells nothing of them."""
        ...


class NotedChance:
    """A dealer that notes the labels of its draws, in order."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._labels: list[str] = []

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        self._labels.append(label)
        return self._dealer.shuffle(label, items)

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        self._labels.append(label)
        return self._dealer.below(label, bound)

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return what is published about the hands of a deal."""
        return self._dealer.commit(deal, hands)

    def take_labels(self) -> tuple[str, ...]:
        """Return the labels of the draws since this was last asked."""
        labels = tuple(self._labels)
        self._labels = []
        return labels
