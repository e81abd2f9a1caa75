"""Commands and the moves that they stand for, one to one."""

from __future__ import annotations

from collections.abc import Mapping

from . import rules
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

PLAIN: Mapping[type[CoupCommand], int] = {
    TakeIncome: rules.INCOME,
    TakeForeignAid: rules.FOREIGN_AID,
    ClaimTax: rules.TAX,
    ClaimExchange: rules.EXCHANGE,
    Challenge: rules.CHALLENGE,
    LetPass: rules.PASS,
    LeaveCard: rules.LEAVE,
    ReplaceCard: rules.REPLACE,
}
AIMED = {LaunchCoup: rules.COUP, ClaimAssassination: rules.ASSASSINATE, ClaimSteal: rules.STEAL, ClaimExamine: rules.EXAMINE}
NAMING = {
    Block: rules.BLOCK,
    ShowCard: rules.SHOW,
    LoseInfluence: rules.LOSE,
    ShowExamined: rules.SHOW_EXAMINED,
    DraftCard: rules.DRAFT,
}
BACK_PLAIN = {verb: command() for command, verb in PLAIN.items()}
BACK_AIMED = {verb: command for command, verb in AIMED.items()}
BACK_NAMING = {verb: command for command, verb in NAMING.items()}


def move_of(command: CoupCommand) -> rules.Move:
    """Return the move that a command stands for."""
    match command:
        case LaunchCoup(target) | ClaimAssassination(target) | ClaimSteal(target) | ClaimExamine(target):
            return AIMED[type(command)], target
        case Block(role) | ShowCard(role) | LoseInfluence(role) | ShowExamined(role) | DraftCard(role):
            return NAMING[type(command)], INDEX[role]
        case KeepCards(roles):
            return rules.KEEP, rules.packed([INDEX[role] for role in roles])
        case _:
            return PLAIN[type(command)], 0


def command_of(move: rules.Move) -> CoupCommand:
    """Return the command that stands for a move."""
    verb, argument = move
    if verb in BACK_PLAIN:
        return BACK_PLAIN[verb]
    if verb in BACK_AIMED:
        return BACK_AIMED[verb](argument)
    if verb in BACK_NAMING:
        return BACK_NAMING[verb](ROLES[argument])
    return KeepCards(tuple(ROLES[card] for card in rules.unpacked(argument)))
