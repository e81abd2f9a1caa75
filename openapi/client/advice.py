"""What the service advises: hints for an open decision, and reviews of finished matches."""

from __future__ import annotations

import msgspec

from .shapes import Command


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A move: what it brought on average in the worlds that were tried, from 0 (lost) to 1 (won), and in how many."""

    command: Command
    worth: float
    worlds: int


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """What a search makes of the own open decision, the best move first."""

    match: str
    decision: int
    seat: int
    moves: tuple[Advised, ...]


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """What was played at a version, how much less that brings than the best move (None: not tried), and all moves."""

    version: int
    decision: int
    seat: int
    played: Command
    loss: float | None
    moves: tuple[Advised, ...]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A page of reviewed decisions; `next` is the `after` of the next page."""

    match: str
    items: tuple[Reviewed, ...]
    next: int | None
