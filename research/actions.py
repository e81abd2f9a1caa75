"""A fixed numbering of what can be said in a game: one action is one value of one field of a command.

A command with one field, or none, is one action. A command with more values (three cards to pass on) is said value by value,
each of them an action of the same seat, so that the numbering stays small and always means the same. Seats are counted
clockwise from the one that speaks, as in its observations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from ..domain.game import AnyGame, Command
from .closed_sets import Scalar, members_of, plain
from .encodings import SEAT_FIELDS

MOST_SPELLED = 100_000
"""How many moves a vocabulary remembers the actions of, at most, for each seat."""


class Word(NamedTuple):
    """One action: a value of a field of a command; without a field the whole command; `ends` the values of a field."""

    command: str
    field: str | None = None
    value: Scalar = None
    ends: bool = False

    def __str__(self) -> str:
        if self.field is None:
            return self.command
        value = f"+{self.value}" if self.field in SEAT_FIELDS else plain(self.value)
        return f"{self.command} {self.field}{'.' if self.ends else f'={value}'}"


_Plan: TypeAlias = tuple[int | None, list[tuple[str, dict[Scalar, int], "int | None"]]]
"""The action of a command without fields; of each field its name, the action of each value, and of the end of a list."""


class Vocabulary:
    """All actions of a game, numbered, for one number of seats."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._of = game, seats
        self.words: tuple[Word, ...] = tuple(word for kind in game.command_types for word in _words_of(kind))
        self._command_of = game.rulebook.command_of
        self._seats = seats
        self._plans = {kind: self._plan(kind) for kind in game.command_types}
        self._turned = any(word.field in SEAT_FIELDS for word in self.words)
        self._spelled: list[dict[object, tuple[int, ...]]] = [{} for _ in range(seats)]

    def _plan(self, kind: type[Command]) -> _Plan:
        """Return how the commands of a type are said."""
        tag = _tag(kind)
        own = list[tuple[str, dict[Scalar, int], int | None]]()
        alone = None if kind.__struct_fields__ else self.words.index(Word(tag))
        for field in kind.__struct_fields__:
            said = [(number, word) for number, word in enumerate(self.words) if (word.command, word.field) == (tag, field)]
            numbers = {word.value: number for number, word in said if not word.ends}
            own.append((field, numbers, next((number for number, word in said if word.ends), None)))
        return alone, own

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it is made of."""
        return vocabulary_of, self._of

    def __len__(self) -> int:
        return len(self.words)

    def spell(self, command: Command, seat: int) -> tuple[int, ...]:
        """Return the actions that make up a command of a seat."""
        alone, fields = self._plans[type(command)]
        said = [] if alone is None else [alone]
        for field, numbers, end in fields:
            value = getattr(command, field)
            if end is not None:
                said += [numbers[each] for each in value]
                said.append(end)
            else:
                said.append(numbers[(value - seat) % self._seats if field in SEAT_FIELDS else value])
        return tuple(said)

    def spell_moves(self, moves: Sequence[object], seat: int) -> list[tuple[int, ...]]:
        """Return the actions that make up each of some moves of a seat."""
        known = self._spelled[seat if self._turned else 0]
        try:
            return [known[move] for move in moves]
        except KeyError:
            if len(known) > MOST_SPELLED:
                known.clear()
        for move in moves:
            if move not in known:
                known[move] = self.spell(self._command_of(move), seat)
        return [known[move] for move in moves]


@cache
def vocabulary_of(game: AnyGame, seats: int) -> Vocabulary:
    """Return the vocabulary of a game with that number of seats."""
    return Vocabulary(game, seats)


class Sentence:
    """The part of a command that an asked seat has chosen so far, and its possible continuations."""

    def __init__(self, vocabulary: Vocabulary, moves: Sequence[object], seat: int) -> None:
        self._left = list(zip(vocabulary.spell_moves(moves, seat), moves, strict=True))
        self.said: tuple[int, ...] = ()
        self.next: list[int] = [spelled[0] for spelled, _ in self._left]
        """The actions that are possible now, some of them more than once."""

    def copy(self) -> Sentence:
        """Return a sentence that goes on by itself."""
        return copy(self)  # its lists are replaced, never changed

    def say(self, action: int) -> object | None:
        """Add one action; return the move once nothing is left to choose. Raises ValueError if it is not possible now."""
        place = len(self.said)
        left = [(spelled, move) for spelled, move in self._left if spelled[place] == action]
        if not left:
            raise ValueError(f"action {action} is not possible now: see the action mask")
        self._left = left
        self.said += (action,)
        if len(left) == 1:
            return left[0][1]
        self.next = [spelled[place + 1] for spelled, _ in left]
        return None


def _words_of(kind: type[Command]) -> Iterator[Word]:
    """Yield all actions that a command of this type can be made of."""
    tag = _tag(kind)
    fields = kind.__struct_fields__
    hints = get_type_hints(kind, include_extras=True)
    if not fields:
        yield Word(tag)
    for field in fields:
        element = _element(hints[field])
        yield from (Word(tag, field, value) for value in members_of(hints[field] if element is None else element))
        if element is not None:
            yield Word(tag, field, ends=True)


def _tag(kind: type[Command]) -> str:
    return str(kind.__struct_config__.tag)


def _element(kind: Any) -> Any:
    """Return the type of the elements if this is the type of a tuple."""
    if get_origin(kind) is Annotated:
        return _element(get_args(kind)[0])
    return get_args(kind)[0] if get_origin(kind) is tuple else None
