"""What a seat of Coup may know as whole numbers, and its moves as places: what goes into a net and what comes out of it.

Everything is relative to the seat: living rivals stand in the order in which their turns come, and those who are out leave no
gap. So a table of six with three seats left looks as one of three. The ambassador and the inquisitor are both the fifth role.
"""

from __future__ import annotations

from typing import Final

from ...search import seat_of
from ..conduct import WIDTH
from ..messages import Role
from ..moves import (
    ACTIONS,
    ASSASSINATION,
    BLOCK,
    CHALLENGE,
    COUP,
    COUP_COST,
    COUP_DUTY,
    EXAMINE,
    EXCHANGE,
    KEEP,
    LEAVE,
    PASS,
    REPLACE,
    STEAL,
    TAX,
    Move,
    pack,
)
from ..stages import CoupStage
from ..view import CoupSeatView, CoupView, counted, open_claim

KINDS: Final = 5
KIND: Final = {Role.AMBASSADOR: 0, Role.INQUISITOR: 0, Role.ASSASSIN: 1, Role.CAPTAIN: 2, Role.CONTESSA: 3, Role.DUKE: 4}
OF_CARD: Final = (0, 1, 2, 3, 4, 0)
"""The kind of each role, by its place among all roles."""
STAGES: Final = tuple(stage.key for stage in CoupStage)
"""The first and the last are no decisions."""
RIVALS: Final = 5
MOST_COINS: Final = 12
MOST_TIMES: Final = 4
ASSASSIN_COST: Final = 3
COPIES: Final = 3

SEAT: Final = 5 + WIDTH
PARTS: Final = 6
OWN: Final = 4 * KINDS + SEAT
PUBLIC: Final = 4 * KINDS + len(STAGES) - 2 + len(ACTIONS) + RIVALS + 11
RIVAL: Final = KINDS + PARTS + SEAT
FEATURES: Final = OWN + PUBLIC + RIVALS * RIVAL
SEATS_AT: Final = (4 * KINDS, *[OWN + PUBLIC + number * RIVAL + KINDS + PARTS for number in range(RIVALS)])
"""Where what everyone sees of a seat begins: of the viewer, and of each rival."""

SIMPLE: Final = {0: 0, 1: 1, TAX: 2, EXCHANGE: 3, CHALLENGE: 24, PASS: 25, LEAVE: 56, REPLACE: 57}
AIMED: Final = {COUP: 4, ASSASSINATION: 9, STEAL: 14, EXAMINE: 19}
BLOCKS: Final = 26
CARDS: Final = 31
KEEPS: Final = 36
PLACES: Final = 58


def _kept() -> dict[int, int]:
    """Return the place of each choice of cards to keep."""
    sets: list[tuple[int, ...]] = [(one,) for one in range(KINDS)] + [
        (one, two) for one in range(KINDS) for two in range(one, KINDS)
    ]
    place: dict[tuple[int, ...], int] = {kinds: KEEPS + number for number, kinds in enumerate(sets)}
    cards = range(len(OF_CARD))
    hands = [[card] for card in cards] + [[one, two] for one in cards for two in cards if one <= two]
    return {pack(hand): place[tuple(sorted([OF_CARD[card] for card in hand]))] for hand in hands}


KEPT: Final = _kept()


def rivals_of(view: CoupView) -> list[int]:
    """Return the living seats but the viewer's, in the order of their turns after it."""
    own = seat_of(view, view.seat)
    seats = len(view.seats)
    found: list[int] = []
    for step in range(1, seats):
        seat = (own + step) % seats
        if view.seats[seat].influence:
            found.append(seat)
    return found


def place_of(move: Move, rivals: list[int]) -> int:
    """Return the place of a move: the same for every viewer."""
    verb, argument = move
    if verb in SIMPLE:
        return SIMPLE[verb]
    if verb in AIMED:
        return AIMED[verb] + rivals.index(argument)
    if verb == BLOCK:
        return BLOCKS + OF_CARD[argument]
    return KEPT[argument] if verb == KEEP else CARDS + OF_CARD[argument]


def encode(view: CoupView, rivals: list[int]) -> list[int]:
    """Return what the viewer knows, FEATURES numbers from 0 to 12: its own cards, what lies open, and each of its rivals."""
    own = view.seats[seat_of(view, view.seat)]
    found = [0] * FEATURES
    hand = _kinds(view.hand)
    place = 0
    for counts in (hand, _kinds(view.drawn), _kinds(view.court_holds)):
        found[place : place + KINDS] = counts
        place += KINDS
    for kind in range(KINDS):
        found[place + kind] = int(hand[kind] > 1)
    place = _seat(found, place + KINDS, own)
    place = _public(found, place, view, hand, len(rivals))
    for seat in rivals:
        _rival(found, place, view, seat)
        place += RIVAL
    return found


def _kinds(cards: tuple[Role, ...]) -> list[int]:
    counts = [0] * KINDS
    for card in cards:
        counts[KIND[card]] += 1
    return counts


def _seat(found: list[int], place: int, seat: CoupSeatView) -> int:
    """Write what everyone sees of a seat; return the place behind it."""
    coins = seat.coins
    found[place] = int(seat.influence > 1)
    found[place + 1] = min(coins, MOST_COINS)
    found[place + 2] = int(coins >= ASSASSIN_COST)
    found[place + 3] = int(coins >= COUP_COST)
    found[place + 4] = int(coins >= COUP_DUTY)
    place += 5
    for count in counted(seat.conduct):
        found[place] = min(count, MOST_TIMES)
        place += 1
    return place


def _public(found: list[int], place: int, view: CoupView, hand: list[int], rivals: int) -> int:
    """Write what is true of the table; return the place behind it."""
    open_ = [0] * KINDS
    for each in view.seats:
        for role in each.face_up:
            open_[KIND[role]] += 1
    found[place : place + KINDS] = open_
    place += KINDS
    if view.block_role is not None:
        found[place + KIND[view.block_role]] = 1
    place += KINDS
    if view.examined is not None:
        found[place + KIND[view.examined]] = 1
    place += KINDS
    claimed = open_claim(view)[1]
    if claimed is not None:
        kind = KIND[claimed]
        found[place + min(hand[kind] + open_[kind], COPIES)] = 1
    place += KINDS
    found[place + STAGES.index(view.stage) - 1] = 1
    place += len(STAGES) - 2
    if view.action is not None:
        found[place + ACTIONS.index(view.action)] = 1
    place += len(ACTIONS)
    found[place + rivals - 1] = 1
    place += RIVALS
    return _roles_of(found, place, view, seat_of(view, view.seat), len(view.may_react))


def _roles_of(found: list[int], place: int, view: CoupView, own: int, reacting: int) -> int:
    """Write which part the viewer has in the running action; return the place behind it."""
    found[place] = int(view.turn == own)
    found[place + 1] = int(view.target == own)
    found[place + 2] = int(view.blocker == own)
    found[place + 3] = int(view.challenger == own)
    found[place + 4] = int(view.owed)
    found[place + 5] = int(view.fifth_role is Role.INQUISITOR)
    found[place + 6] = reacting
    found[place + 7] = int(own in view.untouched)
    found[place + 8] = int(view.options.duel_draft)
    found[place + 9] = int(view.drafted is not None)
    found[place + 10] = 1
    return place + 11


def _rival(found: list[int], place: int, view: CoupView, seat: int) -> None:
    for each in view.known:
        if each.seat == seat:
            found[place : place + KINDS] = _kinds(each.holds)
    place += KINDS
    found[place] = 1
    found[place + 1] = int(view.turn == seat)
    found[place + 2] = int(view.target == seat)
    found[place + 3] = int(view.blocker == seat)
    found[place + 4] = int(view.challenger == seat)
    found[place + 5] = int(seat in view.untouched)
    _seat(found, place + PARTS, view.seats[seat])
