"""Which cards lie hidden in front of a seat, and which are shown: what a match commits to and can prove."""

from __future__ import annotations

from typing import assert_never

from ..game import Hand, Seat, Shown
from .cards import SUITS, suit_of, value_of
from .events import (
    CardHiddenPlayed,
    CardPlayed,
    CardSetAside,
    CardsOpened,
    CardsPassed,
    CardsReceived,
    CardsSetAside,
    CardsTurnedUp,
    CardTakenOut,
    ChoosersShown,
    GatheringBegun,
    HandTricksMade,
    OpeningChosen,
    RoundScored,
    RuleChosen,
    RulesShown,
    StichDealt,
    StichEvent,
    TrickBegun,
    TricksGivenAway,
    TrickTaken,
    TrickWon,
    TrumpSet,
)
from .table import NOBODY, StichTable


def dealt(table: StichTable, event: StichEvent) -> tuple[Hand, ...]:
    """Return all hands after a deal and after cards were passed: hand cards, the card set aside, and rule cards."""
    match event:
        case StichDealt() | CardsReceived():
            return tuple(Hand(Seat(seat), _cards(table, seat)) for seat in range(table.seats))
        case (
            RuleChosen()
            | RulesShown()
            | GatheringBegun()
            | CardsPassed()
            | CardSetAside()
            | CardsSetAside()
            | OpeningChosen()
            | CardsOpened()
            | TrickBegun()
            | CardPlayed()
            | TrumpSet()
            | CardHiddenPlayed()
            | CardsTurnedUp()
            | TrickWon()
            | CardTakenOut()
            | TrickTaken()
            | TricksGivenAway()
            | HandTricksMade()
            | RoundScored()
            | ChoosersShown()
        ):
            return ()
        case _:
            assert_never(event)


def shown(event: StichEvent) -> tuple[Shown, ...]:
    """Return the cards that come out of hands. No one knows whose rule cards are shown, so they are none of them."""
    match event:
        case CardPlayed(seat, card):
            return (Shown(seat, _text(card)),)
        case CardsTurnedUp(plays):
            return tuple(Shown(play.seat, _text(play.card)) for play in plays)
        case CardsOpened(hands) | HandTricksMade(hands):
            return tuple(Shown(Seat(seat), _text(card)) for seat, hand in enumerate(hands) for card in hand)
        case (
            StichDealt()
            | RuleChosen()
            | RulesShown()
            | GatheringBegun()
            | CardsPassed()
            | CardsReceived()
            | CardSetAside()
            | CardsSetAside()
            | OpeningChosen()
            | TrickBegun()
            | TrumpSet()
            | CardHiddenPlayed()
            | TrickWon()
            | CardTakenOut()
            | TrickTaken()
            | TricksGivenAway()
            | RoundScored()
            | ChoosersShown()
        ):
            return ()
        case _:
            assert_never(event)


def _cards(table: StichTable, seat: int) -> tuple[str, ...]:
    aside = [card for card in (table.aside[seat],) if card != NOBODY]
    rules = (f"rule-{rule}" for rule in table.rule_hands[seat])
    return (*map(_text, (*table.hands[seat], *aside)), *rules)


def _text(card: int) -> str:
    return f"{SUITS[suit_of(card)].value}-{value_of(card)}"
