"""Moves: what a seat may do. A move is a pair of small ints, a verb and its argument: a search needs no commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from . import stages
from .events import Action
from .messages import ROLES, Role
from .table import INDEX, NOBODY, CoupTable


class Coins(NamedTuple):
    """What an action costs, and what it brings; the coins of a steal are the target's, as far as it has them."""

    cost: int = 0
    gain: int = 0


COINS: Final[Mapping[Action, Coins]] = {
    Action.INCOME: Coins(gain=1),
    Action.FOREIGN_AID: Coins(gain=2),
    Action.COUP: Coins(cost=7),
    Action.TAX: Coins(gain=3),
    Action.ASSASSINATION: Coins(cost=3),
    Action.STEAL: Coins(gain=2),
    Action.EXCHANGE: Coins(),
    Action.EXAMINE: Coins(),
}
COUP_COST: Final = COINS[Action.COUP].cost
ASSASSINATION_COST: Final = COINS[Action.ASSASSINATION].cost
INCOME_GAIN: Final = COINS[Action.INCOME].gain
FOREIGN_AID_GAIN: Final = COINS[Action.FOREIGN_AID].gain
TAX_GAIN: Final = COINS[Action.TAX].gain
STEAL_GAIN: Final = COINS[Action.STEAL].gain
COUP_DUTY: Final = 10
"""The number of coins from which a seat must launch a coup."""
DUKE, ASSASSIN, CAPTAIN, CONTESSA = (INDEX[role] for role in (Role.DUKE, Role.ASSASSIN, Role.CAPTAIN, Role.CONTESSA))
COPIES: Final = 3

INCOME: Final = 0
FOREIGN_AID: Final = 1
COUP: Final = 2
TAX: Final = 3
ASSASSINATION: Final = 4
STEAL: Final = 5
EXCHANGE: Final = 6
EXAMINE: Final = 7
CHALLENGE: Final = 8
BLOCK: Final = 9
PASS: Final = 10
SHOW: Final = 11
LOSE: Final = 12
KEEP: Final = 13
SHOW_EXAMINED: Final = 14
LEAVE: Final = 15
REPLACE: Final = 16
DRAFT: Final = 17

ACTIONS: Final = tuple(COINS)
"""The action of each of these verbs."""
TARGETED: Final = frozenset((COUP, ASSASSINATION, STEAL, EXAMINE))
COSTS: Final = tuple(coins.cost for coins in COINS.values())
"""What each of these verbs costs."""

Move: TypeAlias = tuple[int, int]
"""A verb and its argument: a target, a role, or, for KEEP, the kept cards as `packed`."""

PACK: Final = 8


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


CLAIMS: Final = tuple(
    tuple(
        {TAX: DUKE, ASSASSINATION: ASSASSIN, STEAL: CAPTAIN, EXCHANGE: fifth, EXAMINE: fifth}.get(verb, NOBODY)
        for verb in range(8)
    )
    for fifth in range(len(ROLES))
)
"""The role that each action claims, by the fifth role of the game."""
_FOREIGN_AID: Final = Action.FOREIGN_AID  # quicker to find
_ASSASSINATION: Final = Action.ASSASSINATION
_STEAL: Final = Action.STEAL
BY_DUKE: Final = (DUKE,)
BY_CONTESSA: Final = (CONTESSA,)
BY_TWO: Final = tuple(tuple(sorted((CAPTAIN, fifth))) for fifth in range(len(ROLES)))
"""The roles that block a steal, by the fifth role."""


def blocking_roles(table: CoupTable) -> tuple[int, ...]:
    """Return the roles that block the running action."""
    action = table.action
    if action is _STEAL:
        return BY_TWO[table.fifth]
    if action is _FOREIGN_AID:
        return BY_DUKE
    return BY_CONTESSA if action is _ASSASSINATION else ()


def may_block(table: CoupTable) -> list[int]:
    """Return the seats that may block the running action."""
    action = table.action
    if action is _FOREIGN_AID:
        return others(table, table.turn)
    if action is _STEAL or action is _ASSASSINATION:
        return [table.target] if table.hands[table.target] else []
    return []


def others(table: CoupTable, seat: int) -> list[int]:
    """Return the living seats but one."""
    return [other for other, hand in enumerate(table.hands) if hand and other != seat]


def waiting(table: CoupTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    stage, passed = table.stage, table.passed
    if stage is stages.ACTION:
        return table.turn
    if stage is stages.CHALLENGE or stage is stages.BLOCK or stage is stages.BLOCK_CHALLENGE:
        for seat in table.window:
            if seat not in passed:
                return seat
    if stage is stages.SETUP or stage is stages.OVER:
        return NOBODY
    if stage is stages.DRAFT:
        return table.drafted.index(NOBODY)
    if stage is stages.SHOW:
        return table.target
    return table.loser if stage in (stages.PROVE, stages.LOSE) else table.turn


def legal(table: CoupTable, seat: int) -> Sequence[Move]:
    """Return the legal moves of a seat, in a stable order; none if it is not asked."""
    return MOVES[table.stage](table, seat)


NONE: Final[tuple[Move, ...]] = ()
LET_PASS: Final[Move] = (PASS, 0)
DOUBTS: Final[tuple[Move, ...]] = ((CHALLENGE, 0), LET_PASS)
JUDGEMENTS: Final[tuple[Move, ...]] = ((LEAVE, 0), (REPLACE, 0))


def _nothing(_: CoupTable, __: int) -> Sequence[Move]:
    return NONE


def _actions(table: CoupTable, seat: int) -> Sequence[Move]:
    return action_moves(table) if seat == table.turn else NONE


def _doubts(table: CoupTable, seat: int) -> Sequence[Move]:
    return DOUBTS if seat in table.window and seat not in table.passed else NONE


def _blocks(table: CoupTable, seat: int) -> Sequence[Move]:
    return _blocks_by(blocking_roles(table)) if seat in table.window and seat not in table.passed else NONE


@cache
def _blocks_by(roles: tuple[int, ...]) -> tuple[Move, ...]:
    return (*((BLOCK, role) for role in roles), LET_PASS)


@cache
def _each(verb: int, cards: tuple[int, ...]) -> tuple[Move, ...]:
    """Return a move for each kind of card, in order."""
    return tuple((verb, card) for card in sorted(set(cards)))


def _proofs(table: CoupTable, seat: int) -> Sequence[Move]:
    return _each(SHOW, tuple(table.hands[seat])) if seat == table.loser else NONE


def _losses(table: CoupTable, seat: int) -> Sequence[Move]:
    return _each(LOSE, tuple(table.hands[seat])) if seat == table.loser else NONE


def _examinations(table: CoupTable, seat: int) -> Sequence[Move]:
    return _each(SHOW_EXAMINED, tuple(table.hands[seat])) if seat == table.target else NONE


def _exchanges(table: CoupTable, seat: int) -> Sequence[Move]:
    return [(KEEP, packed(kept)) for kept in keepable(table)] if seat == table.turn else NONE


def _judgements(table: CoupTable, seat: int) -> Sequence[Move]:
    return JUDGEMENTS if seat == table.turn else NONE


def _drafts(table: CoupTable, seat: int) -> Sequence[Move]:
    return [(DRAFT, role) for role in deck_roles(table)] if table.drafted[seat] == NOBODY else NONE


MOVES: Final[Mapping[int, Callable[[CoupTable, int], Sequence[Move]]]] = {
    stages.SETUP: _nothing,
    stages.DRAFT: _drafts,
    stages.ACTION: _actions,
    stages.CHALLENGE: _doubts,
    stages.BLOCK: _blocks,
    stages.BLOCK_CHALLENGE: _doubts,
    stages.PROVE: _proofs,
    stages.LOSE: _losses,
    stages.EXCHANGE: _exchanges,
    stages.SHOW: _examinations,
    stages.JUDGE: _judgements,
    stages.OVER: _nothing,
}


def keepable(table: CoupTable) -> Sequence[tuple[int, ...]]:
    """Return what an exchange may keep: as many cards as the seat has, of its own and the drawn ones."""
    hand = table.hands[table.turn]
    return _kept(tuple(sorted(hand + table.drawn)), len(hand))


@cache
def _kept(cards: tuple[int, ...], size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(set(combinations(cards, size))))


def deck_roles(table: CoupTable) -> list[int]:
    """Return the five roles in play."""
    return sorted((DUKE, ASSASSIN, CAPTAIN, CONTESSA, table.fifth))


def action_moves(table: CoupTable) -> Sequence[Move]:
    """Return what a turn may be used for; with ten coins only a coup."""
    examining = ROLES[table.fifth] is Role.INQUISITOR
    return _affordable(tuple(others(table, table.turn)), min(table.coins[table.turn], COUP_DUTY), examining)


@cache
def _affordable(targets: tuple[int, ...], coins: int, examining: bool) -> tuple[Move, ...]:
    """Return the actions against some targets that this number of coins pays for."""
    coups: list[Move] = [(COUP, target) for target in targets] if coins >= COUP_COST else []
    if coins >= COUP_DUTY:
        return tuple(coups)
    moves: list[Move] = [(INCOME, 0), (FOREIGN_AID, 0), *coups, (TAX, 0)]
    if coins >= ASSASSINATION_COST:
        moves += [(ASSASSINATION, target) for target in targets]
    moves += [(STEAL, target) for target in targets]
    moves.append((EXCHANGE, 0))
    if examining:
        moves += [(EXAMINE, target) for target in targets]
    return tuple(moves)
