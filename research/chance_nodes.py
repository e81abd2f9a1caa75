"""A match whose chance is chosen from outside, draw by draw: what a game tree needs, where the rules ask a source of chance.

A move that needs chance is carried out on a copy of the table with the draws so far. If they are not enough, the copy is thrown
away, and it is known which draws are missing; so each shuffle or draw of a move costs one more attempt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..domain.event import Event
from ..domain.game import AnyGame, GameView, Options, Seat, Table
from ..domain.seats import NOBODY
from ..domain.secrecy import redact
from .actions import Sentence, vocabulary_of
from .course import rewards
from .observations import Row, layout_of

Element = TypeVar("Element")


class Undrawn(Exception):
    """There are draws missing: *bounds* says how many outcomes each has, one after the other."""

    def __init__(self, bounds: Sequence[int]) -> None:
        super().__init__(f"{len(bounds)} draws are missing")
        self.bounds = bounds


class GivenDraws:
    """Chance from draws that were given; all outcomes of a draw are equally likely."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = draws
        self._used = 0

    def _take(self, bounds: Sequence[int]) -> Sequence[int]:
        taken = self._draws[self._used : self._used + len(bounds)]
        if len(taken) < len(bounds):
            raise Undrawn(bounds[len(taken) :])
        self._used += len(bounds)
        return taken

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in the order that the draws say: each takes one of those that are left."""
        left = list(items)
        drawn = [left.pop(place) for place in self._take(range(len(items), 1, -1))]
        return [*drawn, *left]

    def below(self, label: str, bound: int) -> int:
        """Return the next draw."""
        return self._take((bound,))[0] if bound > 1 else 0


class Tree:
    """A node: a seat says an action, chance draws, or the match is over. A copy is a node of its own.

    `events` are all facts so far, of which a seat remembers those that it has been shown.
    """

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.vocabulary = vocabulary_of(game, seats)
        self.layout = layout_of(game, seats)
        self.table: Table = game.create(options, seats)
        self.events: tuple[Event, ...] = ()
        self.asked = NOBODY
        self.bounds: Sequence[int] = ()
        """How many outcomes each missing draw has; empty where no chance is due."""
        self._draws: list[int] = []
        self._move: object = None
        self._carry_out()

    def __deepcopy__(self, memo: object) -> Tree:
        """Return a copy: what OpenSpiel asks for when it clones a state."""
        return self.copy()

    def copy(self) -> Tree:
        """Return an independent node at the same place."""
        twin = object.__new__(Tree)
        twin.__dict__.update(self.__dict__)
        twin._draws = self._draws.copy()
        if not self.bounds and self.asked != NOBODY:
            twin.sentence = self.sentence.copy()
        return twin  # a table is never changed: each move has a copy of its own

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.bounds and self.asked == NOBODY

    @property
    def pending(self) -> tuple[object, ...]:
        """What has been said and drawn since the newest fact."""
        return (self._move, *self._draws, *(() if self.asked == NOBODY else self.sentence.said))

    def draw(self, outcome: int) -> None:
        """Let chance take an outcome; raise ValueError unless such a draw is due."""
        if not self.bounds or not 0 <= outcome < self.bounds[0]:
            raise ValueError(f"outcome {outcome} is not possible now")
        self._draws.append(outcome)
        self.bounds = self.bounds[1:]
        if not self.bounds:
            self._carry_out()

    def say(self, action: int) -> None:
        """Let the asked seat take an action; raise ValueError if it is not possible."""
        if self.bounds or self.asked == NOBODY:
            raise ValueError(f"action {action} is not possible now: no seat is asked")
        self._move = self.sentence.say(action)
        if self._move is not None:
            self._carry_out()

    def _carry_out(self) -> None:
        """Carry out the newest move, or the deal, as far as the draws go."""
        facts: list[Event] = []
        work = self.table.copy()
        rules = self.game.rulebook
        chance = GivenDraws(self._draws)
        work.emit = facts.append
        try:
            if self._move is None:
                rules.set_up(work, chance)
            else:
                rules.apply(work, self.asked, self._move, chance)
        except Undrawn as missing:
            self.bounds = missing.bounds
            return
        work.emit = None
        self.table = work
        self.events = (*self.events, *facts)
        self._draws = []
        self.asked = rules.waiting(work)
        if self.asked != NOBODY:
            self.sentence = Sentence(self.vocabulary, rules.legal(work, self.asked), self.asked)

    def view(self, seat: int) -> GameView:
        """Return what a seat may know now."""
        return self.game.view(self.table, Seat(seat))

    def row(self, seat: int) -> Row:
        """Return the observation of a seat, without what it has said of a command."""
        return self.layout.row(self.view(seat))

    def memory(self, seat: int) -> list[Event]:
        """Return all that a seat has been shown, in order."""
        return [known for event in self.events if (known := redact(event, Seat(seat))) is not None]

    def said(self, seat: int) -> tuple[int, ...]:
        """Return what a seat has said of the command that it is giving."""
        return self.sentence.said if seat == self.asked and not self.bounds else ()

    def rewards(self) -> list[float]:
        """Return the reward of each seat, once the match is over."""
        standing = self.game.standing(self.table)
        assert standing is not None, "the match is over"
        return rewards(standing)
