"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from typing import assert_never

from ..seats import seat_or_nobody
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


def fold(table: StichTable, event: StichEvent) -> None:  # noqa: PLR0915 - one case for each fact
    """Apply a stored fact, which has all that redaction takes away. The cases stand as often as they happen."""
    match event:
        case CardPlayed():
            table.f_card_played(event.seat, event.card, seat_or_nobody(event.next))
        case TrickBegun():
            table.f_trick_begun(event.number, event.leader, event.step, event.asked)
        case TrickWon():
            table.f_trick_won(event.number, event.seat, event.asked)
        case TrickTaken():
            table.f_trick_taken(event.number, event.seat)
        case StichDealt():
            hands, new = [hand or () for hand in event.hands], [rules or () for rules in event.new_rules]
            table.f_dealt(event.dealer, hands, new, event.rule_deck or (), event.choosers)
        case RuleChosen():
            table.f_rule_chosen(event.seat, event.rule)
        case RulesShown():
            table.f_rules_shown(event.rules)
        case GatheringBegun():
            table.f_gathering_begun(event.gathering, event.seats)
        case CardsPassed():
            table.f_cards_passed(event.seat, event.cards)
        case CardsReceived():
            table.f_cards_received([cards or () for cards in event.received], event.opened)
        case CardSetAside():
            table.f_card_set_aside(event.seat, event.card)
        case CardsSetAside():
            table.f_cards_set_aside([NOBODY if card is None else card for card in event.cards])
        case OpeningChosen():
            table.f_opening_chosen(event.seat, event.cards)
        case CardsOpened():
            table.f_cards_opened(event.cards)
        case TrumpSet():
            table.f_trump_set(SUITS.index(event.suit))
        case CardHiddenPlayed():
            table.f_card_hidden_played(event.seat, event.card)
        case CardsTurnedUp():
            table.f_cards_turned_up([(play.seat, play.card) for play in event.plays])
        case CardTakenOut():
            table.f_card_taken_out(event.seat, event.card)
        case TricksGivenAway():
            table.f_tricks_given_away(event.seat, event.to)
        case HandTricksMade():
            table.f_hand_tricks_made(event.hands)
        case RoundScored():
            table.f_round_scored(event.round, tuple((line.rule, line.totals) for line in event.lines), event.scores)
        case ChoosersShown():
            table.f_choosers_shown([tuple(NOBODY if rule is None else rule for rule in chosen) for chosen in event.chosen])
        case _:
            assert_never(event)
