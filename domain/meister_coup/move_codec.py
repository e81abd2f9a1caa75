"""Moves as ints, and the commands that they stand for, one to one: a search needs no commands."""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from ..game import Seat
from .cards import CARDS
from .messages import AgreeToMember, MeisterCommand, PickCard, PlayCard, ProposeMember, TakeCards

Move: TypeAlias = int
"""A card to play, or one of these and a card to pick, two cards to take (the lower one times `CARDS`, and the other), a seat."""
PICK: Final = CARDS
TAKE: Final = PICK + CARDS
PROPOSE: Final = TAKE + CARDS * CARDS
AGREE: Final = PROPOSE + 6

PLAYS: Final = tuple(map(PlayCard, range(CARDS)))
PICKS: Final = tuple(map(PickCard, range(CARDS)))
AGREEMENT: Final = AgreeToMember()


def move_of(command: MeisterCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case PickCard(card):
            return PICK + card
        case TakeCards(cards):
            return TAKE + cards[0] * CARDS + cards[1]
        case ProposeMember(member):
            return PROPOSE + member
        case AgreeToMember():
            return AGREE
        case _:
            assert_never(command)


def command_of(move: Move) -> MeisterCommand:
    """Return the command that stands for a move."""
    if move < PICK:
        return PLAYS[move]
    if move < TAKE:
        return PICKS[move - PICK]
    if move < PROPOSE:
        return TakeCards(divmod(move - TAKE, CARDS))
    return AGREEMENT if move == AGREE else ProposeMember(Seat(move - PROPOSE))
