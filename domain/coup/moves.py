"""Moves: what a seat may do. A move is a pair of small ints, a verb and its argument: a search needs no commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
DUKE: Final = INDEX[Role.DUKE]
ASSASSIN: Final = INDEX[Role.ASSASSIN]
CAPTAIN: Final = INDEX[Role.CAPTAIN]
CONTESSA: Final = INDEX[Role.CONTESSA]
INQUISITOR: Final = INDEX[Role.INQUISITOR]
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
"""A verb and its argument: a target, a role, or, for KEEP, the kept cards as by `pack`."""

PACK: Final = 8


def pack(cards: Sequence[int]) -> int:
    """Return cards, which are one or two in a legal move, as one number."""
    number = 0
    for card in sorted(cards):
        number = number * PACK + card + 1
    return number


def unpack(number: int) -> list[int]:
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
    stage = table.stage
    passed = table.passed
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
    return table.loser if stage is stages.PROVE or stage is stages.LOSE else table.turn


def legal(table: CoupTable, seat: int) -> Sequence[Move]:  # noqa: PLR0911 - one for each stage
    """Return the legal moves of a seat, in a stable order; none if it is not asked."""
    stage = table.stage
    if stage is stages.ACTION:
        return action_moves(table) if seat == table.turn else NONE
    if stage is stages.CHALLENGE or stage is stages.BLOCK_CHALLENGE:
        return DOUBTS if may_react(table, seat) else NONE
    if stage is stages.BLOCK:
        return [*[(BLOCK, role) for role in blocking_roles(table)], LET_PASS] if may_react(table, seat) else NONE
    if stage is stages.PROVE:
        return _each(SHOW, table.hands[seat]) if seat == table.loser else NONE
    if stage is stages.LOSE:
        return _each(LOSE, table.hands[seat]) if seat == table.loser else NONE
    if stage is stages.EXCHANGE:
        return [(KEEP, pack(kept)) for kept in keepable(table)] if seat == table.turn else NONE
    if stage is stages.SHOW:
        return _each(SHOW_EXAMINED, table.hands[seat]) if seat == table.target else NONE
    if stage is stages.JUDGE:
        return JUDGEMENTS if seat == table.turn else NONE
    if stage is stages.DRAFT and table.drafted[seat] == NOBODY:
        return [(DRAFT, role) for role in deck_roles(table)]
    return NONE


NONE: Final[tuple[Move, ...]] = ()
LET_PASS: Final[Move] = (PASS, 0)
DOUBTS: Final[tuple[Move, ...]] = ((CHALLENGE, 0), LET_PASS)
JUDGEMENTS: Final[tuple[Move, ...]] = ((LEAVE, 0), (REPLACE, 0))


def may_react(table: CoupTable, seat: int) -> bool:
    """Return whether a seat may react in the open window, and has not passed."""
    return seat in table.window and seat not in table.passed


def _each(verb: int, cards: list[int]) -> list[Move]:
    """Return a move for each kind of card of a hand, in order; hands are sorted."""
    return [(verb, card) for place, card in enumerate(cards) if not place or card != cards[place - 1]]


def keepable(table: CoupTable) -> Sequence[tuple[int, ...]]:
    """Return what an exchange may keep: as many cards as the seat has, of its own and the drawn ones."""
    hand = table.hands[table.turn]
    return _choices_to_keep(tuple(sorted(hand + table.drawn)), len(hand))


@cache
def _choices_to_keep(cards: tuple[int, ...], size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(set(combinations(cards, size))))


def deck_roles(table: CoupTable) -> list[int]:
    """Return the five roles in play."""
    return sorted((DUKE, ASSASSIN, CAPTAIN, CONTESSA, table.fifth))


def action_moves(table: CoupTable) -> tuple[Move, ...]:
    """Return what a turn may be used for; with ten coins only a coup."""
    turn = table.turn
    targets = 0
    for other, hand in enumerate(table.hands):
        if hand and other != turn:
            targets |= 1 << other
    coins = min(table.coins[turn], COUP_DUTY)
    examining = table.fifth == INQUISITOR
    key = (targets << 4 | coins) << 1 | examining
    moves = KNOWN_ACTIONS.get(key)
    if moves is None:
        moves = KNOWN_ACTIONS[key] = _affordable([seat for seat in range(table.seats) if targets >> seat & 1], coins, examining)
    return moves


KNOWN_ACTIONS: Final[dict[int, tuple[Move, ...]]] = {}
"""What was found by targets, coins and the fifth role: some thousands at most."""


def _affordable(targets: list[int], coins: int, examining: bool) -> tuple[Move, ...]:
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
