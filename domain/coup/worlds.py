"""Worlds: tables that agree with everything one viewer may know of a game of Coup."""

from __future__ import annotations

from ..game import Rng
from .messages import Role
from .moves import COPIES, COSTS, VERBS, deck_roles
from .table import INDEX, NOBODY, CoupTable, Stage, ints, known
from .view import STAGES, CoupView


def determinize(view: CoupView, rng: Rng) -> CoupTable:
    """Return a table drawn at random that agrees with *view*.

    The cards that the viewer does not see are dealt anew, each order as likely as any other, until the deal fits: a seat that
    has to choose a card holds two different ones, and an examined card lies where it was seen. Cost: a few deals.
    """
    table = _public(view)
    _pass_some(table, view, rng)
    if table.stage == Stage.DRAFT:
        return _drafting(table, view, rng)
    while not _deal(table, view, rng):
        pass
    return table


def _public(view: CoupView) -> CoupTable:
    """Return a table with all that the view says, and no hidden cards."""
    table = CoupTable(view.options, len(view.seats))
    table.stage, table.decision = STAGES.index(view.stage), view.decision
    table.turn, table.target = _place(view.turn), _place(view.target)
    table.action, table.role = view.action, known(view.role)
    table.cost = COSTS.get(VERBS[view.action], 0) if view.action is not None else 0
    table.blocker, table.block_role = _place(view.blocker), known(view.block_role)
    table.challenger, table.owed = _place(view.challenger), view.owed
    table.loser = _place(view.asked) if table.stage in (Stage.PROVE, Stage.LOSE) else NOBODY
    table.window, table.winners = list(view.may_react), list(view.winners)
    table.first = _place(view.first)
    for each in view.seats:
        table.coins[each.seat], table.up[each.seat], table.out[each.seat] = each.coins, ints(each.face_up), each.out
    return table


def _place(seat: int | None) -> int:
    return NOBODY if seat is None else seat


def _pass_some(table: CoupTable, view: CoupView, rng: Rng) -> None:
    """Let some of the others have passed, as they may have, but not all that could."""
    if view.passed and view.seat is not None:
        table.passed = [view.seat]
    others = [seat for seat in table.window if seat != view.seat]
    rng.shuffle(others)
    keep_open = 1 if view.passed or view.seat not in table.window else 0
    count = rng.randrange(len(others) + 1 - keep_open) if len(others) >= keep_open and others else 0
    table.passed += others[:count]


def _deal(table: CoupTable, view: CoupView, rng: Rng) -> bool:
    """Deal the unseen cards; return whether the deal fits what the viewer knows."""
    unseen = _unseen(table, view, rng)
    rng.shuffle(unseen)
    for each in view.seats:
        own = each.seat == view.seat
        table.hands[each.seat] = ints(view.hand) if own else sorted(unseen.pop() for _ in range(each.influence))
    table.drawn = ints(view.drawn)
    if table.stage == Stage.EXCHANGE and view.seat != view.turn:
        table.drawn = [unseen.pop() for _ in range(_exchanged(view))]
    table.court = unseen
    table.examined = _examined(table, view, rng)
    return _fits(table)


def _exchanged(view: CoupView) -> int:
    return 2 if view.fifth_role is Role.AMBASSADOR else 1


def _unseen(table: CoupTable, view: CoupView, rng: Rng) -> list[int]:
    """Return the cards in the game that the viewer does not see."""
    seen = [*ints(view.hand), *ints(view.drawn), *(card for cards in table.up for card in cards)]
    if not view.options.duel_draft:
        return _without([role for role in deck_roles(table) for _ in range(COPIES)], seen)
    while True:
        for seat in range(table.seats):
            own = seat == view.seat and view.drafted is not None
            table.drafted[seat] = known(view.drafted) if own else deck_roles(table)[rng.randrange(5)]
        cards = [*deck_roles(table), *table.drafted]
        if _likely(cards, seen, rng):
            return _without(cards, seen)


def _likely(cards: list[int], seen: list[int], rng: Rng) -> bool:
    """Return True as often as these cards would show what is seen, by the number of ways; COPIES bounds the factors."""
    cards = cards.copy()
    for card in seen:
        if rng.randrange(COPIES) >= cards.count(card):
            return False
        cards.remove(card)
    return True


def _without(cards: list[int], seen: list[int]) -> list[int]:
    for card in seen:
        cards.remove(card)
    return cards


def _examined(table: CoupTable, view: CoupView, rng: Rng) -> int:
    if table.stage != Stage.JUDGE:
        return NOBODY
    if view.examined is not None:
        return INDEX[view.examined]
    hand = table.hands[table.target]
    return hand[rng.randrange(len(hand))]


def _fits(table: CoupTable) -> bool:
    """Return whether a seat that chooses has a choice, and an examined card is where it was seen."""
    choosing = table.target if table.stage == Stage.SHOW else table.loser
    if choosing != NOBODY and len(set(table.hands[choosing])) < 2:
        return False
    return table.stage != Stage.JUDGE or table.examined in table.hands[table.target]


def _drafting(table: CoupTable, view: CoupView, rng: Rng) -> CoupTable:
    """Nobody has cards yet: the third set lies in any order, and the other seat may have chosen, unless only it is waited for."""
    roles = deck_roles(table)
    for seat in range(table.seats):
        mine = seat == view.seat
        table.drafted[seat] = known(view.drafted) if mine else NOBODY
    waited_for = view.drafted is not None
    others = [seat for seat in range(table.seats) if seat != view.seat]
    if not waited_for and rng.randrange(2):
        table.drafted[others[rng.randrange(len(others))]] = roles[rng.randrange(len(roles))]
    rng.shuffle(roles)
    table.court = roles
    return table
