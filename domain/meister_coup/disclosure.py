"""Which cards lie hidden in front of a seat, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from ..game import Hand, Seat, Shown
from .cards import COLOUR_OF, COLOURS, VALUE_OF
from .events import CardPlayed, MeisterDealt, MeisterEvent
from .table import MeisterTable


def dealt(table: MeisterTable, event: MeisterEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal."""
    if not isinstance(event, MeisterDealt):
        return ()
    return tuple(Hand(Seat(seat), tuple(map(_text, hand))) for seat, hand in enumerate(table.hands))


def shown(event: MeisterEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    return (Shown(event.seat, _text(event.card)),) if isinstance(event, CardPlayed) else ()


def _text(card: int) -> str:
    return f"{COLOURS[COLOUR_OF[card]].value}-{VALUE_OF[card]}"
