"""Views as vectors of one fixed length, made from the type of a game's view: nothing but what the seat may know gets in.

Every value has a place of its own: numbers as they are; a member of a closed set as its place in it, from 1; other words as a
number made of their letters; 0 where there is nothing. A list is its length and its newest entries, oldest first.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from ..domain.game import GameView

LONG, MANY = 24, 16
"""How many plain values and how many records of a list are encoded from the view itself."""
SHORT, FEW = 8, 8
"""The same for a list inside of another one."""
LETTERS = 997
LEAST, MOST = -32_768, 32_767
PASSED_OVER = {"options"}
"""What stays the same for the whole life of an environment."""


class Features:
    """How one type is encoded: the names of its places, and how a value fills them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def fill(self, value: Any, into: npt.NDArray[np.float32], at: int) -> None:
        """Encode a value from place *at* on; all places are 0 before."""
        raise NotImplementedError


class _Number(Features):
    """A number, or a member of a closed set, or a word."""

    def __init__(self, name: str, members: tuple[Any, ...] = ()) -> None:
        super().__init__([name])
        self._members = {member: number for number, member in enumerate(members, start=1)}

    def fill(self, value: Any, into: npt.NDArray[np.float32], at: int) -> None:
        if value in self._members:
            into[at] = self._members[value]
        elif isinstance(value, str):
            into[at] = 1 + zlib.crc32(value.encode()) % LETTERS
        else:
            into[at] = value


class _Maybe(Features):
    """Whether there is a value, and which."""

    def __init__(self, name: str, inner: Features) -> None:
        super().__init__([f"{name}?", *inner.names])
        self._inner = inner

    def fill(self, value: Any, into: npt.NDArray[np.float32], at: int) -> None:
        if value is not None:
            into[at] = 1
            self._inner.fill(value, into, at + 1)


class _Record(Features):
    """Its fields, one after the other."""

    def __init__(self, fields: dict[str, Features]) -> None:
        super().__init__([name for inner in fields.values() for name in inner.names])
        self._fields = fields

    def fill(self, value: Any, into: npt.NDArray[np.float32], at: int) -> None:
        for field, inner in self._fields.items():
            inner.fill(getattr(value, field), into, at)
            at += len(inner.names)


class _List(Features):
    """Its length, and its newest entries."""

    def __init__(self, name: str, entries: list[Features]) -> None:
        super().__init__([f"{name}#", *(each for entry in entries for each in entry.names)])
        self._entries = entries

    def fill(self, value: Any, into: npt.NDArray[np.float32], at: int) -> None:
        into[at] = len(value)
        at += 1
        for inner, each in zip(self._entries, value[-len(self._entries) :], strict=False):
            inner.fill(each, into, at)
            at += len(inner.names)


def features_of(view: type[GameView]) -> Features:
    """Return how the views of a game are written."""
    return _record(view, "", 0)


def _features(kind: Any, name: str, depth: int) -> Features:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _features(arguments[0], name, depth)
    if origin is Literal:
        return _Number(name, arguments)
    if origin in {Union, UnionType}:
        (inner,) = (each for each in arguments if each is not NoneType)
        return _Maybe(name, _features(inner, name, depth))
    if origin is tuple:
        return _List(name, list(_entries(arguments[0], name, depth)))
    kind = getattr(kind, "__supertype__", kind)
    if issubclass(kind, msgspec.Struct):
        return _record(kind, f"{name}.", depth)
    return _Number(name, tuple(kind) if issubclass(kind, Enum) else ())


def _entries(kind: Any, name: str, depth: int) -> Iterator[Features]:
    records = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    most = (FEW if records else SHORT) if depth else (MANY if records else LONG)
    for place in range(most):
        yield _features(kind, f"{name}[{place}]", depth + 1)


def _record(kind: type[msgspec.Struct], prefix: str, depth: int) -> Features:
    hints = get_type_hints(kind, include_extras=True)
    fields = [field for field in kind.__struct_fields__ if field not in PASSED_OVER]
    return _Record({field: _features(hints[field], prefix + field, depth) for field in fields})
