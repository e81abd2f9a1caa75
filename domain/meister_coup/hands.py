"""Which cards lie hidden in front of a seat, which are shown, and what each viewer is told of an event."""

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


def redact(event: MeisterEvent, seat: Seat | None) -> MeisterEvent | None:
    """Return the event as *seat* (None: a spectator) may know it: all is open but the values of other hands."""
    if not isinstance(event, MeisterDealt):
        return event
    hands = tuple(hand if place == seat else None for place, hand in enumerate(event.hands))
    return MeisterDealt(event.round, event.leader, event.diamonds, event.colours, hands)


def _text(card: int) -> str:
    return f"{COLOURS[COLOUR_OF[card]].value}-{VALUE_OF[card]}"
