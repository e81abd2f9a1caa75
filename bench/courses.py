"""Courses of play that last as long as a measurement needs."""

from __future__ import annotations

from collections.abc import Sequence

from bench.growth import Course
from tafelrunde.domain.coup.messages import ClaimSteal, LetPass
from tafelrunde.domain.game import Command, GameId


def _steal_and_pass(legal: Sequence[Command]) -> Command:
    """Steal, and let the other steal back: no seat ever loses an influence."""
    for wanted in (ClaimSteal, LetPass):
        for command in legal:
            if isinstance(command, wanted):
                return command
    raise LookupError(f"the course knows no answer: {legal}")


COUP = Course(game=GameId("coup"), options={"first_seat": 0, "max_decisions": 10_000}, choose=_steal_and_pass)
