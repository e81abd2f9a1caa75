"""Which cards lie hidden in front of a seat, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from typing import assert_never

from ..game import Hand, Seat, Shown
from .cards import COLOUR_OF, COLOURS, VALUE_OF
from .events import (
    CardPicked,
    CardPlayed,
    CardsTaken,
    ChoiceGiven,
    MatchWon,
    MeistercoupTicked,
    MeisterDealt,
    MeisterEvent,
    MemberAgreed,
    MemberProposed,
    ResultEntered,
    RoundScored,
    TrickCleared,
    TrickRanked,
)
from .table import MeisterTable


def dealt(table: MeisterTable, event: MeisterEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal."""
    match event:
        case MeisterDealt():
            return tuple(Hand(Seat(seat), tuple(map(_text, hand))) for seat, hand in enumerate(table.hands))
        case (
            CardPlayed()
            | TrickRanked()
            | CardPicked()
            | ChoiceGiven()
            | CardsTaken()
            | MeistercoupTicked()
            | TrickCleared()
            | RoundScored()
            | MemberProposed()
            | MemberAgreed()
            | ResultEntered()
            | MatchWon()
        ):
            return ()
        case _:
            assert_never(event)


def shown(event: MeisterEvent) -> tuple[Shown, ...]:
    """Return the card that comes out of a hand."""
    match event:
        case CardPlayed(seat, card):
            return (Shown(seat, _text(card)),)
        case (
            MeisterDealt()
            | TrickRanked()
            | CardPicked()
            | ChoiceGiven()
            | CardsTaken()
            | MeistercoupTicked()
            | TrickCleared()
            | RoundScored()
            | MemberProposed()
            | MemberAgreed()
            | ResultEntered()
            | MatchWon()
        ):
            return ()
        case _:
            assert_never(event)


def _text(card: int) -> str:
    return f"{COLOURS[COLOUR_OF[card]].value}-{VALUE_OF[card]}"
