"""The values of types that have few of them: enums, literals, bounded numbers, and unions of these."""

from __future__ import annotations

from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

Scalar: TypeAlias = bool | int | str | Enum | None


def members_of(kind: Any) -> list[Scalar]:
    """Return all values of a type, in order; raise TypeError if there is no end of them."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)
    if kind is bool:
        return [False, True]
    if kind is NoneType:
        return [None]
    arguments = get_args(kind)
    if get_origin(kind) is Literal:
        return list(arguments)
    if get_origin(kind) is Annotated:
        for meta in arguments[1:]:
            if isinstance(meta, msgspec.Meta) and isinstance(meta.ge, int) and isinstance(meta.le, int):
                return list(range(meta.ge, meta.le + 1))
        return members_of(arguments[0])
    if get_origin(kind) in {Union, UnionType}:
        return [value for each in arguments for value in members_of(each)]
    raise TypeError(f"{kind} is not finite")


def plain(value: Scalar) -> bool | int | str | None:
    """Return a value as it is on the wire."""
    return value.value if isinstance(value, Enum) else value
