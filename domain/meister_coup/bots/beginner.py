"""The beginner's bot of Meister Coup: it plays high to win tricks, and takes the cards that look best to itself.

Its mistakes are those of a first evening: it does not imagine what the others still play unless it is the last one, does not
ask what its pick leaves to the runner-up, and does not look at what the others collect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ...search import Steps
from ..cards import VALUE_OF
from ..messages import MeisterCommand, PickCard, PlayCard
from ..view import MeisterView
from .honest import HonestBot, Worth

HONEST: Final = HonestBot()


class BeginnerBot:
    """Plays its highest card, unless it is the last to play and sees what the trick brings."""

    def choose(self, view: MeisterView, legal: Sequence[MeisterCommand], rng: Rng, budget: Budget) -> MeisterCommand:
        """Return one of *legal*. It draws no chance and does not search."""
        if isinstance(legal[0], PlayCard) and len(view.trick.plays) < len(view.seats) - 1:
            return max(legal, key=_height)
        if isinstance(legal[0], PickCard):
            return _picked(view, legal)
        return HONEST.choose(view, legal, rng, Steps(0))


def _height(command: MeisterCommand) -> int:
    return VALUE_OF[command.card] if isinstance(command, PlayCard) else 0


def _picked(view: MeisterView, legal: Sequence[MeisterCommand]) -> MeisterCommand:
    """Return the pick that is worth most to itself."""
    worth = Worth(view)
    winner = view.trick.ranking[0]
    return max(legal, key=lambda command: worth.of(winner, (command.card,)) if isinstance(command, PickCard) else 0)
