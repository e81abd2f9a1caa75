"""Why a move of Meister Coup is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import Final, assert_never

from ..game import Choice, Refusal, Seat
from . import stages
from .cards import CARDS, VALUE_OF, said
from .messages import AgreeToMember, MeisterCommand, PickCard, PlayCard, ProposeMember, TakeCards
from .move_codec import AGREEMENT, command_of
from .moves import MOST_PROPOSALS, best_member, legal
from .ranking import TAKEN
from .table import NOBODY, TEAMS, MeisterTable


class MeisterRefusal(Enum):
    """All reasons, each with a text under `meister-coup.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    CARD_UNKNOWN = "card-unknown"
    CARD_NOT_HELD = "card-not-held"
    NOT_IN_TRICK = "not-in-trick"
    CARD_PICKED = "card-picked"
    CARD_TWICE = "card-twice"
    WRONG_NUMBER = "wrong-number"
    MUST_TAKE_LOWER = "must-take-lower"
    NOT_IN_TEAM = "not-in-team"
    NOTHING_PROPOSED = "nothing-proposed"
    ALREADY_PROPOSED = "already-proposed"
    ONLY_BEST_LEFT = "only-best-left"


ANSWERS: Final[Mapping[int, tuple[type[MeisterCommand], ...]]] = {
    stages.LEAD: (PlayCard,),
    stages.PLAY: (PlayCard,),
    stages.PICK: (PickCard,),
    stages.TAKE: (TakeCards,),
    stages.VOTE: (AgreeToMember, ProposeMember),
}
"""The commands that answer each stage."""


def menu(table: MeisterTable, seat: int) -> list[Choice]:
    """Return what a seat could think of: any two of the cards left, any member of its team, otherwise what is legal."""
    if seat not in table.asked:
        return []
    thinkable = [command_of(move) for move in legal(table, seat)]
    if table.stage is stages.TAKE:
        thinkable = [TakeCards(cards) for cards in combinations(sorted(table.left()), TAKEN)]
    elif table.stage is stages.VOTE:
        thinkable = _votes(table, seat)
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def _votes(table: MeisterTable, seat: int) -> list[MeisterCommand]:
    """Return what a seat can think of in a vote: the agreement first."""
    return [AGREEMENT, *(ProposeMember(Seat(member)) for member in table.team(seat % TEAMS))]


def why_not(table: MeisterTable, seat: int, command: MeisterCommand) -> Refusal | None:
    """Return why a move is refused, None if and only if it is legal."""
    if seat not in table.asked:
        return Refusal(MeisterRefusal.NOT_ASKED.value)
    if type(command) not in ANSWERS[table.stage]:
        return Refusal(MeisterRefusal.NOT_NOW.value)
    match command:
        case PlayCard(card):
            return _why_not_among(table.hands[seat], card, MeisterRefusal.CARD_NOT_HELD)
        case PickCard(card):
            return _why_not_among(table.trick, card, MeisterRefusal.NOT_IN_TRICK)
        case TakeCards(cards):
            return _why_not_two(table, cards)
        case AgreeToMember():
            proposed = table.proposed[seat % TEAMS] != NOBODY
            return None if proposed else Refusal(MeisterRefusal.NOTHING_PROPOSED.value)
        case ProposeMember(member):
            return _why_not_propose(table, seat, member)
        case _:
            assert_never(command)


def _why_not_among(cards: Sequence[int], card: int, code: MeisterRefusal) -> Refusal | None:
    if card in cards:
        return None
    if not 0 <= card < CARDS:
        return Refusal(MeisterRefusal.CARD_UNKNOWN.value, {"card": card})
    return Refusal(code.value, said(card))


def _why_not_two(table: MeisterTable, cards: tuple[int, ...]) -> Refusal | None:
    """Return why these cards may not be taken: they must be two of those left, and none may be higher than one not taken."""
    if len(cards) != TAKEN:
        return Refusal(MeisterRefusal.WRONG_NUMBER.value, {"wanted": TAKEN, "given": len(cards)})
    for card in cards:
        if refusal := _why_not_among(table.trick, card, MeisterRefusal.NOT_IN_TRICK):
            return refusal
        if card == table.picked:
            return Refusal(MeisterRefusal.CARD_PICKED.value, said(card))
    if cards[0] == cards[1]:
        return Refusal(MeisterRefusal.CARD_TWICE.value, said(cards[0]))
    return _why_not_lowest(table, cards)


def _why_not_lowest(table: MeisterTable, cards: tuple[int, ...]) -> Refusal | None:
    highest = max(VALUE_OF[card] for card in cards)
    lower = [card for card in table.left() if card not in cards and VALUE_OF[card] < highest]
    if not lower:
        return None
    return Refusal(MeisterRefusal.MUST_TAKE_LOWER.value, said(min(lower, key=lambda card: (VALUE_OF[card], card))))


def _why_not_propose(table: MeisterTable, seat: int, member: int) -> Refusal | None:
    team = seat % TEAMS
    if member not in table.team(team):
        return Refusal(MeisterRefusal.NOT_IN_TEAM.value, {"seat": member})
    if member == table.proposed[team]:
        return Refusal(MeisterRefusal.ALREADY_PROPOSED.value, {"seat": member})
    best = best_member(table, team)
    if table.proposals[team] >= MOST_PROPOSALS and member != best:
        return Refusal(MeisterRefusal.ONLY_BEST_LEFT.value, {"seat": best})
    return None
