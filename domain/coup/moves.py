"""Moves: what a seat may do. A move is a pair of small ints, a verb and its argument: a search needs no commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from .events import Action
from .messages import ROLES, Role
from .table import INDEX, NOBODY, CoupTable, Stage

COUP_COST, ASSASSINATION_COST, COUP_DUTY = 7, 3, 10
DUKE, ASSASSIN, CAPTAIN, CONTESSA = (INDEX[role] for role in (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.CONTESSA))
COPIES = 3

INCOME, FOREIGN_AID, COUP, TAX, ASSASSINATE, STEAL, EXCHANGE, EXAMINE = range(8)
CHALLENGE, BLOCK, PASS, SHOW, LOSE, KEEP, SHOW_EXAMINED, LEAVE, REPLACE, DRAFT = range(8, 18)

ACTIONS = (
    Action.INCOME,
    Action.FOREIGN_AID,
    Action.COUP,
    Action.TAX,
    Action.ASSASSINATION,
    Action.STEAL,
    Action.EXCHANGE,
    Action.EXAMINE,
)
VERBS = {action: verb for verb, action in enumerate(ACTIONS)}
TARGETED = frozenset((COUP, ASSASSINATE, STEAL, EXAMINE))
COSTS = {COUP: COUP_COST, ASSASSINATE: ASSASSINATION_COST}

Move: TypeAlias = tuple[int, int]
"""A verb and its argument: a target, a role, or, for KEEP, the kept cards as `packed`."""

PACK = 8


def packed(cards: Sequence[int]) -> int:
    """Return cards, which are one or two in a legal move, as one number."""
    number = 0
    for card in sorted(cards):
        number = number * PACK + card + 1
    return number


def unpacked(number: int) -> list[int]:
    """Return the cards of a packed number, however many."""
    cards: list[int] = []
    while number:
        number, digit = divmod(number, PACK)
        cards.append(digit - 1)
    return cards[::-1]


def claimed(table: CoupTable, verb: int) -> int:
    """Return the role that an action claims."""
    return {TAX: DUKE, ASSASSINATE: ASSASSIN, STEAL: CAPTAIN, EXCHANGE: table.fifth, EXAMINE: table.fifth}.get(verb, NOBODY)


def blocking_roles(table: CoupTable) -> tuple[int, ...]:
    """Return the roles that block the running action."""
    match table.action:
        case Action.FOREIGN_AID:
            return (DUKE,)
        case Action.ASSASSINATION:
            return (CONTESSA,)
        case Action.STEAL:
            return (CAPTAIN, table.fifth) if table.fifth > CAPTAIN else (table.fifth, CAPTAIN)
        case _:
            return ()


def may_block(table: CoupTable) -> list[int]:
    """Return the seats that may block the running action."""
    if not blocking_roles(table):
        return []
    if table.action is Action.FOREIGN_AID:
        return [seat for seat in table.living() if seat != table.turn]
    return [table.target] if table.hands[table.target] else []


def legal(table: CoupTable, seat: int) -> list[Move]:
    """Return the legal moves of a seat, in a stable order; none if it is not asked."""
    return MOVES[table.stage](table, seat)


def _nothing(_: CoupTable, __: int) -> list[Move]:
    return []


def _actions(table: CoupTable, seat: int) -> list[Move]:
    return action_moves(table) if seat == table.turn else []


def _doubts(table: CoupTable, seat: int) -> list[Move]:
    return [(CHALLENGE, 0), (PASS, 0)] if may_react(table, seat) else []


def _blocks(table: CoupTable, seat: int) -> list[Move]:
    return [*((BLOCK, role) for role in blocking_roles(table)), (PASS, 0)] if may_react(table, seat) else []


def _cards(verb: int, table: CoupTable, seat: int, asked: int) -> list[Move]:
    return [(verb, card) for card in unique(table.hands[seat])] if seat == asked else []


def _exchanges(table: CoupTable, seat: int) -> list[Move]:
    return [(KEEP, packed(kept)) for kept in keepable(table)] if seat == table.turn else []


def _judgements(table: CoupTable, seat: int) -> list[Move]:
    return [(LEAVE, 0), (REPLACE, 0)] if seat == table.turn else []


def _drafts(table: CoupTable, seat: int) -> list[Move]:
    return [(DRAFT, role) for role in deck_roles(table)] if table.drafted[seat] == NOBODY else []


MOVES: Mapping[int, Callable[[CoupTable, int], list[Move]]] = {
    Stage.SETUP: _nothing,
    Stage.DRAFT: _drafts,
    Stage.ACTION: _actions,
    Stage.CHALLENGE: _doubts,
    Stage.BLOCK: _blocks,
    Stage.BLOCK_CHALLENGE: _doubts,
    Stage.PROVE: lambda table, seat: _cards(SHOW, table, seat, table.loser),
    Stage.LOSE: lambda table, seat: _cards(LOSE, table, seat, table.loser),
    Stage.EXCHANGE: _exchanges,
    Stage.SHOW: lambda table, seat: _cards(SHOW_EXAMINED, table, seat, table.target),
    Stage.JUDGE: _judgements,
    Stage.OVER: _nothing,
}


def unique(cards: list[int]) -> list[int]:
    """Return each kind of card once, in order."""
    return sorted(set(cards))


def may_react(table: CoupTable, seat: int) -> bool:
    """Return whether a seat still may react in the open window."""
    return seat in table.window and seat not in table.passed


def keepable(table: CoupTable) -> list[tuple[int, ...]]:
    """Return what an exchange may keep: as many cards as the seat has, of its own and the drawn ones."""
    hand = table.hands[table.turn]
    return sorted(set(combinations(sorted(hand + table.drawn), len(hand))))


def deck_roles(table: CoupTable) -> list[int]:
    """Return the five roles in play."""
    return sorted((DUKE, ASSASSIN, CAPTAIN, CONTESSA, table.fifth))


def action_moves(table: CoupTable) -> list[Move]:
    """Return what a turn may be used for; with ten coins only a coup."""
    coins = table.coins[table.turn]
    targets = [seat for seat in table.living() if seat != table.turn]
    coups: list[Move] = [(COUP, target) for target in targets] if coins >= COUP_COST else []
    if coins >= COUP_DUTY:
        return coups
    moves: list[Move] = [(INCOME, 0), (FOREIGN_AID, 0), *coups, (TAX, 0)]
    if coins >= ASSASSINATION_COST:
        moves += [(ASSASSINATE, target) for target in targets]
    moves += [(STEAL, target) for target in targets]
    moves.append((EXCHANGE, 0))
    if ROLES[table.fifth] is Role.INQUISITOR:
        moves += [(EXAMINE, target) for target in targets]
    return moves
