"""State declared once: the annotations of a class are its slots, and say how it is copied and what its digest is made of.

::

    class DuelTable(Table):
        options: Derived[DuelOptions]
        hands: list[list[int]]
        passed: Annotated[list[int], stored(form=sorted)]

A copy has its own lists, dicts, sets and states, also inside lists. Every other value is shared, so it must not be changed in
place. A module with a state begins with `from __future__ import annotations`.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Final, NamedTuple, Self, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
S = TypeVar("S")

CONTAINERS: Final = frozenset((tuple, frozenset, Union, UnionType))
DIGEST_VERSION: Final = 1
"""The version of all digest forms. Logs hold digests, so another form is another version beside this one, not instead of it."""


class Stored(NamedTuple):
    """How a field is stored: under which name (empty: its own), and in which form (None: as it is)."""

    name: str = ""
    form: Callable[..., object] | None = None


class Unstored(Enum):
    """Why a field is not stored."""

    DERIVED = "follows from options and facts"
    TRANSIENT = "belongs to one object: a copy has None"


def stored(*, name: str = "", form: Callable[..., object] | None = None) -> Stored:
    """Declare the stored name or form of a field, where that is not its own name and the value as it is."""
    return Stored(name, form)


Derived: TypeAlias = Annotated[T, Unstored.DERIVED]
"""Not stored: it follows from the options and the facts."""
Transient: TypeAlias = Annotated[T | None, Unstored.TRANSIENT]
"""Neither stored nor copied: a copy has None."""


def copier(kind: type[S]) -> Callable[[S], S]:
    """Return the method `copy` of a class. Raises TypeError for a field whose type does not say how it is copied."""
    lines = [f"twin.{name} = {_copied(kind, name, hint)}" for name, hint in _hints(kind).items()]
    names: dict[str, object] = {"new": object.__new__, "kind": kind}
    return cast("Callable[[S], S]", _function(kind, "copy", ["twin = new(kind)", *lines, "return twin"], names))


def _digest_form(kind: type) -> Callable[..., object]:
    """Return `digest_form` for a class. Raises TypeError if two fields have one stored name."""
    forms: dict[str, object] = {}
    lines: dict[str, str] = {}
    for field, hint in _hints(kind).items():
        notes = _notes(hint)
        name, form = next((note for note in notes if isinstance(note, Stored)), Stored())
        key = name or field
        if any(isinstance(note, Unstored) for note in notes):
            continue
        if key in lines:
            raise TypeError(f"{kind.__qualname__}.{field}: another field is stored as {key}")
        forms |= {f"form_{field}": form} if form else {}
        lines[key] = f"{key!r}: {f'form_{field}(self.{field})' if form else f'self.{field}'},"
    return _function(kind, "digest_form", ["return {", *lines.values(), "}"], forms)


def _function(kind: type, name: str, lines: Sequence[str], names: dict[str, object]) -> Callable[..., object]:
    """Return a method made of lines of code, as dataclasses do: as fast as one written by hand."""
    source = "\n    ".join([f"def {name}(self):", *lines])
    exec(compile(source, f"<{name} of {kind.__qualname__}>", "exec"), names)  # noqa: S102 - of the names of fields, nothing else
    return cast("Callable[..., object]", names[name])


def _hints(kind: type) -> Mapping[str, object]:
    """Return the annotations of all fields, also of those that it inherits."""
    return get_type_hints(kind, include_extras=True)


def _notes(hint: object) -> Sequence[object]:
    return cast("Sequence[object]", getattr(hint, "__metadata__", ()))


def _copied(kind: type, field: str, hint: object) -> str:
    """Return the expression for a field of a copy."""
    notes = _notes(hint)
    if Unstored.TRANSIENT in notes:
        return "None"
    value: object = get_args(hint)[0] if notes else hint
    if any(value is bare for bare in (list, dict, set)):
        raise TypeError(f"{kind.__qualname__}.{field}: a copy would share what may be inside")
    copied, inner = f"self.{field}.copy()" if _mutable(value) else f"self.{field}", _parts(value)
    if get_origin(value) is list and _mutable(inner[0]):
        copied, inner = f"[each.copy() for each in self.{field}]", _parts(inner[0])
    while inner:
        if any(map(_mutable, inner)):
            raise TypeError(f"{kind.__qualname__}.{field}: a copy would share what is inside")
        inner = [part for each in inner for part in _parts(each)]
    return copied


def _parts(hint: object) -> Sequence[object]:
    """Return the types in a container or a union."""
    return get_args(hint) if get_origin(hint) in CONTAINERS or _mutable(hint) else ()


def _mutable(hint: object) -> bool:
    """Return whether values of a type are copied by their method `copy`."""
    kind = get_origin(hint) or hint
    return isinstance(kind, type) and issubclass(kind, (MutableSequence, MutableMapping, MutableSet, State))


class _StateType(ABCMeta):
    """Makes slots of the annotations, and `copy` and `digest_form` unless the class has its own."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
        if "__slots__" in namespace:
            raise TypeError(f"{name}: the annotations of a state are its slots")
        namespace["__slots__"] = tuple(cast("Mapping[str, object]", namespace.get("__annotations__", {})))
        made = super().__new__(mcs, name, bases, namespace)
        for method, written in (("copy", copier), ("digest_form", _digest_form)):
            if method not in namespace:
                setattr(made, method, written(made))
        return made


class State(metaclass=_StateType):
    """What is true of something, changed in place. Its fields are declared as annotations."""

    def copy(self) -> Self:
        """Return an independent state: its lists, dicts, sets and states are its own."""
        raise NotImplementedError("a state without fields has no copy")

    def digest_form(self) -> Mapping[str, object]:
        """Return what the digests in logs are made of, by stored name; equal for equal states. Stored: never rename.

        A field that is renamed keeps its stored name by `stored(name=...)`. A new one is `Derived`: old logs have digests without
        it. Lists are those of the state itself.
        """
        raise NotImplementedError("a state without fields has no digest")
