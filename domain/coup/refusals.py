"""Why a move of Coup is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from ..game import Choice, Refusal
from . import moves, stages
from .messages import ROLES, CoupCommand, Role
from .move_codec import command_of, move_of
from .table import CoupTable


class CoupRefusal(Enum):
    """All reasons, each with a text under `coup.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    MUST_COUP = "must-coup"
    CANNOT_AFFORD = "cannot-afford"
    TARGET_UNKNOWN = "target-unknown"
    TARGET_SELF = "target-self"
    TARGET_OUT = "target-out"
    ROLE_NOT_IN_PLAY = "role-not-in-play"
    CANNOT_BLOCK = "cannot-block"
    CARD_NOT_HELD = "card-not-held"
    WRONG_NUMBER = "wrong-number"


STAGE_OF: Final = {
    moves.CHALLENGE: (stages.CHALLENGE, stages.BLOCK_CHALLENGE),
    moves.BLOCK: (stages.BLOCK,),
    moves.PASS: stages.REACTIONS,
    moves.SHOW: (stages.PROVE,),
    moves.LOSE: (stages.LOSE,),
    moves.KEEP: (stages.EXCHANGE,),
    moves.SHOW_EXAMINED: (stages.SHOW,),
    moves.LEAVE: (stages.JUDGE,),
    moves.REPLACE: (stages.JUDGE,),
    moves.DRAFT: (stages.DRAFT,),
}


def menu(table: CoupTable, seat: int) -> list[Choice]:
    """Return what a seat could think of: in its turn every action against every other seat, otherwise what is legal."""
    allowed: Sequence[moves.Move] = moves.legal(table, seat)
    if table.stage is stages.ACTION and allowed:
        allowed = _thinkable(table, seat)
    return [Choice(command_of(move), _against(table, seat, move)) for move in allowed]


def _thinkable(table: CoupTable, seat: int) -> list[moves.Move]:
    targets = [other for other in range(table.seats) if other != seat]
    verbs = [
        moves.INCOME,
        moves.FOREIGN_AID,
        moves.COUP,
        moves.TAX,
        moves.ASSASSINATION,
        moves.STEAL,
        moves.EXCHANGE,
        moves.EXAMINE,
    ]
    if ROLES[table.fifth] is not Role.INQUISITOR:
        verbs.pop()
    return [(verb, target) for verb in verbs for target in (targets if verb in moves.TARGETED else (0,))]


def why_not(table: CoupTable, seat: int, command: CoupCommand) -> Refusal | None:
    """Return why a move is refused, None if and only if it is legal."""
    return _against(table, seat, move_of(command))


def _against(table: CoupTable, seat: int, move: moves.Move) -> Refusal | None:
    legal = moves.legal(table, seat)
    if move in legal:
        return None
    if not legal:
        return Refusal(CoupRefusal.NOT_ASKED.value)
    verb, argument = move
    if table.stage not in STAGE_OF.get(verb, (stages.ACTION,)):
        return Refusal(CoupRefusal.NOT_NOW.value)
    if verb == moves.KEEP:
        return _keeping(table, moves.unpack(argument))
    return _action(table, seat, verb, argument) if verb <= moves.EXAMINE else _naming(table, verb, argument)


def _action(table: CoupTable, seat: int, verb: int, target: int) -> Refusal:
    coins, cost = table.coins[seat], moves.COSTS[verb]
    if verb == moves.EXAMINE and ROLES[table.fifth] is not Role.INQUISITOR:
        return Refusal(CoupRefusal.ROLE_NOT_IN_PLAY.value, {"role": "inquisitor"})
    if coins >= moves.COUP_DUTY and verb != moves.COUP:
        return Refusal(CoupRefusal.MUST_COUP.value, {"coins": coins})
    if coins < cost:
        return Refusal(CoupRefusal.CANNOT_AFFORD.value, {"needed": cost, "coins": coins})
    if target >= table.seats:
        return Refusal(CoupRefusal.TARGET_UNKNOWN.value, {"target": target})
    if target == seat:
        return Refusal(CoupRefusal.TARGET_SELF.value)
    return Refusal(CoupRefusal.TARGET_OUT.value, {"target": target})


def _naming(table: CoupTable, verb: int, role: int) -> Refusal:
    name = ROLES[role].value
    if role not in moves.deck_roles(table):
        return Refusal(CoupRefusal.ROLE_NOT_IN_PLAY.value, {"role": name})
    if verb == moves.BLOCK:
        return Refusal(CoupRefusal.CANNOT_BLOCK.value, {"role": name})
    return Refusal(CoupRefusal.CARD_NOT_HELD.value, {"role": name})


def _keeping(table: CoupTable, kept: list[int]) -> Refusal:
    wanted = len(table.hands[table.turn])
    if len(kept) != wanted:
        return Refusal(CoupRefusal.WRONG_NUMBER.value, {"wanted": wanted, "given": len(kept)})
    missing = next(card for card in kept if kept.count(card) > (table.hands[table.turn] + table.drawn).count(card))
    return Refusal(CoupRefusal.CARD_NOT_HELD.value, {"role": ROLES[missing].value})
