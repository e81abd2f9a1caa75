"""The beginner's bot of Mondkrone: it plays its strongest card that leads, and does not look at what the others may do.

Its mistakes are those of a first evening: with a full hand it plays two cards where one would do, later it changes the condition
only where no card leads by itself, and it spends its high cards first and does not ask whom a move would knock out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ...search import Steps
from ..cards import INDEX
from ..messages import DiscardToPile, MondkroneCommand, PlayAndDiscard, PlayToPalette
from ..view import MondkroneView
from .honest import HonestBot

HONEST: Final = HonestBot()
FULL: Final = 6
"""How many cards in hand look like enough to spend two of them."""


class BeginnerBot:
    """Plays high cards first, and scores as much as it can."""

    def choose(self, view: MondkroneView, legal: Sequence[MondkroneCommand], rng: Rng, budget: Budget) -> MondkroneCommand:
        """Return one of *legal*. It draws no chance and does not search."""
        if len(legal) == 1 or view.stage == "scoring":
            return HONEST.choose(view, legal, rng, Steps(0))
        return max(legal, key=_looks_full if len(view.hand) >= FULL else _looks)


def _looks_full(command: MondkroneCommand) -> tuple[int, int]:
    """Return how good a move looks to a full hand: two cards before one."""
    first, high = _looks(command)
    return (4, high) if isinstance(command, PlayAndDiscard) else (first, high)


def _looks(command: MondkroneCommand) -> tuple[int, int]:
    """Return how good a move looks at first sight: a card of its palette before two, and a high one before a low one."""
    match command:
        case PlayToPalette(card):
            return 3, INDEX[card]
        case PlayAndDiscard(card, _):
            return 2, INDEX[card]
        case DiscardToPile(card):
            return 1, -INDEX[card]
        case _:
            return 0, 0
