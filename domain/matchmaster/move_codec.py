"""Moves as ints, and the commands that they stand for, one to one: a search needs no commands."""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from .cards import CARDS, MOST
from .messages import MatchMasterCommand, PlaceBid, PlayCard

BID: Final = CARDS
Move: TypeAlias = int
"""A card to play, or BID and the tricks that are bid."""

BIDS: Final = tuple(map(PlaceBid, range(MOST + 1)))
PLAYS: Final = tuple(map(PlayCard, range(CARDS)))
COMMANDS: Final[tuple[MatchMasterCommand, ...]] = (*PLAYS, *BIDS)
"""The command of each move."""


def move_of(command: MatchMasterCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case PlaceBid(tricks):
            return BID + tricks
        case _:
            assert_never(command)


def command_of(move: Move) -> MatchMasterCommand:
    """Return the command that stands for a move."""
    return COMMANDS[move]
