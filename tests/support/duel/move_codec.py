"""Moves as ints, and the commands that they stand for, one to one: a search needs no commands."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from .cards import DECK
from .messages import Bid, DuelCommand, PlayCard

BID = len(DECK)
Move: TypeAlias = int
"""A card to play, or BID and the tricks that are bid."""


def move_of(command: DuelCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case Bid(tricks):
            return BID + tricks
        case _:
            assert_never(command)


def command_of(move: Move) -> DuelCommand:
    """Return the command that stands for a move."""
    return PlayCard(move) if move < BID else Bid(move - BID)
