"""Folding: each stored event through the fact that it tells."""

from __future__ import annotations

from typing import assert_never

from ..seats import seat_or_nobody
from .cards import COLOURS
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


def fold(table: MeisterTable, event: MeisterEvent) -> None:
    """Apply a stored fact, which has all that redaction takes away."""
    match event:
        case MeisterDealt(_, leader, diamonds, _, hands):
            table.f_dealt(leader, diamonds, [hand or () for hand in hands])
        case CardPlayed(seat, card, following):
            table.f_card_played(seat, card, seat_or_nobody(following))
        case TrickRanked(_, _, colour, _, _, ranking):
            table.f_trick_ranked(ranking, COLOURS.index(colour))
        case CardPicked(seat, card):
            table.f_card_picked(seat, card)
        case ChoiceGiven(seat, fixed, equal):
            table.f_choice_given(seat, fixed, equal)
        case CardsTaken(seat, cards):
            table.f_cards_taken(seat, cards)
        case MeistercoupTicked(seat, in_round, total):
            table.f_meistercoup_ticked(seat, in_round, total)
        case TrickCleared(_, out, leader, asked):
            table.f_trick_cleared(out, leader, asked)
        case RoundScored(_, points, coups, voters):
            table.f_round_scored(points, coups, voters)
        case MemberProposed(seat, member, again):
            table.f_member_proposed(seat, member, again)
        case MemberAgreed(seat, member):
            table.f_member_agreed(seat, member)
        case ResultEntered(team, member, points, coups):
            table.f_result_entered(team, member, points, coups)
        case MatchWon(winners, reason):
            table.f_won(winners, reason)
        case _:
            assert_never(event)
