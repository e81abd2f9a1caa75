"""The beginner's bot of Coup: it gathers coins for a coup with the roles that it holds, and mostly believes the others.

Its mistakes are those of a first evening: it never lies, takes a role that it holds itself for one that no one else can have,
robs no one and sends no assassin, since both may fail, leaves foreign aid to others, and saves coins for too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Budget, Rng, Seat
from ...search import Steps
from ..messages import (
    Block,
    Challenge,
    ClaimTax,
    CoupCommand,
    LaunchCoup,
    LetPass,
    Role,
    TakeIncome,
)
from ..view import CoupView, open_claim
from .blunders import sensible
from .honest import BLOCKERS, HonestBot, own, rivals

SAVED: Final = 9
"""How many coins it has before it thinks of a coup: two more than one costs."""

HONEST: Final = HonestBot()


class BeginnerBot:
    """Plays what its cards say, and believes what it cannot check."""

    def choose(self, view: CoupView, legal: Sequence[CoupCommand], rng: Rng, budget: Budget) -> CoupCommand:
        """Return one of *legal*. It does not search, so the budget is not used."""
        if len(legal) == 1:
            return legal[0]
        wish = _wish(view)
        if wish is not None and wish in sensible(view, legal):
            return wish
        return HONEST.choose(view, legal, rng, Steps(0))


def _wish(view: CoupView) -> CoupCommand | None:
    """Return what it would do; None where it is asked for cards, which it gives as everyone does."""
    match view.stage:
        case "action":
            return _act(view)
        case "challenge" | "block-challenge":
            return _judge(view)
        case "block":
            return _block(view)
        case _:
            return None


def _act(view: CoupView) -> CoupCommand:
    if own(view).coins >= SAVED:
        return LaunchCoup(_richest(view))
    return ClaimTax() if Role.DUKE in view.hand else TakeIncome()


def _judge(view: CoupView) -> CoupCommand:
    """Doubt a role that it holds itself, while it has a card to spare; believe all others."""
    return Challenge() if len(view.hand) > 1 and open_claim(view)[1] in view.hand else LetPass()


def _richest(view: CoupView) -> Seat:
    """Return the rival with most coins, the first of several: what a newcomer looks at."""
    return max(rivals(view), key=lambda seat: seat.coins).seat


def _block(view: CoupView) -> CoupCommand:
    """Block with a role that it holds, never with another one."""
    assert view.action is not None, "something is to be blocked"
    return next((Block(role) for role in BLOCKERS[view.action] if role in view.hand), LetPass())
