"""Hints for an open decision, and reviews of finished matches."""

from __future__ import annotations

import msgspec

from .shapes import Command


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A move, its average result in the sampled worlds from 0 (lost) to 1 (won), and the number of those worlds."""

    command: Command
    worth: float
    worlds: int


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """A search's evaluation of your open decision, best move first."""

    match: str
    decision: int
    seat: int
    moves: tuple[Advised, ...]


class Reviewed(msgspec.Struct, frozen=True, kw_only=True):
    """The move played at a version, its loss against the best move (None: not evaluated), and all moves."""

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
