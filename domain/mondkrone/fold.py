"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from typing import assert_never

from .cards import INDEX, ints
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


def fold(table: MondkroneTable, event: MondkroneEvent) -> None:
    """Apply a stored fact."""
    match event:
        case RoundDealt(_, pile, palettes, _, _, hands, deck):
            table.f_round_dealt(INDEX[pile], ints(palettes), [ints(hand) for hand in hands], ints(deck))
        case TurnBegun(seat):
            table.f_turn_begun(seat)
        case CardPlayed(seat, card):
            table.f_card_played(seat, INDEX[card])
        case CardDiscarded(seat, card):
            table.f_card_discarded(seat, INDEX[card])
        case CardsDrawn(seat, _, cards):
            table.f_cards_drawn(seat, ints(cards))
        case SeatDroppedOut(seat):
            table.f_seat_dropped_out(seat)
        case RoundWon(seat, asked):
            table.f_round_won(seat, asked)
        case CardsLaidAside(seat, cards, points):
            table.f_cards_laid_aside(seat, sum(1 << card for card in ints(cards)), points)
        case MondkroneWon(winners):
            table.f_won(winners)
        case _:
            assert_never(event)
