"""Draws: unbiased numbers and orders from a secret key, each draw named by its prefix.

A draw is an endless row of 64-bit big-endian numbers, four from each HMAC-SHA256(key, "prefix|k") for k = 0, 1, ...
Numbers that would favour some results are dropped. Orders come from Fisher-Yates, from the last place down.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import TypeVar

Element = TypeVar("Element")

WORD = 8
RANGE = 1 << (8 * WORD)


class Draw:
    """One draw: the same key and prefix give the same numbers."""

    def __init__(self, key: bytes, prefix: str) -> None:
        self._key = key
        self._prefix = prefix
        self._block = 0
        self._buffer = b""

    def shuffle(self, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        deck = list(items)
        for place in range(len(deck) - 1, 0, -1):
            other = self.below(place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        return deck

    def below(self, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        limit = RANGE - RANGE % bound
        while (word := self._next()) >= limit:
            pass
        return word % bound

    def _next(self) -> int:
        if not self._buffer:
            message = f"{self._prefix}|{self._block}".encode()
            self._buffer = hmac.digest(self._key, message, "sha256")
            self._block += 1
        word = self._buffer[:WORD]
        self._buffer = self._buffer[WORD:]
        return int.from_bytes(word, "big")
