"""Moves: what a seat may do, and why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from ..game import Choice, Refusal, Seat
from .cards import CARDS, VALUE_OF, said
from .messages import AgreeToMember, MeisterCommand, PickCard, PlayCard, ProposeMember, TakeCards
from .ranking import TAKEN
from .refusals import MeisterRefusal
from .table import NOBODY, TEAMS, MeisterTable, Stage

Move: TypeAlias = int
"""A card to play, or one of these and a card to pick, two cards to take (the lower one times `CARDS`, and the other), a seat."""
PICK = CARDS
TAKE = PICK + CARDS
PROPOSE = TAKE + CARDS * CARDS
AGREE = PROPOSE + 6

PLAYS = tuple(map(PlayCard, range(CARDS)))
PICKS = tuple(map(PickCard, range(CARDS)))
AGREEMENT = AgreeToMember()
MOST_PROPOSALS = 6
"""After so many proposals in a team's vote only the best member can still be proposed: every vote comes to an end."""

ANSWERS: Mapping[int, tuple[type[MeisterCommand], ...]] = {
    Stage.LEAD: (PlayCard,),
    Stage.PLAY: (PlayCard,),
    Stage.PICK: (PickCard,),
    Stage.TAKE: (TakeCards,),
    Stage.VOTE: (AgreeToMember, ProposeMember),
}
"""The commands that answer each stage."""


def best_member(table: MeisterTable, team: int) -> int:
    """Return the member with most points of the round, then most Meistercoups, then the lowest seat."""
    points, coups, _ = table.rounds[-1]
    return max(table.team(team), key=lambda seat: (points[seat], coups[seat], -seat))


def move_of(command: MeisterCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case PickCard(card):
            return PICK + card
        case TakeCards((lower, other)):
            return TAKE + lower * CARDS + other
        case ProposeMember(member):
            return PROPOSE + member
        case _:
            return AGREE


def command_of(move: Move) -> MeisterCommand:
    """Return the command that stands for a move."""
    if move < PICK:
        return PLAYS[move]
    if move < TAKE:
        return PICKS[move - PICK]
    if move < PROPOSE:
        return TakeCards(divmod(move - TAKE, CARDS))
    return AGREEMENT if move == AGREE else ProposeMember(Seat(move - PROPOSE))


def waiting(table: MeisterTable) -> int:
    """Return the first seat that is asked, NOBODY if none is."""
    return table.asked[0] if table.asked else NOBODY


def moves(table: MeisterTable, seat: int) -> Sequence[Move]:
    """Return every move of an asked seat, in a stable order."""
    match table.stage:
        case Stage.LEAD | Stage.PLAY:
            return table.hands[seat]
        case Stage.PICK:
            return [PICK + card for card in table.trick]
        case Stage.TAKE:
            few = combinations(table.equal, TAKEN - len(table.fixed))
            return [move_of(TakeCards((*table.fixed, *chosen))) for chosen in few]
        case _:
            return [move_of(command) for command in _votes(table, seat) if why_not(table, seat, command) is None]


def legal(table: MeisterTable, seat: int) -> list[MeisterCommand]:
    """Return every legal move of a seat as a command; none if it is not asked."""
    return [command_of(move) for move in moves(table, seat)] if seat in table.asked else []


def _votes(table: MeisterTable, seat: int) -> list[MeisterCommand]:
    """Return what a seat can think of in a vote: the agreement first."""
    return [AGREEMENT, *(ProposeMember(Seat(member)) for member in table.team(seat % TEAMS))]


def menu(table: MeisterTable, seat: int) -> list[Choice]:
    """Return what a seat could think of: any two of the cards left, any member of its team, otherwise what is legal."""
    if seat not in table.asked:
        return []
    thinkable: list[MeisterCommand] = legal(table, seat)
    if table.stage == Stage.TAKE:
        thinkable = [TakeCards(cards) for cards in combinations(sorted(table.left()), TAKEN)]
    elif table.stage == Stage.VOTE:
        thinkable = _votes(table, seat)
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def default(table: MeisterTable, seat: int) -> MeisterCommand:
    """Return what is done for a seat whose time is up: the first move; in a vote it gives way, or proposes the best member."""
    if table.stage != Stage.VOTE:
        return legal(table, seat)[0]
    team = seat % TEAMS
    return ProposeMember(Seat(best_member(table, team))) if table.proposed[team] == NOBODY else AGREEMENT


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
            raise AssertionError(f"a command of Meister Coup without a rule: {command}")


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
