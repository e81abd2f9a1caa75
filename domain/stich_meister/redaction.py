"""What each viewer is told of an event."""

from __future__ import annotations

from ..game import Seat
from .events import (
    CardHiddenPlayed,
    CardSetAside,
    CardsPassed,
    CardsReceived,
    CardsSetAside,
    OpeningChosen,
    RuleChosen,
    StichDealt,
    StichEvent,
)


def redact(event: StichEvent, seat: Seat | None) -> StichEvent | None:
    """Return the event as *seat* (None: a spectator) may know it."""
    match event:
        case StichDealt(number, dealer, hands, new_rules, _, choosers):
            mine = tuple(hand if place == seat else None for place, hand in enumerate(hands))
            rules = tuple(new if place == seat else None for place, new in enumerate(new_rules))
            return StichDealt(number, dealer, mine, rules, None, choosers)
        case CardsReceived(received, opened):
            return CardsReceived(tuple(cards if place == seat else None for place, cards in enumerate(received)), opened)
        case CardsSetAside(cards):
            return CardsSetAside(tuple(card if place == seat else None for place, card in enumerate(cards)))
        case RuleChosen(whose) | CardsPassed(whose) | CardSetAside(whose) | OpeningChosen(whose) | CardHiddenPlayed(whose):
            return event if whose == seat else None
        case _:
            return event
