"""Commands as any client could send them: of the right types, otherwise random."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from ...domain.game import AnyGame, Command

SMALL = st.integers(-2, 9)
ANY_INT = SMALL | st.sampled_from([17, 99, 2**31, -(2**31)])


def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Return values of the type of a command's field."""
    kind = getattr(kind, "__supertype__", kind)
    origin = get_origin(kind)
    arguments = get_args(kind)
    if origin is Annotated:
        return of_type(arguments[0])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in {Union, UnionType}:
        return st.one_of([of_type(argument) for argument in arguments])
    if origin is tuple and arguments[-1:] != (...,):
        return st.tuples(*(of_type(argument) for argument in arguments))
    if origin in {tuple, list, Sequence} or kind is tuple:
        return st.lists(of_type(arguments[0]), max_size=5).map(tuple)
    return plain(kind)


def plain(kind: type) -> st.SearchStrategy[Any]:
    """Return values of a type without parts."""
    if kind is NoneType:
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        return ANY_INT
    if issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if issubclass(kind, msgspec.Struct):
        return structs(kind)
    return st.from_type(kind)


def structs(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Return values of a struct with random fields."""
    fields = {field.name: of_type(field.type) for field in msgspec.structs.fields(kind)}
    return st.fixed_dictionaries(fields).map(lambda chosen: kind(**chosen))


@functools.cache
def commands(game: AnyGame) -> st.SearchStrategy[Command]:
    """Return any commands of a game."""
    return st.one_of([structs(kind) for kind in game.command_types])
