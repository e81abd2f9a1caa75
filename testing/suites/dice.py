"""Chance for tests: repeatable, and different for every seed. What it commits to is not bound."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from typing import TypeVar

from ...domain.game import Hand

Element = TypeVar("Element")


class Dice:
    """Labelled chance from a seed."""

    def __init__(self, seed: object) -> None:
        self._seed = seed

    @functools.cached_property
    def _random(self) -> random.Random:
        """The generator; most commands leave nothing to chance, and making one takes longer than most commands."""
        return random.Random(str(self._seed))

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a random order."""
        deck = list(items)
        self._random.shuffle(deck)
        return deck

    def below(self, label: str, bound: int) -> int:
        """Return a random integer in 0..bound-1."""
        return self._random.randrange(bound)

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return a random text in the form of a commitment."""
        return f"{self._random.getrandbits(256):064x}"
