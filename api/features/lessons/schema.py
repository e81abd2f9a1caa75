"""The shape of a lesson: a game's guided first match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ...schema.fields import BotRef, GameName, SeatCount, SeatNumber
from ...texts import Text

PlainFields: TypeAlias = Mapping[str, str | int | bool]


class LessonMoment(msgspec.Struct, frozen=True, kw_only=True):
    """When a line fits: everything that is not null must be so.

    `prompt`: the learner is asked with a prompt whose key is this, or begins with it and a dot; `legal`: a command with
    these fields is legal; `refused`: a refused command has this code; `event`: an event of this type, with these `fields`, has
    happened since the learner was asked before.
    """

    prompt: str | None
    legal: PlainFields | None
    refused: str | None
    event: str | None
    fields: PlainFields


class LessonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a lesson says, the first time that it fits. `suggested`: fields of the command that it advises, or null."""

    key: str
    when: LessonMoment
    text: Text
    suggested: PlainFields | None


class LessonSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson. At each decision a client shows the first new line that fits for what happened, and the first for what is asked.

    `seat` is the learner's seat, `bot` plays all others; `minutes` is roughly how long it takes.
    """

    game: GameName
    edition: Annotated[int, Meta(ge=1)]
    seats: SeatCount
    seat: SeatNumber
    bot: BotRef
    minutes: Annotated[int, Meta(ge=1)]
    lines: tuple[LessonLine, ...]
