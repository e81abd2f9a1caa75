"""Who may read a text, and of what: every combination of values that the fields of an event or a command can have."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from enum import Enum
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from tafelrunde.domain.game import Command, Event, Message, Seat
from tafelrunde.domain.match.events import MATCH_EVENTS
from tafelrunde.domain.match.texts import MATCH_TEXTS
from tafelrunde.domain.registry import GAMES as REGISTERED

OWN, OTHER = Seat(97), Seat(96)
"""The reader's own seat and another; no number of anything else."""
PLAIN_NUMBER = 95


class Reading(NamedTuple):
    """A key, its arguments as JSON has them in their order, and the reader's seat."""

    key: str
    given: Mapping[str, object]
    seat: Seat | None


def with_texts() -> Iterator[tuple[type[Event] | type[Command], Mapping[str, Message]]]:
    """Yield the events of the match, and the events and commands of the games, with the texts that each is among."""
    yield from ((kind, MATCH_TEXTS) for kind in MATCH_EVENTS)
    for game in REGISTERED.values():
        yield from ((kind, game.messages) for kind in (*game.event_types, *game.command_types))


def readings(kind: type[msgspec.Struct], texts: Mapping[str, Message]) -> Iterator[Reading]:
    """Yield what a text of an event or a command may be chosen for, by the fields that its texts ask for."""
    tag = str(kind.__struct_config__.tag)
    hints = get_type_hints(kind)
    asked = {name: sorted(values) for name, values in _asked(tag, texts).items()}
    fields = [[(name, value) for value in _possible(hints[name], asked.get(name, []))] for name in kind.__struct_fields__]
    for chosen in itertools.product(*fields):
        given = {"type": tag, **dict(chosen)}
        yield from (Reading(tag, given, seat) for seat in (OWN, None))


def _asked(tag: str, texts: Mapping[str, Message]) -> dict[str, set[str]]:
    """Return, by field, the values that texts of a tag are for."""
    found: dict[str, set[str]] = {}
    for key in texts:
        if key.startswith(f"{tag}."):
            parts = key.removeprefix(f"{tag}.").split(".")
            for name, value in zip(parts[::2], parts[1::2], strict=True):
                found.setdefault(name, set()).add(value)
    return found


def _possible(hint: Any, asked: list[str]) -> list[object]:
    """Return values of a field that its texts tell apart; one is enough where they tell none apart."""
    if not asked:
        return [None]
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    return [value for kind in kinds for value in _of_kind(kind, asked)]


def _of_kind(kind: Any, asked: list[str]) -> list[object]:
    if kind is Seat:
        return [OWN, OTHER]
    if kind == tuple[Seat, ...]:
        return [[OWN], [OTHER], [OTHER, OWN]]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [each.value for each in kind]
    if kind is int:
        return [*(int(value) for value in asked if value != "you"), PLAIN_NUMBER]
    return [None]
