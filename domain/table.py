"""What a table is: the part of the contract in domain/game.py that the tables of all games build on."""

from __future__ import annotations

from collections.abc import Callable

from .event import Event
from .fields import Transient
from .state import State


class Table(State):
    """The mutable state of one game on a table: one `f_...` method per fact, ints and lists inside, no I/O.

    A fact method changes the table and, as its last line, hands the event to `emit` if there is one. Rules change
    the table through fact methods only, so that deciding, folding and searching share one source of truth. A copy has no `emit`.
    """

    emit: Transient[Callable[[Event], None]]

    def leave_unwatched(self) -> None:
        """Keep nothing from now on that only views show: none is made of this table, nor of its copies."""
