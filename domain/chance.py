"""Chance that is handed in: the domain never makes a random number of its own."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Protocol, TypeVar

Element = TypeVar("Element")


class Chance(Protocol):
    """Labelled chance, handed in. The same source, label and call order give the same answers."""

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        ...

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        ...


class Rng(Protocol):
    """The part of `random.Random` that bots and determinization use; always seeded by the caller."""

    def random(self) -> float:
        """Return a number in [0, 1)."""
        ...

    def randrange(self, stop: int, /) -> int:
        """Return an integer in 0..stop-1."""
        ...

    def shuffle(self, x: MutableSequence[Element], /) -> None:
        """Shuffle in place."""
        ...
