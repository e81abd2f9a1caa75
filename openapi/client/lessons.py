"""Lessons: a game's guided first match, and what it says when."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from .shapes import Plain, Text


class LessonMoment(msgspec.Struct, frozen=True, kw_only=True):
    """When a line fits; what is None asks for nothing. `legal` are fields of a command, `fields` those of the event."""

    prompt: str | None
    legal: Mapping[str, Plain] | None
    refused: str | None
    event: str | None
    fields: Mapping[str, Plain]


class LessonLine(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a lesson says, and fields of the command that it advises."""

    key: str
    when: LessonMoment
    text: Text
    suggested: Mapping[str, Plain] | None


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson: the learner's seat, the bot on all others, roughly how many minutes it takes, and its lines in order."""

    game: str
    edition: int
    seats: int
    seat: int
    bot: str
    minutes: int
    lines: tuple[LessonLine, ...]
