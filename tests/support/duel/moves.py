"""Which moves are legal: bids up to the number of cards, and the duty to follow suit."""

from __future__ import annotations

from collections.abc import Sequence

from tafelrunde.domain.game import Seat
from tafelrunde.domain.seats import NOBODY

from .cards import suit
from .move_codec import BID, Move
from .table import DuelTable


def asked(table: DuelTable) -> tuple[Seat, ...]:
    """Return the seats that are asked, as far as all players know."""
    if not table.stage.prompt:
        return ()
    return (table.turn,) if table.shown else tuple(map(Seat, range(table.seats)))


def waiting(table: DuelTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    return next((seat for seat in asked(table) if table.shown or table.bids[seat] is None), NOBODY)


def playable(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
    """Return the cards of a hand that may be played to a trick."""
    return [card for card in hand if suit(card) == suit(trick[0])] or hand if trick else hand


def winning(trick: Sequence[int]) -> int:
    """Return the place of the card that wins a trick: the highest of the led suit."""
    return trick.index(max(card for card in trick if suit(card) == suit(trick[0])))


def legal(table: DuelTable, seat: int) -> Sequence[Move]:
    """Return all moves of a seat; none if it is not asked."""
    if seat not in asked(table):
        return ()
    if table.shown:
        return playable(table.hands[seat], table.trick())
    return [BID + tricks for tricks in range(table.options.cards + 1) if tricks != table.bids[seat]]
