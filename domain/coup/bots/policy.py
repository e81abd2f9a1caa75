"""The bot of Coup that plays by a net: how likely each of its moves is, learned by policy gradient, mostly against itself.

It draws its moves, so that rivals cannot foresee them. All numbers are whole up to the odds, and sums of whole numbers are the
same on every machine: a verifier finds the same answer. `python -m bench.coup_policy` trains the net (decision 19).
"""

from __future__ import annotations

from base64 import b85decode
from collections.abc import Callable, Sequence
from typing import Final

from ...game import Budget, Rng
from ...play_policy import drawn, odds
from ..messages import CoupCommand
from ..move_codec import move_of
from ..view import CoupView
from .blunders import sensible
from .encoding import FEATURES, PLACES, encode, place_of, rivals_of

MIDDLE: Final = 128
"""What a byte of weights is written above."""


class Net:
    """Two layers of rectified units and one score for each place, all in whole numbers.

    *text*: weights of one byte each, base 85, layer after layer and row after row, the biases of a layer as its last row. A bias
    counts `rises` times, one number for each layer; a score is in units of `unit`.
    """

    def __init__(self, units: tuple[int, int], text: str, rises: Sequence[int], unit: float) -> None:
        numbers = [byte - MIDDLE for byte in b85decode("".join(text.split()))]
        first, second = units
        self._first = _rows(numbers, 0, FEATURES + 1, first, rises[0])
        after = (FEATURES + 1) * first
        self._second = _columns(_rows(numbers, after, first + 1, second, rises[1]))
        after += (first + 1) * second
        self._last = _columns(_rows(numbers, after, second + 1, PLACES, rises[2]))
        self._unit = unit

    def scores(self, seen: Sequence[int], places: Sequence[int]) -> list[float]:
        """Return a score for each of some places."""
        sums = [*self._first[FEATURES]]
        for place, value in enumerate(seen):
            if value:
                row = self._first[place]
                for unit, weight in enumerate(row):
                    sums[unit] += weight * value
        last = self._layer(self._second, sums)
        return [self._sum(self._last[place], last) * self._unit for place in places]

    def _layer(self, columns: Sequence[Sequence[int]], sums: Sequence[int]) -> list[int]:
        return [self._sum(column, sums) for column in columns]

    def _sum(self, column: Sequence[int], sums: Sequence[int]) -> int:
        """Return the bias and what all units above zero add to it."""
        total = column[len(sums)]
        for unit, value in enumerate(sums):
            if value > 0:
                total += column[unit] * value
        return total


def _rows(numbers: Sequence[int], start: int, count: int, width: int, rise: int) -> list[list[int]]:
    """Return weights row after row; the last one is the biases."""
    rows = [[*numbers[start + row * width : start + (row + 1) * width]] for row in range(count)]
    rows[-1] = [bias * rise for bias in rows[-1]]
    return rows


def _columns(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [[row[place] for row in rows] for place in range(len(rows[0]))]


class PolicyBot:
    """Draws each of its sensible moves as often as a net says, which is read when it is first needed."""

    def __init__(self, net: Callable[[], Net]) -> None:
        self._net = net

    def choose(self, view: CoupView, legal: Sequence[CoupCommand], rng: Rng, budget: Budget) -> CoupCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        open_ = sensible(view, legal) if len(legal) > 1 else legal
        if len(open_) == 1:
            return open_[0]
        rivals = rivals_of(view)
        scores = self._net().scores(encode(view, rivals), [place_of(move_of(command), rivals) for command in open_])
        return drawn(open_, odds(scores), rng)
