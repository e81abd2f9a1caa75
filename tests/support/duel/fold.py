"""Folding: each stored event through the fact that it stands for."""

from __future__ import annotations

from typing import assert_never

from .events import BidMade, BidsShown, CardPlayed, Dealt, DuelEvent, Scored, TrickTaken
from .table import DuelTable


def fold(table: DuelTable, event: DuelEvent) -> None:
    """Apply a stored fact."""
    match event:
        case Dealt(first, hands):
            table.f_dealt(first, hands)
        case BidMade(seat, tricks):
            table.f_bid_made(seat, tricks)
        case BidsShown(bids):
            table.f_bids_shown(bids)
        case CardPlayed(seat, card):
            table.f_card_played(seat, card)
        case TrickTaken(seat, prize):
            table.f_trick_taken(seat, prize)
        case Scored(scores):
            table.f_scored(scores)
        case _:
            assert_never(event)
