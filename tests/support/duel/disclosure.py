"""Which cards of Duel are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from tafelrunde.domain.game import Hand, Seat, Shown

from .events import CardPlayed, Dealt, DuelEvent
from .table import DuelTable


def dealt(table: DuelTable, event: DuelEvent) -> tuple[Hand, ...]:
    """Return all hands after the deal."""
    if not isinstance(event, Dealt):
        return ()
    return tuple(Hand(Seat(seat), tuple(map(str, hand))) for seat, hand in enumerate(table.hands))


def shown(event: DuelEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    return (Shown(event.seat, str(event.card)),) if isinstance(event, CardPlayed) else ()
