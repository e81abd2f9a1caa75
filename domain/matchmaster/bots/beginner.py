"""The beginner's bot of MatchMaster: it counts its high cards, bids that, and takes tricks with high ones while it misses some.

Its mistakes are those of a first evening: it does not reckon with being trumped, takes middling cards for high ones where three
or four play, leads low while it needs only some of the tricks, and lays down its low cards first once its bid is met, so that it
keeps the high ones that take tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ..cards import TRUMP, suit_of, value_of
from ..messages import MatchMasterCommand, PlaceBid, PlayCard
from ..moves import winning
from ..view import MatchMasterView

HIGH: Final = (11, 7)
HIGH_AMONG: Final = {3: (8, 4), 4: (10, 6)}
"""A plain card, and a trump, of at least that value takes a trick in its eyes: with these numbers of seats, and with others."""


class BeginnerBot:
    """Bids its high cards, and looks at the running trick alone."""

    def choose(self, view: MatchMasterView, legal: Sequence[MatchMasterCommand], rng: Rng, budget: Budget) -> MatchMasterCommand:
        """Return one of *legal*. It draws no chance and does not search."""
        if isinstance(legal[0], PlaceBid):
            plain, trump = HIGH_AMONG.get(len(view.seats), HIGH)
            wanted = sum(value_of(card) >= (trump if suit_of(card) == TRUMP else plain) for card in view.hand)
            return min((bid for bid in legal if isinstance(bid, PlaceBid)), key=lambda bid: abs(bid.tricks - wanted))
        return PlayCard(_card(view, [play.card for play in legal if isinstance(play, PlayCard)]))


def _card(view: MatchMasterView, cards: Sequence[int]) -> int:
    """Return its highest card where that takes a missing trick, or where all tricks left are missing; else a low one."""
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    trick = [play.card for play in view.trick]
    missing = (own.bid or 0) - own.tricks
    takes = [card for card in cards if trick and winning([*trick, card]) == len(trick)]
    if missing > 0 and takes:
        return max(takes, key=value_of)
    if missing >= len(view.hand) and not trick:
        return max(cards, key=lambda card: (suit_of(card) == TRUMP, value_of(card)))
    return min([card for card in cards if card not in takes] or cards, key=value_of)
