"""A fixed numbering of what can be said in a game: one action is one value of one field of a command.

A command with one field, or none, is one action. A command with more values (three cards to pass on) is said value by value,
each of them an action of the same seat, so that the numbering stays small and always means the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from ..domain.game import AnyGame, Command

Scalar: TypeAlias = bool | int | str | Enum | None


class Word(NamedTuple):
    """One action: a value of a field of a command; without a field the whole command; `ends` the values of a field."""

    command: str
    field: str | None = None
    value: Scalar = None
    ends: bool = False

    def __str__(self) -> str:
        value = self.value.value if isinstance(self.value, Enum) else self.value
        told = "." if self.ends else f"={value}"
        return self.command if self.field is None else f"{self.command} {self.field}{told}"


class Vocabulary:
    """All actions of a game, numbered."""

    def __init__(self, game: AnyGame) -> None:
        self.words: tuple[Word, ...] = tuple(word for kind in game.command_types for word in _words_of(kind))
        self._number = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def spell(self, command: Command) -> tuple[int, ...]:
        """Return the actions that make up a command."""
        return tuple(self._number[word] for word in _spelled(command))


class Sentence:
    """The part of a command that an asked seat has chosen so far, and its possible continuations."""

    def __init__(self, vocabulary: Vocabulary, legal: Sequence[Command]) -> None:
        self._left = [(vocabulary.spell(command), command) for command in legal]
        self.said: tuple[int, ...] = ()

    def next(self) -> set[int]:
        """Return the actions that are possible now."""
        place = len(self.said)
        return {spelled[place] for spelled, _ in self._left}

    def say(self, action: int) -> Command | None:
        """Add one action; return the command once nothing is left to choose."""
        place = len(self.said)
        self._left = [(spelled, command) for spelled, command in self._left if spelled[place] == action]
        self.said += (action,)
        return self._left[0][1] if len(self._left) == 1 else None


def _words_of(kind: type[Command]) -> Iterator[Word]:
    """Yield all actions that a command of this type can be made of."""
    tag, fields = _tag(kind), kind.__struct_fields__
    hints = get_type_hints(kind, include_extras=True)
    if not fields:
        yield Word(tag)
    for field in fields:
        element = _element(hints[field])
        yield from (Word(tag, field, value) for value in _values(hints[field] if element is None else element))
        if element is not None:
            yield Word(tag, field, ends=True)


def _spelled(command: Command) -> Iterator[Word]:
    tag, fields = _tag(type(command)), command.__struct_fields__
    if not fields:
        yield Word(tag)
    for field in fields:
        value = getattr(command, field)
        if not isinstance(value, tuple):
            yield Word(tag, field, value)
            continue
        yield from (Word(tag, field, each) for each in cast("tuple[Scalar, ...]", value))
        yield Word(tag, field, ends=True)


def _tag(kind: type[Command]) -> str:
    return str(kind.__struct_config__.tag)


def _element(kind: Any) -> Any:
    """Return the type of the elements if this is the type of a tuple."""
    if get_origin(kind) is Annotated:
        return _element(get_args(kind)[0])
    return get_args(kind)[0] if get_origin(kind) is tuple else None


def _values(kind: Any) -> list[Scalar]:
    """Return all values of the type of a field."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)
    if kind is bool:
        return [False, True]
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return list(arguments)
    if get_origin(kind) is Annotated:
        for meta in arguments[1:]:
            if isinstance(meta, msgspec.Meta) and isinstance(meta.ge, int) and isinstance(meta.le, int):
                return list(range(meta.ge, meta.le + 1))
        return _values(arguments[0])
    if get_origin(kind) in {Union, UnionType}:
        return [value for each in arguments for value in _values(each)]
    raise TypeError(f"{kind} is not finite")
