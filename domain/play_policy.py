"""Policies that say how likely a player takes each of its moves: scores become odds, and odds become a move.

Odds are whole numbers: the last digits of `exp` differ between machines, and a verifier has to find the same answer. It
finds it unless such a difference falls just on a whole number, which is as good as never.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, TypeVar

from .game import Rng

Element = TypeVar("Element")

CERTAIN: Final = 1e9
"""The odds of the likeliest move."""


def odds(scores: Sequence[float]) -> list[int]:
    """Return how likely each move is, compared with the likeliest: as the exponential of its score."""
    most = max(scores)
    return [int(exp(score - most) * CERTAIN) for score in scores]


def drawn(moves: Sequence[Element], likely: Sequence[int], rng: Rng) -> Element:
    """Return one of the moves, each as often as it is likely."""
    mark = int(rng.random() * sum(likely))
    for move, share in zip(moves, likely, strict=True):
        mark -= share
        if mark < 0:
            return move
    return moves[-1]


def read_weights(text: str) -> tuple[tuple[float, ...], ...]:
    """Return rows of weights that are written as numbers, the rows apart by an empty line."""
    return tuple([tuple([float(number) for number in part.split()]) for part in text.split("\n\n")])
