"""Moves as ints, and the commands that they stand for, one to one: a search needs no commands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias, assert_never, overload

from .cards import CARDS
from .messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, TakeCardOut
from .rule_cards import NUMBERS

Move: TypeAlias = int
"""A card to play, or one of these and a card, a rule, or a few cards as by `pack`."""
ASIDE: Final = CARDS
OUT: Final = ASIDE + CARDS
RULE: Final = OUT + CARDS
PASS: Final = RULE + NUMBERS + 1
OPEN: Final = PASS + CARDS**3

SINGLES: Final[tuple[StichCommand, ...]] = (
    *map(PlayCard, range(CARDS)),
    *map(SetCardAside, range(CARDS)),
    *map(TakeCardOut, range(CARDS)),
    *map(ChooseRule, range(NUMBERS + 1)),
)
"""The command of each move that names one thing."""


def pack(cards: Sequence[int]) -> int:
    """Return three cards as one number."""
    first, second, third = cards
    return (first * CARDS + second) * CARDS + third


def unpack(number: int) -> tuple[int, ...]:
    """Return the three cards of a packed number."""
    number, third = divmod(number, CARDS)
    return (*divmod(number, CARDS), third)


def move_of(command: StichCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case SetCardAside(card):
            return ASIDE + card
        case TakeCardOut(card):
            return OUT + card
        case ChooseRule(rule):
            return RULE + rule
        case PassCards(cards):
            return PASS + pack(cards)
        case OpenCards(cards):
            return OPEN + pack(cards)
        case _:
            assert_never(command)


def command_of(move: Move) -> StichCommand:
    """Return the command that stands for a move."""
    if move < PASS:
        return SINGLES[move]
    return PassCards(unpack(move - PASS)) if move < OPEN else OpenCards(unpack(move - OPEN))


FEW: Final = 3
"""How many cards are passed, laid open, or left for rule 40."""
WAYS: Final = tuple(tuple(combinations(range(size), FEW)) for size in range(20 + 1))
"""All ways to choose a few places of a hand, by its size."""


class Few(Sequence[Move]):
    """All moves that give a few cards of a hand, in the order of `combinations`: of hundreds each is made when asked."""

    def __init__(self, verb: int, hand: tuple[int, ...]) -> None:
        self.verb = verb
        self.hand = hand
        self._ways = WAYS[len(hand)]

    def __len__(self) -> int:
        return len(self._ways)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [self._move(way) for way in self._ways[index]]
        return self._move(self._ways[index])

    def _move(self, way: Sequence[int]) -> Move:
        return self.verb + pack([self.hand[place] for place in way])


def commands_of(moves: Sequence[Move]) -> list[StichCommand]:
    """Return the commands of moves. Those of a hand from which a few cards are given are kept: there are hundreds."""
    return list(_gifts(moves.verb, moves.hand)) if isinstance(moves, Few) else [SINGLES[move] for move in moves]


@lru_cache(maxsize=512)
def _gifts(verb: int, hand: tuple[int, ...]) -> tuple[StichCommand, ...]:
    return tuple(map(PassCards if verb == PASS else OpenCards, combinations(hand, FEW)))
