"""The beginner's bot of Meister Coup: it plays high to win tricks, and takes the cards that look best to itself.

Its mistakes are those of a first evening: it imagines no card of the others, does not care what they get, and thinks of
a Meistercoup only when one card makes it whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ...game import Budget, Rng
from ...search import Steps
from ..cards import VALUE_OF
from ..messages import MeisterCommand, PickCard, PlayCard
from ..view import MeisterView
from .honest import HonestBot, Worth

SHORT: Final = partial(Worth, hope=0.0)
"""What cards are worth to it: colours of a Meistercoup that is not complete count nothing."""

HONEST: Final = HonestBot(SHORT)


class BeginnerBot:
    """Plays high cards, and takes what is worth most to itself at once."""

    def choose(self, view: MeisterView, legal: Sequence[MeisterCommand], rng: Rng, budget: Budget) -> MeisterCommand:
        """Return one of *legal*. It draws no chance and does not search."""
        match legal[0]:
            case PlayCard():
                return PlayCard(_card(view, [command.card for command in legal if isinstance(command, PlayCard)]))
            case PickCard():
                return PickCard(_picked(view, [command.card for command in legal if isinstance(command, PickCard)]))
            case _:
                return HONEST.choose(view, legal, rng, Steps(0))


def _card(view: MeisterView, cards: Sequence[int]) -> int:
    """Return its highest card; as the last to play the one that brings itself most."""
    trick = [play.card for play in view.trick.plays]
    seats = [play.seat for play in view.trick.plays]
    if len(trick) < len(view.seats) - 1:
        return max(cards, key=VALUE_OF.__getitem__)
    worth = _own(view)
    return max(cards, key=lambda card: worth.of_trick([*seats, view.seat or 0], [*trick, card]))


def _own(view: MeisterView) -> Worth:
    """Return what cards are worth to it, if it does not care what the others get."""
    worth = SHORT(view)
    worth.shares = [1.0 if seat.seat == view.seat else 0.0 for seat in view.seats]
    return worth


def _picked(view: MeisterView, cards: Sequence[int]) -> int:
    """Return the card that is worth most to itself."""
    worth = SHORT(view)
    return max(cards, key=lambda card: worth.of(view.trick.ranking[0], (card,)))
