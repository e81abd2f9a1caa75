"""Which cards of Duel are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from typing import assert_never

from tafelrunde.domain.game import Hand, Seat, Shown

from .events import (
    BidMade,
    BidsShown,
    CardPlayed,
    Dealt,
    DuelEvent,
    Scored,
    TrickTaken,
)
from .table import DuelTable


def dealt(table: DuelTable, event: DuelEvent) -> tuple[Hand, ...]:
    """Return all hands after the deal."""
    match event:
        case Dealt():
            return tuple(Hand(Seat(seat), tuple(map(str, hand))) for seat, hand in enumerate(table.hands))
        case BidMade() | BidsShown() | CardPlayed() | TrickTaken() | Scored():
            return ()
        case _:
            assert_never(event)


def shown(event: DuelEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    match event:
        case CardPlayed(seat, card):
            return (Shown(seat, str(card)),)
        case Dealt() | BidMade() | BidsShown() | TrickTaken() | Scored():
            return ()
        case _:
            assert_never(event)
