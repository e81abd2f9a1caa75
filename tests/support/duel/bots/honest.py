"""Bots of Duel that see a view and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from tafelrunde.domain.game import Budget, Character, Level, Message, Rng

from ..cards import RANKS, rank
from ..messages import Bid, DuelCommand, PlayCard
from ..view import DuelView

STEADY = Character(
    Level.RULES, Message(de="Der Stete", en="Steady"), Message(de="nimmt den ersten Zug", en="takes the first move")
)
GOOD = RANKS - 2
"""A card from this rank up should take a trick."""


class SteadyBot:
    """Takes the first legal command."""

    def choose(self, view: DuelView, legal: Sequence[DuelCommand], rng: Rng, budget: Budget) -> DuelCommand:
        """Return the first of *legal*."""
        return legal[0]


class HonestBot:
    """Bids its good cards, and plays high while it still needs tricks, low after that."""

    def choose(self, view: DuelView, legal: Sequence[DuelCommand], rng: Rng, budget: Budget) -> DuelCommand:
        """Return one of *legal*."""
        if isinstance(legal[0], Bid):
            wanted = sum(rank(card) >= GOOD for card in view.hand or ())
            return min(legal, key=lambda bid: abs(bid.tricks - wanted) if isinstance(bid, Bid) else RANKS)
        cards = [play.card for play in legal if isinstance(play, PlayCard)]
        return PlayCard(max(cards, key=rank) if wants_trick(view) else min(cards, key=rank))


def wants_trick(view: DuelView) -> bool:
    """Return whether the viewer has taken fewer tricks than it bid."""
    return view.seat is not None and view.bid is not None and view.taken[view.seat] < view.bid
