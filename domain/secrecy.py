"""Who may know which field of an event: declared where the field is declared, and read by one redactor.

Every field of an event names its audience::

    class CardExamined(Event, frozen=True, tag="coup.card-examined.1"):
        seat: Public[Seat]
        target: Public[Seat]
        role: Annotated[Role | None, only("seat", "target")]

A viewer outside the audience finds None in the place of the field. Where one field is the `Recipient`, the whole event is for
that seat alone; a `Withheld` event is for no one. Nothing is public by default: `closed` refuses a field without an audience,
and an event outside the union of its module, when that module is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import NoneType
from typing import Annotated, NamedTuple, TypeAlias, TypeVar, cast, get_args, get_type_hints

import msgspec

T = TypeVar("T")
E = TypeVar("E", bound=msgspec.Struct)


class Audience(Enum):
    """Who may know a field, or (RECIPIENT, WITHHELD) the whole event."""

    EVERYBODY = "everybody"
    NOBODY = "nobody"
    EACH_SEAT = "each seat its own part"
    RECIPIENT = "the seat in this field alone"
    WITHHELD = "nobody at all"


class Only(NamedTuple):
    """The seats that stand in these fields of the event."""

    fields: tuple[str, ...]


def only(*fields: str) -> Only:
    """Declare a nullable field that is known to the seats in *fields* of the same event, and to no one else."""
    return Only(fields)


Public: TypeAlias = Annotated[T, Audience.EVERYBODY]
"""Everyone knows it."""
Secret: TypeAlias = Annotated[T | None, Audience.NOBODY]
"""No one knows it while the match runs."""
PerSeat: TypeAlias = Annotated[tuple[T | None, ...], Audience.EACH_SEAT]
"""One part for each seat, which knows its own and no other."""
Recipient: TypeAlias = Annotated[T, Audience.RECIPIENT]
"""The one seat that learns of the event, with all its other fields; to the others it did not happen."""
Withheld: TypeAlias = Annotated[T, Audience.WITHHELD]
"""No one learns of the event while the match runs."""


class _Plan(NamedTuple):
    """How one kind of event is redacted: the field of its only recipient, if any, and the audiences of its hidden fields."""

    recipient: str | None
    withheld: bool
    hidden: tuple[tuple[str, Audience | Only], ...]


_PLANS: dict[type[msgspec.Struct], _Plan] = {}


def closed(union: object) -> tuple[type[msgspec.Struct], ...]:
    """Return the kinds of events in a *union* that stands for all events of its module.

    Raises TypeError if an event of the module is missing, or if a field does not say who may know it.
    """
    kinds = cast("tuple[type[msgspec.Struct], ...]", get_args(union))
    modules = {kind.__module__ for kind in kinds}
    bases: set[type[object]] = {base for kind in kinds for base in kind.__bases__}
    siblings = {each for base in bases for each in base.__subclasses__()}
    missing = sorted(each.__qualname__ for each in siblings.difference(kinds) if each.__module__ in modules)
    if missing:
        raise TypeError(f"the union of events lacks {', '.join(missing)}")
    _PLANS.update({kind: _plan(kind) for kind in kinds})
    return kinds


class Known(NamedTuple):
    """Who may know what of a kind of events, by the names of its fields: for programs that do not import it.

    The event is for the seats in the fields `only` (None: for everyone; empty: for no one). A field in `hidden` is known to the
    seats in the fields that are named there; one in `parts` has a part for each seat. All others are public.
    """

    only: tuple[str, ...] | None
    hidden: Mapping[str, tuple[str, ...]]
    parts: tuple[str, ...]


def known(kind: type[msgspec.Struct]) -> Known:
    """Return who may know what of a kind of events that is in a closed union."""
    recipient, withheld, fields = _PLANS[kind]
    only = () if withheld else None if recipient is None else (recipient,)
    parts = tuple(name for name, whose in fields if whose is Audience.EACH_SEAT)
    hidden = {name: whose.fields if isinstance(whose, Only) else () for name, whose in fields if name not in parts}
    return Known(only, hidden, parts)


def redact(event: E, seat: int | None) -> E | None:
    """Return the event as *seat* (None: a spectator) may know it; None if it must not even show that it happened."""
    recipient, withheld, hidden = _PLANS[type(event)]
    if withheld:
        return None
    if recipient is not None:
        return event if getattr(event, recipient) == seat else None
    if not hidden:
        return event
    return msgspec.structs.replace(event, **{name: _field_for(event, name, whose, seat) for name, whose in hidden})


def _field_for(event: msgspec.Struct, name: str, whose: Audience | Only, seat: int | None) -> object:
    """Return what *seat* finds in a hidden field."""
    value: object = getattr(event, name)
    if whose is Audience.EACH_SEAT:
        return tuple([part if place == seat else None for place, part in enumerate(cast("Iterable[object]", value))])
    if isinstance(whose, Only) and seat is not None and seat in [getattr(event, field) for field in whose.fields]:
        return value
    return None


def _plan(kind: type[msgspec.Struct]) -> _Plan:
    hints = get_type_hints(kind, include_extras=True)
    audiences = {name: _audience(hint) for name, hint in hints.items()}
    withheld = [name for name, whose in audiences.items() if whose is Audience.WITHHELD]
    recipients = [name for name, whose in audiences.items() if whose is Audience.RECIPIENT]
    if withheld or recipients:
        _check_alone(kind, audiences, withheld + recipients)
        return _Plan(recipients[0] if recipients else None, bool(withheld), ())
    for name, whose in audiences.items():
        _check(f"{kind.__qualname__}.{name}", whose, hints)
    hidden = ((name, whose) for name, whose in audiences.items() if whose not in (None, Audience.EVERYBODY))
    return _Plan(None, withheld=False, hidden=tuple(hidden))


def _audience(hint: object) -> Audience | Only | None:
    """Return the audience in an annotation, None if it names none; the outermost counts."""
    found = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Audience | Only)]
    return found[-1] if found else None


def _check(field: str, whose: Audience | Only | None, hints: Mapping[str, object]) -> None:
    """Raise TypeError if a field has no audience, or one that cannot be."""
    if whose is None:
        raise TypeError(f"{field} does not say who may know it")
    if isinstance(whose, Only) and not hints.keys() >= {*whose.fields}:
        raise TypeError(f"{field} is for seats in {', '.join(whose.fields)}, and there is no such field")
    nullable = NoneType in get_args(get_args(hints[field.rpartition(".")[2]])[0])
    if not nullable and (isinstance(whose, Only) or whose is Audience.NOBODY):
        raise TypeError(f"{field} is not nullable, so nothing can stand in its place")


def _check_alone(kind: type[msgspec.Struct], audiences: Mapping[str, Audience | Only | None], whole: list[str]) -> None:
    """Raise TypeError if an event for one seat, or for no one, has a field that names an audience besides."""
    others = [name for name, whose in audiences.items() if whose is not None and name != whole[0]]
    if others:
        raise TypeError(f"{kind.__qualname__} as a whole is for {whole[0]}; {', '.join(others)} cannot be for others")
