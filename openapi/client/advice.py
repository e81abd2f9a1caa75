"""Hints for an open decision, and coaching on finished matches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from .shapes import Command, Plain, Prompt, Text


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """A move, its average result in the sampled worlds from 0 (lost) to 1 (won), and the number of those worlds."""

    command: Command
    worth: float
    worlds: int


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for a move, as far as its seat can know."""

    key: str
    arguments: Mapping[str, str | int]
    text: Text


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """A search's evaluation of your open decision, best move first, and what speaks for that one."""

    match: str
    decision: int
    seat: int
    moves: tuple[Advised, ...]
    why: Why | None = None


class CoachedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The chance of winning with the move that was played at a version, and with the best one."""

    version: int
    decision: int
    chance: float
    best: float


class HeldHand(msgspec.Struct, frozen=True, kw_only=True):
    """What another seat held in its hand."""

    seat: int
    hand: tuple[str | int, ...]


class CoachedPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A costly decision: the seat's view and legal answers, what was played, all moves (best first), and what others held."""

    version: int
    decision: int
    prompt: Prompt
    view: Plain
    legal: tuple[Command, ...]
    played: Command
    loss: float
    moves: tuple[Advised, ...]
    why: Why | None
    held: tuple[HeldHand, ...]


class Coaching(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat could have done better; while it is being made (not `whole`) there are no puzzles yet."""

    match: str
    seat: int
    whole: bool
    line: tuple[CoachedDecision, ...]
    puzzles: tuple[CoachedPuzzle, ...]
