"""The beginner's bot of Stich-Meister: it asks whether the rules want tricks, and then plays its highest or its lowest card.

Its mistakes are those of a first evening: it looks at the running trick alone, does not imagine what the others hold, saves
nothing for later, and leaves to others what points the single cards are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ...search import Steps
from ..messages import ChooseRule, PlayCard, StichCommand
from ..trick import winner
from ..view import StichView
from .honest import HonestBot, law_for, power, wish
from .trick_value import worth_for

HONEST: Final = HonestBot()


class BeginnerBot:
    """Takes tricks where they are wanted and leaves them where they are not, with what it holds now."""

    def choose(self, view: StichView, legal: Sequence[StichCommand], rng: Rng, budget: Budget) -> StichCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if isinstance(legal[0], ChooseRule):
            return legal[0]
        if isinstance(legal[0], PlayCard) and len(legal) > 1:
            return PlayCard(_card(view, [command.card for command in legal if isinstance(command, PlayCard)]))
        return HONEST.choose(view, legal, rng, Steps(0))


def _card(view: StichView, cards: Sequence[int]) -> int:
    """Return its strongest card that takes the trick where that is wanted, and its weakest card otherwise."""
    assert view.seat is not None
    law = law_for(view)
    strength = power(law, len(view.seats))
    trick = [play.card for play in view.trick]
    takes = [card for card in cards if winner(law, [*trick, card]) == len(trick)]
    if takes and wish(worth_for(view, law, view.seat), view.seat, view.number) >= 0:
        return max(takes, key=lambda card: strength[card])
    return min([card for card in cards if card not in takes] or cards, key=lambda card: strength[card])
