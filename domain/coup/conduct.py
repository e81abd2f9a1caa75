"""Conduct: what each seat of a game of Coup has claimed, let pass and doubted, as everyone has seen it.

It is a list of counts, `WIDTH` for each seat, kept by the facts of the table. Where no view is made of a table, as in the
play-outs of a search, it is empty and nothing is counted. The first counts of a seat are about the cards that it holds now, and
begin from nothing when its hand changes unseen. The last four are about the player, and stay to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .messages import ROLES, Role

TAX: Final = 0
ASSASSINATION: Final = 1
THEFT: Final = 2
EXCHANGE: Final = 3
AID_BLOCK: Final = 4
CONTESSA_BLOCK: Final = 5
CAPTAIN_BLOCK: Final = 6
FIFTH_BLOCK: Final = 7
KINDS: Final = 8
"""The kinds of claims. The inquisitor's examination counts as an exchange: it claims the same role."""
UNCLAIMED: Final = 8
ARMED: Final = 9
TEMPTED: Final = 10
AID_LET_PASS: Final = 11
THEFT_LET_PASS: Final = 12
ASSASSIN_LET_PASS: Final = 13
HELD: Final = 14
"""Turns without a claim, turns without the assassin that it could pay, turns without a claim while a rival had coins to steal,
and actions that it could have blocked. All up to here is about the cards held now."""
LIES: Final = 14
PROOFS: Final = 15
DOUBTS: Final = 16
TRUSTS: Final = 17
WIDTH: Final = 18
"""Its claims that were disproved and proved, those of others that it doubted, and those that it let stand, as did all others."""

WORTH_STEALING: Final = 2
PRICE: Final = 3
"""With how many coins a rival is worth a theft, and what an assassin costs."""

BY_ROLE: Final = tuple({Role.DUKE: TAX, Role.ASSASSIN: ASSASSINATION, Role.CAPTAIN: THEFT}.get(role, EXCHANGE) for role in ROLES)
"""The kind of an action that claims the role. No action is looked up: the hash of an enum's member is slow."""
BY_BLOCKER: Final = tuple(
    {Role.DUKE: AID_BLOCK, Role.CONTESSA: CONTESSA_BLOCK, Role.CAPTAIN: CAPTAIN_BLOCK}.get(role, FIFTH_BLOCK) for role in ROLES
)
CLAIMED_WITH: Final = tuple(
    {
        Role.DUKE: (TAX, AID_BLOCK),
        Role.ASSASSIN: (ASSASSINATION,),
        Role.CONTESSA: (CONTESSA_BLOCK,),
        Role.CAPTAIN: (THEFT, CAPTAIN_BLOCK),
    }.get(role, (EXCHANGE, FIFTH_BLOCK))
    for role in ROLES
)
"""The kinds of claims of each role."""
NOTHING: Final = (0,) * HELD


def kind_of(role: int, block_role: int) -> int:
    """Return of which kind the open claim is: a block with that role, or an action with the other if it is below zero."""
    return BY_BLOCKER[block_role] if block_role >= 0 else BY_ROLE[role]


def let_pass(role: int, cost: int) -> int:
    """Return what is counted of a seat that did not block: foreign aid has no role, and only the assassin costs."""
    if role < 0:
        return AID_LET_PASS
    return ASSASSIN_LET_PASS if cost else THEFT_LET_PASS


def forget_role(conduct: list[int], seat: int, role: int) -> None:
    """A seat's claims of a role are settled: it was shown, lost, or never there."""
    for kind in CLAIMED_WITH[role] if conduct else ():
        conduct[seat * WIDTH + kind] = 0


def forget_hand(conduct: list[int], seat: int, first: int = 0) -> None:
    """A seat's cards have changed unseen: what it did with the old ones says nothing any more."""
    if conduct:
        conduct[seat * WIDTH + first : seat * WIDTH + HELD] = NOTHING[first:]


def of_seat(conduct: Sequence[int], seat: int) -> tuple[int, ...]:
    """Return the counts of one seat."""
    return tuple(conduct[seat * WIDTH : (seat + 1) * WIDTH])
