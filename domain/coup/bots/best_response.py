"""A table learned against the bot `policy` with two seats: a best response, as far as so plain a table can be one.

Each cell is a situation, coarse enough to meet often, and the move that won most there. `python -m bench.coup_best_response`
learns it. What it wins says how much `policy` can be exploited at the least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...game import Budget, Rng
from ...search import Steps
from ..messages import CoupCommand
from ..view import CoupSeatView, CoupView
from .blunders import sensible
from .honest import BLOCKERS, HonestBot, count_seen, own, rivals

HONEST: Final = HonestBot()
STAGES: Final = ("action", "challenge", "block", "block-challenge")


class BestResponse:
    """Plays by a table of cells; where that has none, with more than one rival, and where cards are given, as `honest` does."""

    def __init__(self, moves: Mapping[str, str]) -> None:
        self._moves = moves

    def choose(self, view: CoupView, legal: Sequence[CoupCommand], rng: Rng, budget: Budget) -> CoupCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        plain = HONEST.choose(view, legal, rng, Steps(0))
        if len(legal) == 1 or (cell := cell_of(view)) is None:
            return plain
        return choices_of(view, legal).get(self._moves.get(cell, ""), plain)


def cell_of(view: CoupView) -> str | None:
    """Return the name of a situation, None if the table does not cover it."""
    if view.stage not in STAGES or len(others := rivals(view)) != 1:
        return None
    [rival] = others
    mine = own(view)
    if view.stage == "action":
        hand = "".join(sorted(role.value[:2] for role in view.hand))
        return f"{hand}{_purse(mine)}{rival.influence}{_purse(rival)}"
    role = view.block_role if view.stage == "block-challenge" else view.role
    seen = count_seen(view)[role] if role is not None else 0
    action = view.action
    assert action is not None, "something is to be challenged or blocked"
    holds = any(block in view.hand for block in BLOCKERS.get(action, ()))
    parts = (view.stage[0], len(view.stage), action.value, role.value[:2] if role is not None else "", seen)
    return "-".join(map(str, (*parts, int(holds), mine.influence, rival.influence, _purse(rival), int(view.turn == view.seat))))


def choices_of(view: CoupView, legal: Sequence[CoupCommand]) -> dict[str, CoupCommand]:
    """Return the sensible commands by their names in the table. Of several blocks, one whose card the bot holds is preferred."""
    found: dict[str, CoupCommand] = {}
    for command in sensible(view, legal):
        name = type(command).__name__
        if name not in found or getattr(command, "role", None) in view.hand:
            found[name] = command
    return found


def _purse(seat: CoupSeatView) -> int:
    """Return how far the coins of a seat reach: nothing, an assassin, a coup in its next turn, a coup."""
    return sum(seat.coins >= least for least in (2, 3, 5, 7))
