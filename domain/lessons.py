"""Lessons: a guided first match of each game, with a deal that is the same for everyone.

A lesson is data. Its lines are bound to what a client can see: the prompt that the learner is asked with, a command that is
legal or refused then, or something that has happened since it was asked before. The learner sits on seat 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from .event import Event
from .game import AnyGame, Message, Options, Seat

Element = TypeVar("Element")
Plain: TypeAlias = "str | int | bool"

LEARNER = Seat(0)
"""Where the learner sits in every lesson."""


class When(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When a line fits: everything that is named here must be so; what is empty asks for nothing.

    - prompt: the key of the prompt that the learner is asked with, or its beginning up to a dot.
    - legal: the type of a command that the learner may give.
    - refused: the code of a refusal of a command that the learner might think of.
    - event: the tag of an event since the learner was asked before, with these `fields`.
    """

    prompt: str = ""
    legal: str = ""
    refused: str = ""
    event: str = ""
    fields: Mapping[str, Plain] = {}


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a lesson says, the first time that it fits. `suggested`: fields of a command that it advises, if legal."""

    key: str
    when: When
    text: Message
    suggested: Mapping[str, Plain] = {}


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A guided first match: seats, options, the bot on each other seat, the deal (by a number), and its lines in order.

    `edition` grows whenever seats, options, bots or deal change. `minutes` is how long it takes, roughly.
    """

    edition: int
    seats: int
    options: Options
    bot: str
    deal: int
    minutes: int
    lines: tuple[Line, ...]


class FixedChance:
    """Chance that is none: the same number gives the same answers always and everywhere. For lessons only."""

    def __init__(self, number: int) -> None:
        self._state = number

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in an order that the number gives."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            place = self.below(label, last + 1)
            mixed[last], mixed[place] = mixed[place], mixed[last]
        return mixed

    def below(self, label: str, bound: int) -> int:
        """Return an integer in 0..bound-1 that the number gives."""
        self._state = (self._state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return (self._state >> 33) % bound


def first_deal(game: AnyGame, lesson: Lesson) -> tuple[Event, ...]:
    """Return the facts that a lesson begins with: its set-up and deal."""
    return tuple(game.start(game.create(lesson.options, lesson.seats), FixedChance(lesson.deal)))
