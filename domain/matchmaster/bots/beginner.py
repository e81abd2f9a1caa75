"""The beginner's bot of MatchMaster: it counts its high cards, bids that, and takes tricks with high ones while it misses some.

Its mistakes are those of a first evening: it does not reckon with being trumped or with how many play, always leads low, and
lays down its low cards first once its bid is met, so that it keeps the high ones that take tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ..cards import TRUMP, suit_of, value_of
from ..messages import MatchMasterCommand, PlaceBid, PlayCard
from ..moves import winning
from ..view import MatchMasterView

HIGH: Final = 11
HIGH_TRUMP: Final = 7
"""A plain card, or a trump, of at least that value takes a trick in its eyes."""


class BeginnerBot:
    """Bids its high cards, and looks at the running trick alone."""

    def choose(self, view: MatchMasterView, legal: Sequence[MatchMasterCommand], rng: Rng, budget: Budget) -> MatchMasterCommand:
        """Return one of *legal*. It draws no chance and does not search."""
        if isinstance(legal[0], PlaceBid):
            wanted = sum(_looks_high(card) for card in view.hand)
            return min((bid for bid in legal if isinstance(bid, PlaceBid)), key=lambda bid: abs(bid.tricks - wanted))
        return PlayCard(_card(view, [play.card for play in legal if isinstance(play, PlayCard)]))


def _looks_high(card: int) -> bool:
    return value_of(card) >= (HIGH_TRUMP if suit_of(card) == TRUMP else HIGH)


def _card(view: MatchMasterView, cards: Sequence[int]) -> int:
    """Return its highest card that takes the trick while tricks are missing, and its lowest card otherwise."""
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    trick = [play.card for play in view.trick]
    takes = [card for card in cards if trick and winning([*trick, card]) == len(trick)]
    if (own.bid or 0) > own.tricks and takes:
        return max(takes, key=value_of)
    return min([card for card in cards if card not in takes] or cards, key=value_of)
