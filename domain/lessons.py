"""Lessons: a guided first match of each game, with chance that is the same for everyone.

A lesson is data. Its lines are bound to what a client can see: the prompt that the learner is asked with, a command that is
legal or refused then, or something that has happened since it was asked before. The learner sits on seat 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from .message import Message
from .options import Options
from .seats import Seat

Plain: TypeAlias = "str | int | bool"

LEARNER = Seat(0)
"""Where the learner sits in every lesson."""


class When(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When a line fits: everything that is named here must be so; what is empty asks for nothing.

    - prompt: the key of the prompt that the learner is asked with, or its beginning up to a dot.
    - legal: fields of a command that the learner may give, its `type` at least. A card that is named there can be played.
    - refused: the code of a refusal of a command that the learner might think of.
    - event: the tag of an event since the learner was asked before, with these `fields`.
    """

    prompt: str = ""
    legal: Mapping[str, Plain] = {}
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
    """A guided first match: seats, options, the bot on each other seat, its chance (by a number), and its lines in order.

    `edition` grows whenever seats, options, bots or chance change. `minutes` is how long it takes, roughly.
    """

    edition: int
    seats: int
    options: Options
    bot: str
    chance: int
    minutes: int
    lines: tuple[Line, ...]
