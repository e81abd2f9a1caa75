"""Commands and the moves that they stand for, one to one."""

from __future__ import annotations

from typing import Final, assert_never

from .cards import CARDS, INDEX, cards_in, named
from .conditions import PLACES
from .messages import DiscardToPile, DropOut, LayAside, MondkroneCommand, PlayAndDiscard, PlayToPalette
from .moves import BOTH, DISCARD, DROP_OUT, LAY_ASIDE, PLAY, Move, pair

PLAYS: Final = [PlayToPalette(card) for card in CARDS]
DISCARDS: Final = [DiscardToPile(card) for card in CARDS]
PAIRS: Final = [[PlayAndDiscard(played, put) for put in CARDS] for played in CARDS]
OUT: Final = DropOut()


def move_of(command: MondkroneCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayToPalette(card):
            return PLAY, INDEX[card]
        case DiscardToPile(card):
            return DISCARD, INDEX[card]
        case PlayAndDiscard(played, put):
            return BOTH, pair(INDEX[played], INDEX[put])
        case LayAside(cards):
            return LAY_ASIDE, sum(1 << INDEX[card] for card in cards)
        case DropOut():
            return DROP_OUT, 0
        case _:
            assert_never(command)


def command_of(move: Move) -> MondkroneCommand:
    """Return the command that stands for a move."""
    verb, argument = move
    if verb == PLAY:
        return PLAYS[argument]
    if verb == DISCARD:
        return DISCARDS[argument]
    if verb == BOTH:
        return PAIRS[argument // PLACES][argument % PLACES]
    return OUT if verb == DROP_OUT else LayAside(named(cards_in(argument)))
