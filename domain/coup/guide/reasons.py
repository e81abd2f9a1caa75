"""Why a search recommends a move of Coup: what others hold in the deals that go with all that was claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...game import Message
from ...reasons import ANY, Feature, Reason, more, separating, tenths
from ...search import Considered
from ..messages import (
    ROLES,
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    LetPass,
    Role,
)
from ..table import INDEX, CoupTable
from ..view import CoupView, open_claim

WHY: Mapping[str, Message] = {
    "holds": Message(
        "Das lohnt sich, wenn Platz {seat} die Rolle {role} hat: so in {share} von 10 Verteilungen, die zu allem passen.",
        "It pays if seat {seat} has the {role}, as in {share} of 10 deals that go with all you know.",
    ),
    "lacks": Message(
        "Das lohnt sich, wenn Platz {seat} die Rolle {role} nicht hat: so in {share} von 10 Verteilungen, die zu allem passen.",
        "It pays if seat {seat} does not have the {role}, as in {share} of 10 deals that go with all you know.",
    ),
    "lie": Message(
        "In {share} von 10 Verteilungen, die zu allem passen, hat Platz {seat} die Rolle {role} nicht.",
        "In {share} of 10 deals that go with all you know, seat {seat} does not have the {role}.",
    ),
    "truth": Message(
        "In {share} von 10 Verteilungen, die zu allem passen, hat Platz {seat} die Rolle {role}.",
        "In {share} of 10 deals that go with all you know, seat {seat} has the {role}.",
    ),
    "own": Message(
        "Du hast die Rolle {role} wirklich: Wer das anficht, verliert eine Karte.",
        "You do have the {role}: a challenge costs the challenger a card.",
    ),
    "bluff": Message(
        "Das ist ein Bluff: Die Rolle {role} hast du nicht. Ficht das jemand an, verlierst du eine Karte.",
        "This is a bluff: you do not have the {role}. If someone challenges it, you lose a card.",
    ),
    **ANY,
}

_ROLE_OF: Mapping[type[CoupCommand], Role] = {
    ClaimTax: Role.DUKE,
    ClaimAssassination: Role.ASSASSIN,
    ClaimSteal: Role.CAPTAIN,
    ClaimExamine: Role.INQUISITOR,
}


def reason(view: CoupView, considered: Considered[CoupTable, CoupCommand]) -> Reason | None:
    """Return why the best of the moves that were considered is recommended; None if nothing tells it apart."""
    best = considered.moves[0].command
    seat, role = open_claim(view)
    if seat is not None and role is not None and isinstance(best, Challenge | LetPass) and _may_challenge(considered):
        return _about_claim(considered, seat, role, challenged=isinstance(best, Challenge)) or more(considered.results)
    claimed = _claimed(view, best)
    if claimed is not None:
        return Reason("own" if claimed in view.hand else "bluff", {"role": claimed.value})
    return separating(considered.worlds, considered.results, _features(view)) or more(considered.results)


def _claimed(view: CoupView, command: CoupCommand) -> Role | None:
    """Return the role that a command claims."""
    if isinstance(command, Block):
        return command.role
    return view.fifth_role if isinstance(command, ClaimExchange) else _ROLE_OF.get(type(command))


def _may_challenge(considered: Considered[CoupTable, CoupCommand]) -> bool:
    return any(isinstance(move.command, Challenge) for move in considered.moves)


def _about_claim(considered: Considered[CoupTable, CoupCommand], seat: int, role: Role, *, challenged: bool) -> Reason | None:
    wanted = INDEX[role]
    share = tenths(considered.worlds, lambda world: (wanted in world.hands[seat]) is not challenged)
    if not share:
        return None
    return Reason("lie" if challenged else "truth", {"seat": seat, "role": role.value, "share": share})


def _features(view: CoupView) -> list[Feature[CoupTable]]:
    """Return which role each rival may have, or not."""
    rivals = [each.seat for each in view.seats if not each.out and each.seat != view.seat]
    return [
        Feature(Reason("holds" if has else "lacks", {"seat": seat, "role": role.value}), _holding(seat, INDEX[role], has=has))
        for seat in rivals
        for role in ROLES
        for has in (True, False)
    ]


def _holding(seat: int, role: int, *, has: bool) -> Callable[[CoupTable], bool]:
    return lambda world: (role in world.hands[seat]) is has
