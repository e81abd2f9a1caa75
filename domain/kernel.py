"""The rules of a game at the pace of a search: moves are small plain values; no commands, no questions, no events.

A kernel shares its tables, facts and rules with the game, so there is nothing to keep in step: `Game.play` turns a command
into a move and makes it as a search would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from .game import C, Chance, Command, T, Table

M = TypeVar("M")
NOBODY = -1


class Kernel(NamedTuple, Generic[T, M, C]):
    """Functions on one game's table; moves (`M`) and commands stand for each other one to one."""

    set_up: Callable[[T, Chance], None]
    """Deal, through facts, on a table just created."""
    asked: Callable[[T], int]
    """Return the first seat that has not answered; NOBODY before the start and after the end."""
    legal: Callable[[T, int], Sequence[M]]
    """Return the moves of an asked seat in the order of its legal commands. The table's own: not to be changed."""
    apply: Callable[[T, int, M, Chance], None]
    """Carry out a legal move and all that follows from it."""
    command_of: Callable[[M], C]
    """Return the command that stands for a move."""
    move_of: Callable[[C], M]
    """Return the move that a command stands for."""


AnyKernel: TypeAlias = Kernel[Table, object, Command]
"""A kernel as those see it who go through all games; moves are only handed back to where they come from."""
