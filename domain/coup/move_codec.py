"""Commands and the moves that they stand for, one to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from . import moves
from .messages import (
    ROLES,
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    DraftCard,
    KeepCards,
    LaunchCoup,
    LeaveCard,
    LetPass,
    LoseInfluence,
    ReplaceCard,
    ShowCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from .table import INDEX

PLAIN: Final[Mapping[type[CoupCommand], int]] = {
    TakeIncome: moves.INCOME,
    TakeForeignAid: moves.FOREIGN_AID,
    ClaimTax: moves.TAX,
    ClaimExchange: moves.EXCHANGE,
    Challenge: moves.CHALLENGE,
    LetPass: moves.PASS,
    LeaveCard: moves.LEAVE,
    ReplaceCard: moves.REPLACE,
}
AIMED: Final = {
    LaunchCoup: moves.COUP,
    ClaimAssassination: moves.ASSASSINATION,
    ClaimSteal: moves.STEAL,
    ClaimExamine: moves.EXAMINE,
}
NAMING: Final = {
    Block: moves.BLOCK,
    ShowCard: moves.SHOW,
    LoseInfluence: moves.LOSE,
    ShowExamined: moves.SHOW_EXAMINED,
    DraftCard: moves.DRAFT,
}
BACK_PLAIN: Final = {verb: command() for command, verb in PLAIN.items()}
BACK_AIMED: Final = {verb: command for command, verb in AIMED.items()}
BACK_NAMING: Final = {verb: command for command, verb in NAMING.items()}


def move_of(command: CoupCommand) -> moves.Move:
    """Return the move that a command stands for."""
    match command:
        case LaunchCoup(target) | ClaimAssassination(target) | ClaimSteal(target) | ClaimExamine(target):
            return AIMED[type(command)], target
        case Block(role) | ShowCard(role) | LoseInfluence(role) | ShowExamined(role) | DraftCard(role):
            return NAMING[type(command)], INDEX[role]
        case KeepCards(roles):
            return moves.KEEP, moves.pack([INDEX[role] for role in roles])
        case _:
            return PLAIN[type(command)], 0


def command_of(move: moves.Move) -> CoupCommand:
    """Return the command that stands for a move."""
    verb, argument = move
    if verb in BACK_PLAIN:
        return BACK_PLAIN[verb]
    if verb in BACK_AIMED:
        return BACK_AIMED[verb](argument)
    if verb in BACK_NAMING:
        return BACK_NAMING[verb](ROLES[argument])
    return KeepCards(tuple(ROLES[card] for card in moves.unpack(argument)))
