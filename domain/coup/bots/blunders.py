"""Moves of Coup that no one who looks at the table would make, whatever the hidden cards are: bots leave them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...game import Seat
from ..events import Action
from ..messages import (
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    LaunchCoup,
    LetPass,
    Role,
)
from ..moves import COPIES
from ..view import CoupView, open_claim


def sensible(view: CoupView, commands: Sequence[CoupCommand]) -> Sequence[CoupCommand]:
    """Return the commands without those that are blunders for certain; all of them if nothing else is left.

    A coup that ends the game is all there is: one that searches finds other moves about as good, and plays them.
    """
    if won := [command for command in commands if _wins(view, command)]:
        return won
    return [command for command in commands if not blunder(view, command)] or commands


def _wins(view: CoupView, command: CoupCommand) -> bool:
    """Return whether a move takes the last influence of the last rival, and no one can do anything about it."""
    return isinstance(command, LaunchCoup) and sum(each.influence for each in view.seats if each.seat != view.seat) == 1


def blunder(view: CoupView, command: CoupCommand) -> bool:
    """Return whether what the seat knows for certain speaks against a move."""
    match command:
        case Challenge():
            return _is_true(view) or (_is_safe(view) and not _is_false(view))
        case LetPass():
            return _is_false(view)
        case Block(role):
            return _all_lie_open(view, role)
        case ClaimSteal(target):
            return not view.seats[target].coins or _all_lie_open(view, Role.CAPTAIN)
        case ClaimAssassination(target):
            return Role.CONTESSA in _known(view, target) or _all_lie_open(view, Role.ASSASSIN)
        case ClaimTax():
            return _all_lie_open(view, Role.DUKE)
        case ClaimExchange() | ClaimExamine():
            return _all_lie_open(view, view.fifth_role)
        case _:
            return False


def _claim(view: CoupView) -> tuple[Seat, Role] | None:
    """Return whose claim of which role may be challenged now."""
    seat, role = open_claim(view) if view.stage in {"challenge", "block-challenge"} else (None, None)
    return None if seat is None or role is None else (seat, role)


def _is_true(view: CoupView) -> bool:
    """Return whether the seat has seen the claimed role in the hand of who claims it."""
    claim = _claim(view)
    return claim is not None and claim[1] in _known(view, claim[0])


def _is_false(view: CoupView) -> bool:
    """Return whether all copies of the claimed role are elsewhere: to doubt that costs nothing."""
    claim = _claim(view)
    if claim is None:
        return False
    elsewhere = Counter((*view.hand, *view.court_holds, *_open(view)))
    for each in view.known:
        if each.seat != claim[0]:
            elsewhere.update(each.holds)
    return elsewhere[claim[1]] == COPIES


def _is_safe(view: CoupView) -> bool:
    """Return whether the last influence, which a doubt would risk, can be saved from an assassin by a contessa in hand."""
    aimed = view.stage == "challenge" and view.action is Action.ASSASSINATION and view.target == view.seat
    return aimed and view.hand == (Role.CONTESSA,)


def _known(view: CoupView, seat: int) -> tuple[Role, ...]:
    return next((each.holds for each in view.known if each.seat == seat), ())


def _open(view: CoupView) -> list[Role]:
    return [role for each in view.seats for role in each.face_up]


def _all_lie_open(view: CoupView, role: Role) -> bool:
    """Return whether everyone sees that no one holds a role."""
    return _open(view).count(role) == COPIES
