"""Which cards of MatchMaster are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from ..game import Hand, Seat, Shown
from .cards import name_of
from .events import MatchMasterCardPlayed, MatchMasterDealt, MatchMasterEvent
from .table import MatchMasterTable


def dealt(table: MatchMasterTable, event: MatchMasterEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal."""
    if not isinstance(event, MatchMasterDealt):
        return ()
    return tuple(Hand(Seat(seat), tuple(map(name_of, hand))) for seat, hand in enumerate(table.hands))


def shown(event: MatchMasterEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    return (Shown(event.seat, name_of(event.card)),) if isinstance(event, MatchMasterCardPlayed) else ()
