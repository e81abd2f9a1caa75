"""One match in play, said action by action: what all environments stand on. It runs on the rules alone, as searches do."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from typing import TypeVar

from ..domain.game import AnyGame, Chance, GameView, Options, Seat, Standing, Table
from ..domain.seats import NOBODY
from .actions import Sentence, vocabulary_of
from .observations import Row, layout_of

Element = TypeVar("Element")


class SeededChance:
    """Chance from a seeded generator: quick, repeatable and predictable, so never for a match that counts."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        luck = self._random
        return sorted(items, key=lambda _: luck())

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return int(self._random() * bound)


class Course:
    """A table, the seat that is asked (NOBODY once it is over), and what that seat has said so far of its command.

    Of several seats that are asked at once, it is the first that has not answered; it cannot see what the others have answered.
    """

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.vocabulary = vocabulary_of(game, seats)
        self.layout = layout_of(game, seats)
        self.width = len(self.layout.names) + len(self.vocabulary)
        """The length of a row: the view's places, and one for each action that is said already."""
        self._rules = game.rulebook
        self._empty = bytes(4 * self.width)
        self._mask = bytes(len(self.vocabulary))

    def deal(self, chance: Chance) -> None:
        """Begin a match. All its chance comes from *chance*."""
        self._chance = chance
        table = self.game.create(self.options, self.seats)
        self._rules.set_up(table, chance)
        self.take_up(table)

    def deal_again(self) -> None:
        """Begin another match with what is left of the chance."""
        self.deal(self._chance)

    def take_up(self, table: Table) -> None:
        """Go on from a table."""
        self.table = table
        self._ask()

    def _ask(self) -> None:
        self.asked = self._rules.waiting(self.table)
        if self.asked != NOBODY:
            self.sentence = Sentence(self.vocabulary, self._rules.legal(self.table, self.asked), self.asked)

    def say(self, action: int) -> bool:
        """Let the asked seat take one action; return whether that ended a command. Raises ValueError if it is not possible."""
        move = self.sentence.say(action)
        if move is None:
            return False
        self.carry_out(self.asked, move)
        return True

    def carry_out(self, seat: int, move: object) -> None:
        """Carry out a legal move of a seat that is asked."""
        self._rules.apply(self.table, seat, move, self._chance)
        self._ask()

    def view(self, seat: int) -> GameView:
        """Return what a seat may know."""
        return self._rules.view(self.table, Seat(seat))

    def row(self, seat: int) -> Row:
        """Return the observation of a seat."""
        return self.row_saying(seat, self.sentence.said if seat == self.asked else ())

    def row_saying(self, seat: int, said: Sequence[int]) -> Row:
        """Return the observation of a seat that has said this of its command."""
        row = array("f", self._empty)
        self.layout.fill(self._rules.view(self.table, Seat(seat)), row)
        start = len(self.layout.names)
        for word in said:
            row[start + word] = 1.0
        return row

    def mask(self, seat: int) -> bytearray:
        """Return a 1 for each action that a seat can take now, and a 0 for the others."""
        mask = bytearray(self._mask)
        if seat == self.asked:
            for word in self.sentence.next:
                mask[word] = 1
        return mask

    def rewards(self) -> list[float]:
        """Return each seat's reward, once the match is over."""
        standing = self.game.standing(self.table)
        assert standing is not None, "a table that asks nobody is over"
        return rewards(standing)


def rewards(standing: Standing) -> list[float]:
    """Return each seat's reward: the number of seats it beats less the number that beat it, as a share of the others."""
    ranks = [placing.rank for placing in standing.placings]
    return [sum((other > rank) - (other < rank) for other in ranks) / (len(ranks) - 1) for rank in ranks]
