"""Which cards of MatchMaster are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from typing import assert_never

from ..game import Hand, Seat, Shown
from .cards import name_of
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


def dealt(table: MatchMasterTable, event: MatchMasterEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal."""
    match event:
        case MatchMasterDealt():
            return tuple(Hand(Seat(seat), tuple(map(name_of, hand))) for seat, hand in enumerate(table.hands))
        case BidPlaced() | MatchMasterBidsShown() | MatchMasterCardPlayed() | MatchMasterTrickWon() | MatchMasterRoundScored():
            return ()
        case _:
            assert_never(event)


def shown(event: MatchMasterEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    match event:
        case MatchMasterCardPlayed(seat, card):
            return (Shown(seat, name_of(card)),)
        case MatchMasterDealt() | BidPlaced() | MatchMasterBidsShown() | MatchMasterTrickWon() | MatchMasterRoundScored():
            return ()
        case _:
            assert_never(event)
