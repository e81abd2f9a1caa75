"""The fields of a state, declared once: annotations are slots, and say how a state is copied and what its digest is made of.

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
from typing import Annotated, Final, NamedTuple, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

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
    lines = [f"twin.{name} = {copied}" for name, copied in copied_fields(kind).items()]
    names: dict[str, object] = {"new": kind.__new__, "kind": kind}
    return cast("Callable[[S], S]", _function(kind, "copy", ["twin = new(kind)", *lines, "return twin"], names))


def copied_fields(kind: type) -> dict[str, str]:
    """Return the expressions that copy the fields of `self`. Raises TypeError like `copier`."""
    return {name: _copy_expression(kind, name, hint) for name, hint in _hints(kind).items()}


def digested_fields(kind: type) -> dict[str, tuple[str, Callable[..., object] | None]]:
    """Return the fields of a digest by their stored names, each with its form. Raises TypeError if two have one name."""
    found: dict[str, tuple[str, Callable[..., object] | None]] = {}
    for field, hint in _hints(kind).items():
        notes = _notes(hint)
        if any(isinstance(note, Unstored) for note in notes):
            continue
        name, form = next((note for note in notes if isinstance(note, Stored)), Stored())
        if (key := name or field) in found:
            raise TypeError(f"{kind.__qualname__}.{field}: another field is stored as {key}")
        found[key] = field, form
    return found


def _digest_form(kind: type) -> Callable[..., object]:
    fields = digested_fields(kind)
    forms: dict[str, object] = {f"form_{field}": form for field, form in fields.values() if form}
    lines = [f"{key!r}: {f'form_{field}(self.{field})' if form else f'self.{field}'}," for key, (field, form) in fields.items()]
    return _function(kind, "digest_form", ["return {", *lines, "}"], forms)


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


def _copy_expression(kind: type, field: str, hint: object) -> str:
    """Return the expression for a field of a copy."""
    notes = _notes(hint)
    if Unstored.TRANSIENT in notes:
        return "None"
    value: object = get_args(hint)[0] if notes else hint
    if any(value is bare for bare in (list, dict, set)):
        raise TypeError(f"{kind.__qualname__}.{field}: a copy would share what may be inside")
    copied = f"self.{field}.copy()" if _mutable(value) else f"self.{field}"
    inner = _parts(value)
    if get_origin(value) is list and _mutable(inner[0]):
        copied = f"[each.copy() for each in self.{field}]"
        inner = _parts(inner[0])
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
    containers = (MutableSequence, MutableMapping, MutableSet)
    return hasattr(hint, "digest_form") or (isinstance(kind, type) and issubclass(kind, containers))


class StateType(ABCMeta):
    """Makes slots of the annotations."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
        """Return the class with its slots. Raises TypeError for slots by hand."""
        if "__slots__" in namespace:
            raise TypeError(f"{name}: the annotations of a state are its slots")
        namespace["__slots__"] = tuple(cast("Mapping[str, object]", namespace.get("__annotations__", {})))
        return super().__new__(mcs, name, bases, namespace)


def write_methods(kind: type) -> None:
    """Write `copy` and `digest_form` for a class, unless it has its own."""
    for method, written in (("copy", copier), ("digest_form", _digest_form)):
        if method not in kind.__dict__:
            setattr(kind, method, written(kind))
