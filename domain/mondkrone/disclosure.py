"""Which cards of Mondkrone are dealt face down, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ..game import Hand, Seat, Shown
from .cards import named
from .events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    CardsLaidAside,
    MondkroneEvent,
    MondkroneWon,
    RoundDealt,
    RoundWon,
    SeatDroppedOut,
    TurnBegun,
)
from .table import MondkroneTable


def dealt(table: MondkroneTable, event: MondkroneEvent) -> tuple[Hand, ...]:
    """Return the hands that an event has dealt or added to."""
    match event:
        case RoundDealt():
            return _hands(table, range(table.seats))
        case CardsDrawn(seat):
            return _hands(table, (seat,))
        case TurnBegun() | CardPlayed() | CardDiscarded() | SeatDroppedOut() | RoundWon() | CardsLaidAside() | MondkroneWon():
            return ()
        case _:
            assert_never(event)


def shown(event: MondkroneEvent) -> tuple[Shown, ...]:
    """Return the card that an event puts from a hand onto the table."""
    match event:
        case CardPlayed(seat, card) | CardDiscarded(seat, card):
            return (Shown(seat, card.value),)
        case RoundDealt() | TurnBegun() | CardsDrawn() | SeatDroppedOut() | RoundWon() | CardsLaidAside() | MondkroneWon():
            return ()
        case _:
            assert_never(event)


def _hands(table: MondkroneTable, seats: Iterable[int]) -> tuple[Hand, ...]:
    return tuple(Hand(Seat(seat), tuple(card.value for card in named(table.hands[seat]))) for seat in seats)
