"""The beginner's bot of Coup: it uses the roles that it holds, and takes everyone at their word.

Its mistakes are those of a first evening: it never lies, doubts only what it sees to be false, leaves foreign aid to others,
never looks for better cards, and saves its coins for longer than it should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng, Seat
from ...search import Steps
from ..messages import (
    Block,
    ClaimAssassination,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    LaunchCoup,
    LetPass,
    Role,
    TakeIncome,
)
from ..moves import ASSASSINATION_COST, STEAL_GAIN
from ..view import CoupView
from .blunders import sensible
from .honest import BLOCKERS, HonestBot, own, rivals

SAVED: Final = 9
"""How many coins it has before it thinks of a coup: two more than one costs."""

HONEST: Final = HonestBot()


class BeginnerBot:
    """Plays what its cards say, and believes what the others say."""

    def choose(self, view: CoupView, legal: Sequence[CoupCommand], rng: Rng, budget: Budget) -> CoupCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if len(legal) == 1:
            return legal[0]
        wish = _wish(view)
        return wish if wish in sensible(view, legal) else HONEST.choose(view, legal, rng, Steps(0))


def _wish(view: CoupView) -> CoupCommand | None:
    """Return what it would do; None where it is asked for cards, which it gives as everyone does."""
    match view.stage:
        case "action":
            return _act(view)
        case "challenge" | "block-challenge":
            return LetPass()
        case "block":
            return _block(view)
        case _:
            return None


def _act(view: CoupView) -> CoupCommand:
    target = _richest(view)
    coins = own(view).coins
    if coins >= SAVED:
        return LaunchCoup(target)
    if Role.ASSASSIN in view.hand and coins >= ASSASSINATION_COST:
        return ClaimAssassination(target)
    if Role.DUKE in view.hand:
        return ClaimTax()
    if Role.CAPTAIN in view.hand and view.seats[target].coins >= STEAL_GAIN:
        return ClaimSteal(target)
    return TakeIncome()


def _richest(view: CoupView) -> Seat:
    """Return the rival with most coins, the first of several: what a newcomer looks at."""
    return max(rivals(view), key=lambda seat: seat.coins).seat


def _block(view: CoupView) -> CoupCommand:
    """Block with a role that it holds, never with another one."""
    assert view.action is not None, "something is to be blocked"
    return next((Block(role) for role in BLOCKERS[view.action] if role in view.hand), LetPass())
