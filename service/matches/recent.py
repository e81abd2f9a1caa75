"""A cache that is bounded by what its values weigh: one long match weighs as much as ten short ones."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

WEIGHT_EACH = 250
"""How many entries of a log, or items of a feed, a cached match may have on average: more than most that run at once."""


class Recent(Generic[K, V]):
    """At most *limit* values, which weigh at most *heaviest* together; the least recently used are dropped first."""

    def __init__(self, limit: int, heaviest: int) -> None:
        self._limit = limit
        self._heaviest = heaviest
        self._weight = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return a value, None if it is not there; that is not a use of it."""
        kept = self._kept.get(key)
        return kept[0] if kept is not None else None

    def use(self, key: K) -> None:
        """Note that a value is used."""
        if key in self._kept:
            self._kept.move_to_end(key)

    def put(self, key: K, value: V, weight: int) -> list[tuple[K, V]]:
        """Keep a value of a weight as the newest; drop the oldest ones beyond the bounds, but never this one, and return them."""
        self.pop(key)
        self._kept[key] = value, weight
        self._weight += weight
        dropped = list[tuple[K, V]]()
        while len(self._kept) > 1 and (len(self._kept) > self._limit or self._weight > self._heaviest):
            oldest, (old, less) = self._kept.popitem(last=False)
            self._weight -= less
            dropped.append((oldest, old))
        return dropped

    def pop(self, key: K) -> None:
        """Drop a value, if it is there."""
        if (kept := self._kept.pop(key, None)) is not None:
            self._weight -= kept[1]

    def clear(self) -> None:
        """Drop all."""
        self._kept.clear()
        self._weight = 0
