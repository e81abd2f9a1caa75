"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from typing import assert_never

from .events import (
    BidPlaced,
    MatchMasterBidsShown,
    MatchMasterCardPlayed,
    MatchMasterDealt,
    MatchMasterEvent,
    MatchMasterRoundScored,
    MatchMasterTrickWon,
)
from .table import MatchMasterTable


def fold(table: MatchMasterTable, event: MatchMasterEvent) -> None:
    """Apply a stored fact."""
    match event:
        case MatchMasterDealt(number, _, dealer, hands):
            table.f_dealt(number, dealer, hands)
        case BidPlaced(seat, tricks):
            table.f_bid_placed(seat, tricks)
        case MatchMasterBidsShown(bids):
            table.f_bids_shown(bids)
        case MatchMasterCardPlayed(seat, card):
            table.f_card_played(seat, card)
        case MatchMasterTrickWon(seat):
            table.f_trick_won(seat)
        case MatchMasterRoundScored(_, points):
            table.f_round_scored(points)
        case _:
            assert_never(event)
