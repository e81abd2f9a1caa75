"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from ..game import Event
from .cards import SUITS
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


def fold(table: StichTable, event: StichEvent) -> None:
    """Apply a stored fact, which has all that redaction takes away."""
    FOLDS[type(event)](table, event)


def _dealt(table: StichTable, event: StichDealt) -> None:
    hands, new = [hand or () for hand in event.hands], [rules or () for rules in event.new_rules]
    table.f_dealt(event.dealer, hands, new, event.rule_deck or (), event.choosers)


def _rule_chosen(table: StichTable, event: RuleChosen) -> None:
    table.f_rule_chosen(event.seat, event.rule)


def _rules_shown(table: StichTable, event: RulesShown) -> None:
    table.f_rules_shown(event.rules)


def _gathering_begun(table: StichTable, event: GatheringBegun) -> None:
    table.f_gathering_begun(event.gathering, event.seats)


def _cards_passed(table: StichTable, event: CardsPassed) -> None:
    table.f_cards_passed(event.seat, event.cards)


def _cards_received(table: StichTable, event: CardsReceived) -> None:
    table.f_cards_received([cards or () for cards in event.received], event.opened)


def _card_set_aside(table: StichTable, event: CardSetAside) -> None:
    table.f_card_set_aside(event.seat, event.card)


def _cards_set_aside(table: StichTable, event: CardsSetAside) -> None:
    table.f_cards_set_aside([NOBODY if card is None else card for card in event.cards])


def _opening_chosen(table: StichTable, event: OpeningChosen) -> None:
    table.f_opening_chosen(event.seat, event.cards)


def _cards_opened(table: StichTable, event: CardsOpened) -> None:
    table.f_cards_opened(event.cards)


def _trick_begun(table: StichTable, event: TrickBegun) -> None:
    table.f_trick_begun(event.number, event.leader, event.step, event.asked)


def _card_played(table: StichTable, event: CardPlayed) -> None:
    table.f_card_played(event.seat, event.card, NOBODY if event.next is None else event.next)


def _trump_set(table: StichTable, event: TrumpSet) -> None:
    table.f_trump_set(SUITS.index(event.suit))


def _card_hidden_played(table: StichTable, event: CardHiddenPlayed) -> None:
    table.f_card_hidden_played(event.seat, event.card)


def _cards_turned_up(table: StichTable, event: CardsTurnedUp) -> None:
    table.f_cards_turned_up([(play.seat, play.card) for play in event.plays])


def _trick_won(table: StichTable, event: TrickWon) -> None:
    table.f_trick_won(event.number, event.seat, event.asked)


def _card_taken_out(table: StichTable, event: CardTakenOut) -> None:
    table.f_card_taken_out(event.seat, event.card)


def _trick_taken(table: StichTable, event: TrickTaken) -> None:
    table.f_trick_taken(event.number, event.seat)


def _tricks_given_away(table: StichTable, event: TricksGivenAway) -> None:
    table.f_tricks_given_away(event.seat, event.to)


def _hand_tricks_made(table: StichTable, event: HandTricksMade) -> None:
    table.f_hand_tricks_made(event.hands)


def _round_scored(table: StichTable, event: RoundScored) -> None:
    table.f_round_scored(event.round, tuple((line.rule, line.totals) for line in event.lines), event.scores)


def _choosers_shown(table: StichTable, event: ChoosersShown) -> None:
    table.f_choosers_shown([tuple(NOBODY if rule is None else rule for rule in chosen) for chosen in event.chosen])


FOLDS = cast(
    "Mapping[type[Event], Callable[[StichTable, Event], None]]",  # each entry takes the very event that it stands under
    {
        StichDealt: _dealt,
        RuleChosen: _rule_chosen,
        RulesShown: _rules_shown,
        GatheringBegun: _gathering_begun,
        CardsPassed: _cards_passed,
        CardsReceived: _cards_received,
        CardSetAside: _card_set_aside,
        CardsSetAside: _cards_set_aside,
        OpeningChosen: _opening_chosen,
        CardsOpened: _cards_opened,
        TrickBegun: _trick_begun,
        CardPlayed: _card_played,
        TrumpSet: _trump_set,
        CardHiddenPlayed: _card_hidden_played,
        CardsTurnedUp: _cards_turned_up,
        TrickWon: _trick_won,
        CardTakenOut: _card_taken_out,
        TrickTaken: _trick_taken,
        TricksGivenAway: _tricks_given_away,
        HandTricksMade: _hand_tricks_made,
        RoundScored: _round_scored,
        ChoosersShown: _choosers_shown,
    },
)
