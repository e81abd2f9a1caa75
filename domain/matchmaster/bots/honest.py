"""The honest bot of MatchMaster: it bids what its hand is worth, and then plays for exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng
from ..cards import CARDS, TRUMP, VALUES, suit_of, value_of
from ..messages import MatchMasterCommand, PlaceBid, PlayCard
from ..moves import winning
from ..view import MatchMasterView

BEATEN_LATER: Final = 0.45
"""How often a trump still takes a trick although someone holds a higher one."""
UNRUFFED: Final = 0.8
"""How often a plain card is not trumped, for each opponent."""


class HonestBot:
    """Counts the tricks that its cards should take, bids that, and takes no more and no fewer if it can."""

    def choose(self, view: MatchMasterView, legal: Sequence[MatchMasterCommand], rng: Rng, budget: Budget) -> MatchMasterCommand:
        """Return one of *legal*."""
        if isinstance(legal[0], PlaceBid):
            wanted = round(worth(view))
            return min((bid for bid in legal if isinstance(bid, PlaceBid)), key=lambda bid: abs(bid.tricks - wanted))
        return PlayCard(choose(view, [play.card for play in legal if isinstance(play, PlayCard)]))


def worth(view: MatchMasterView) -> float:
    """Return how many tricks the hand should take."""
    others = (len(view.seats) - 1) * view.size
    held = others / (CARDS - view.size)
    return min(sum(_chance(card, view, held) for card in view.hand), float(view.size))


def _chance(card: int, view: MatchMasterView, held: float) -> float:
    """Return how likely a card takes a trick; `held` is the share of unseen cards that others hold."""
    suit = suit_of(card)
    top = (suit_of(card) + 1) * VALUES
    above = sum(other not in view.hand for other in range(card + 1, top))
    highest = (1 - held) ** above
    if suit == TRUMP:
        return highest + (1 - highest) * BEATEN_LATER * value_of(card) / VALUES
    return highest * UNRUFFED ** (len(view.seats) - 1)


def choose(view: MatchMasterView, cards: Sequence[int]) -> int:
    """Return the card to play: towards the bid while tricks are missing, away from more tricks after that."""
    own = next(seat for seat in view.seats if seat.seat == view.seat)
    missing = (own.bid or 0) - own.tricks
    trick = [play.card for play in view.trick]
    if not trick:
        return max(cards, key=_strength) if missing > 0 else min(cards, key=_strength)
    takes = [card for card in cards if winning([*trick, card]) == len(trick)]
    leaves = [card for card in cards if card not in takes]
    if missing > 0:
        return _taking(view, takes, leaves)
    return max(leaves, key=_strength) if leaves else max(takes, key=_strength)


def _taking(view: MatchMasterView, takes: Sequence[int], leaves: Sequence[int]) -> int:
    """Return the cheapest card that wins if no one plays after it, else the strongest; the weakest if none wins."""
    if not takes:
        return min(leaves, key=_strength)
    last = len(view.trick) == len(view.seats) - 1
    return min(takes, key=_strength) if last else max(takes, key=_strength)


def _strength(card: int) -> int:
    return value_of(card) + (VALUES if suit_of(card) == TRUMP else 0)
