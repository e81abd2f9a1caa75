"""The puzzle of the day."""

from __future__ import annotations

import msgspec

from .advice import Advised, Why
from .shapes import Command, Plain, Prompt


class PuzzleTally(msgspec.Struct, frozen=True, kw_only=True):
    """How many answered, and how many of them were right."""

    answered: int
    right: int


class PuzzleSolution(msgspec.Struct, frozen=True, kw_only=True):
    """Your answer, what a search finds (best first), what was played, and where the decision is from."""

    command: Command
    right: bool
    moves: tuple[Advised, ...]
    played: Command
    loss: float
    why: Why | None
    match: str
    decision: int


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A game's puzzle of a day; `yours` is None until you have answered."""

    game: str
    day: str
    ends_ms: int
    seats: int
    seat: int
    bots: bool
    prompt: Prompt
    view: Plain
    legal: tuple[Command, ...]
    all: PuzzleTally
    own: PuzzleTally
    yours: PuzzleSolution | None
