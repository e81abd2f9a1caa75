"""How the searching bots of Coup see a decision: imagined hands that go with what was claimed, and the game played on.

Claims are mostly true, so a world in which many of them are lies is seldom taken. Without that a search doubts everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import Rng
from ...search import Likely, SampledChance, Steps, ahead, seat_of
from .. import stages
from ..conduct import KINDS, kind_of
from ..events import Action
from ..messages import CoupCommand
from ..move_codec import move_of
from ..moves import (
    ASSASSIN,
    ASSASSINATION,
    ASSASSINATION_COST,
    BLOCK,
    CAPTAIN,
    CHALLENGE,
    CONTESSA,
    COPIES,
    COUP,
    COUP_COST,
    DRAFT,
    DUKE,
    EXCHANGE,
    FOREIGN_AID,
    INCOME,
    KEEP,
    LEAVE,
    LET_PASS,
    LOSE,
    PASS,
    REPLACE,
    SHOW,
    SHOW_EXAMINED,
    STEAL,
    STEAL_GAIN,
    TAX,
    TAX_GAIN,
    Move,
    blocking_roles,
    deck_roles,
    keepable,
    pack,
    waiting,
)
from ..rules import apply
from ..stages import ACTION, BLOCK_CHALLENGE, OVER
from ..stages import BLOCK as BLOCK_STAGE
from ..stages import CHALLENGE as CHALLENGE_STAGE
from ..table import INDEX, CoupTable
from ..view import CoupView
from .blunders import sensible
from .determinization import Worlds
from .honest import PRECIOUS_CARD, WORTH, HonestBot
from .rivals import Doubts, Habits, Rivals

LIE: Final = 0.12
"""How likely a claim is made without the role, compared with one that is true."""
DOUBT: Final = 0.03
WARY: Final = 0.12
"""How often a play-out doubts a claim, for each copy of its role that is seen and one more: trusting rivals, and wary ones.

Searches among themselves doubt every fourth claim. A search that expects trusting rivals lies too much against them.
"""
TURNS: Final = 14
"""How many turns a play-out looks ahead."""
VALUE: Final = {INDEX[role]: value for role, value in WORTH.items()}
"""What a role is worth to a hand, as to the honest bot; of two equal cards, `PAIR_LOSS` is lost."""
PAIR_LOSS: Final = 5.0
ASSASSINATE_BELOW: Final = 0.75
EXCHANGE_BELOW: Final = 0.35
AID_ABOVE: Final = 0.4
LIE_ABOVE: Final = 0.85
"""A play-out draws one number from 0 to 1 for its action; these bound it. A lie is a tax without the duke."""
BLUFF_BLOCK: Final = 0.04
BLUFF_CONTESSA: Final = 0.25
BLUFF_LAST_CONTESSA: Final = 0.6
"""How often a play-out blocks without the role: a theft or foreign aid, an assassination, one of the last influence."""
DOUBT_THREATENED: Final = 0.4
"""How often a play-out doubts the assassin sent to its last influence."""
LUCK_IN_COINS: Final = 3
"""By up to how many coins chance shifts which of equally influential rivals looks strongest."""
INFLUENCE: Final = 10.0
COIN: Final = 1.0
"""What stands for strength when a play-out stops early."""

DOUBT_IT: Final[Move] = (CHALLENGE, 0)
HONEST: Final = HonestBot()


class Rollout:
    """A decision of Coup, looked at until the game is over or some turns have passed.

    It takes all rivals alike, as `doubt` and `LIE` say; with `habits` it weighs hands by all that a rival has done, and if it
    `learns`, it expects of each rival as many doubts as that one has shown.
    """

    def __init__(self, view: CoupView, *, doubt: float = DOUBT, habits: Habits | None = None, learns: bool = True) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)
        if habits is not None:
            rivals = Rivals(view, self._seat, habits, learns=learns)
            self._doubts = rivals.doubts
            self._worlds = Likely(Worlds(view).draw, rivals.likelihood)
        else:
            self._doubts = [(doubt,) * KINDS] * len(view.seats)
            self._worlds = Likely(Worlds(view).draw, lambda world: likelihood(world, self._seat))

    def candidates(self, commands: Sequence[CoupCommand], rng: Rng) -> Sequence[CoupCommand]:
        """Return all moves but for certain blunders, the honest bot's first."""
        return ahead(sensible(self._view, commands), HONEST.choose(self._view, commands, rng, Steps(0)))

    def world(self, rng: Rng) -> CoupTable:
        """Return a table with imagined hands, one that goes with the claims rather than another."""
        return self._worlds.draw(rng)

    def worth(self, world: CoupTable, command: CoupCommand, rng: Rng) -> float:
        """Return how good the position looks later, from 0 to 1."""
        table = world.copy()
        table.leave_unwatched()
        chance = SampledChance(rng)
        apply(table, self._seat, move_of(command), chance)
        turn = table.turn
        turns = 0
        doubts = self._doubts
        while table.stage is not OVER and turns < TURNS:
            seat = waiting(table)
            apply(table, seat, quick(table, seat, rng, doubts), chance)
            if table.turn != turn:
                turn = table.turn
                turns = turns + 1
        return prospect(table, self._seat)


def likelihood(world: CoupTable, viewer: int) -> float:
    """Return how well the others' hands go with their claims, up to a factor."""
    found = 1.0
    for seat, claims in enumerate(world.claims):
        if seat != viewer and world.hands[seat]:
            for role in set(claims):
                if role not in world.hands[seat]:
                    found *= LIE
    return found


def prospect(table: CoupTable, seat: int) -> float:
    """Return how good the position of a seat looks, from 0 to 1."""
    if table.stage is OVER:
        return (seat in table.winners) / len(table.winners)
    strength = [
        (INFLUENCE * len(hand) + COIN * min(coins, COUP_COST)) ** 2 if hand else 0.0
        for hand, coins in zip(table.hands, table.coins, strict=True)
    ]
    return strength[seat] / sum(strength)


def quick(table: CoupTable, seat: int, rng: Rng, doubts: Doubts) -> Move:
    """Return a plausible move: mostly what the hand allows, a few lies, and doubts as the seat is thought to have them."""
    stage = table.stage
    if stage is CHALLENGE_STAGE or stage is BLOCK_CHALLENGE:
        kind = kind_of(table.role, table.block_role)
        return _doubt(table, seat, table.open_claim()[1], rng, doubts[seat][kind])
    if stage is ACTION:
        return _act(table, seat, rng)
    return _block(table, seat, rng) if stage is BLOCK_STAGE else _give(table, seat, rng)


def _act(table: CoupTable, seat: int, rng: Rng) -> Move:
    hand = table.hands[seat]
    coins = table.coins[seat]
    if coins >= COUP_COST:
        return COUP, _strongest(table, seat, rng)
    luck = rng.random()
    if ASSASSIN in hand and coins >= ASSASSINATION_COST and luck < ASSASSINATE_BELOW:
        return ASSASSINATION, _strongest(table, seat, rng)
    if DUKE in hand:
        return TAX, 0
    if CAPTAIN in hand:
        victim = max((other for other in range(table.seats) if other != seat and table.hands[other]), key=table.coins.__getitem__)
        if table.coins[victim] >= STEAL_GAIN:
            return STEAL, victim
    if table.fifth in hand and luck < EXCHANGE_BELOW:
        return EXCHANGE, 0
    if luck > LIE_ABOVE:
        return TAX, 0
    return (FOREIGN_AID, 0) if luck > AID_ABOVE and not _is_blocked(table, seat) else (INCOME, 0)


def _is_blocked(table: CoupTable, seat: int) -> bool:
    """Return whether a rival has claimed to block foreign aid."""
    return any(DUKE in claims and table.hands[other] for other, claims in enumerate(table.claims) if other != seat)


def _strongest(table: CoupTable, seat: int, rng: Rng) -> int:
    rivals = [other for other in range(table.seats) if other != seat and table.hands[other]]
    return max(rivals, key=lambda other: (len(table.hands[other]), table.coins[other] + rng.random() * LUCK_IN_COINS))


def _doubt(table: CoupTable, seat: int, role: int, rng: Rng, habit: float) -> Move:
    """Doubt what cannot be, sometimes what threatens the last influence, seldom anything else."""
    hand = table.hands[seat]
    seen = hand.count(role)
    for cards in table.up:
        if cards:
            seen += cards.count(role)
    doubt = habit * (1 + seen)
    if seen == COPIES:
        doubt = 1.0
    elif len(hand) == 1:
        if _is_lost(table):
            doubt = 1.0
        elif seat == table.target and table.stage is CHALLENGE_STAGE and table.cost > 0 and CONTESSA not in hand:
            doubt = DOUBT_THREATENED
    return DOUBT_IT if rng.random() < doubt else LET_PASS


def _is_lost(table: CoupTable) -> bool:
    """Return whether the only rival of a seat with one card can launch the last coup if this claim stands."""
    if sum(map(bool, table.hands)) > 2:
        return False
    rival = table.blocker if table.stage is BLOCK_CHALLENGE else table.turn
    return table.coins[rival] + TAX_GAIN * (table.action is Action.TAX and rival == table.turn) >= COUP_COST


def _block(table: CoupTable, seat: int, rng: Rng) -> Move:
    roles = blocking_roles(table)
    for role in roles:
        if role in table.hands[seat]:
            return BLOCK, role
    bluff = BLUFF_BLOCK
    if table.cost:
        bluff = BLUFF_CONTESSA if len(table.hands[seat]) > 1 else BLUFF_LAST_CONTESSA
    return (BLOCK, roles[0]) if rng.random() < bluff else (PASS, 0)


def _give(table: CoupTable, seat: int, rng: Rng) -> Move:
    hand = table.hands[seat]
    match table.stage:
        case stages.PROVE:
            role = table.open_claim()[1]
            return SHOW, role if role in hand else _least(hand)
        case stages.LOSE:
            return LOSE, _least(hand)
        case stages.EXCHANGE:
            return KEEP, pack(max(keepable(table), key=_worth))
        case stages.SHOW:
            return SHOW_EXAMINED, _least(hand)
        case stages.JUDGE:
            return (REPLACE if VALUE[table.examined] >= PRECIOUS_CARD else LEAVE), 0
        case _:
            roles = deck_roles(table)
            return DRAFT, roles[rng.randrange(len(roles))]


def _least(hand: Sequence[int]) -> int:
    return min(hand, key=VALUE.__getitem__)


def _worth(cards: Sequence[int]) -> float:
    return sum(map(VALUE.__getitem__, cards)) - PAIR_LOSS * (len(cards) > len(set(cards)))
