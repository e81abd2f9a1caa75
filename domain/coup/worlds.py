"""Worlds: tables that agree with everything one viewer may know of a game of Coup."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ..game import Rng
from .messages import Role
from .moves import COPIES, COSTS, VERBS, deck_roles
from .notes import ALIKE, ANYBODY, APART, GIVEN, SINGLE, hunch, match_of
from .table import INDEX, NOBODY, CoupTable, Stage, ints, known
from .view import STAGES, CoupView


def determinize(view: CoupView, rng: Rng) -> CoupTable:
    """Return a table drawn at random that agrees with *view*.

    Cards that the viewer knows to be somewhere are put there. The others are dealt anew, each order as likely as any other,
    until the deal fits: who has to choose a card has two different ones, a hand known to be a pair is one, and in a duel
    draft an untouched hand has one card of its seat's set and one of the third. What the viewer alone knows stays its own:
    the other seats of the drawn table have no notes of what they saw. Cost: a few deals.
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
        table.untouched[each.seat] = each.seat in view.untouched
        table.claims[each.seat] = tuple(ints(each.claims))
    for hand in view.known:
        match = SINGLE if hand.alike is None else ALIKE if hand.alike else APART
        table.notes[hand.seat] = ((GIVEN, _viewer(view), match, known(hand.lacks), *ints(hand.holds)),)
    if view.court_holds:
        table.stocker, table.stocked = _viewer(view), ints(view.court_holds)
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
    table.hands = [[] for _ in view.seats]
    if view.seat is not None:
        table.hands[view.seat] = ints(view.hand)
    bound = _bound(table, view)
    rest = _unseen(table, view, bound, rng)
    rng.shuffle(rest)
    others = [each.seat for each in view.seats if each.seat != view.seat]
    if not all(_deal_hand(table, view, seat, rest, seat in bound) for seat in others):
        return False
    table.drawn = ints(view.drawn)
    if table.stage == Stage.EXCHANGE and view.seat != view.turn:
        table.drawn = sorted(rest.pop() for _ in range(2 if view.fifth_role is Role.AMBASSADOR else 1))
        if len({*table.hands[table.turn], *table.drawn}) == 1:
            return False
    table.court = [*rest, *ints(view.court_holds)]
    rng.shuffle(table.court)
    table.examined = _examined(table, view, rng)
    return True


def _deal_hand(table: CoupTable, view: CoupView, seat: int, rest: list[int], bound: bool) -> bool:
    """Give a seat what it is known to hold and cards from the rest; return whether that fits."""
    known = hunch(table.notes[seat], _viewer(view))
    size = view.seats[seat].influence
    if bound:
        hand = [table.drafted[seat], rest.pop()]
        if not _take(hand, table.up[seat]) or not _take(hand.copy(), known.holds):
            return False
    else:
        hand = [*known.holds, *(rest.pop() for _ in range(size - len(known.holds)))]
    table.hands[seat] = sorted(hand)
    match = match_of(table.hands[seat])
    choosing = table.target if table.stage == Stage.SHOW else table.loser if table.stage in (Stage.PROVE, Stage.LOSE) else NOBODY
    wanted = APART if seat == choosing else known.match
    return known.lacks not in hand[:1] and wanted in (SINGLE, match)


def _take(cards: list[int], taken: Iterable[int]) -> bool:
    """Take cards away; return whether they were all there."""
    for card in taken:
        if card not in cards:
            return False
        cards.remove(card)
    return True


def _viewer(view: CoupView) -> int:
    return ANYBODY if view.seat is None else view.seat


def _bound(table: CoupTable, view: CoupView) -> frozenset[int]:
    """Return the other seats of a duel draft that still have, turned up or not, a card of their own set and one of the third."""
    return frozenset(view.untouched) - {view.seat} if table.options.duel_draft else frozenset()


def _unseen(table: CoupTable, view: CoupView, bound: frozenset[int], rng: Rng) -> list[int]:
    """Return the cards in the game whose place is still to be drawn; in a duel draft those that bound seats drafted are not."""
    placed = [*ints(view.hand), *ints(view.drawn), *ints(view.court_holds)]
    for seat in range(table.seats):
        if seat not in bound:
            placed += [*table.up[seat], *hunch(table.notes[seat], _viewer(view)).holds]
    cards = [role for role in deck_roles(table) for _ in range(COPIES)]
    if view.options.duel_draft:
        _draw_drafts(table, view, bound, placed, rng)
        cards = deck_roles(table) + [role for seat, role in enumerate(table.drafted) if seat not in bound]
    for card in placed:
        cards.remove(card)
    return cards


def _draw_drafts(table: CoupTable, view: CoupView, bound: frozenset[int], placed: list[int], rng: Rng) -> None:
    """Draw what was drafted: as likely as there are ways for it to give the cards whose place is known."""
    roles = deck_roles(table)
    mine = [known(view.drafted)]
    drafts = list(product(*(mine if seat == view.seat else roles for seat in range(table.seats))))
    weights = [_ways(roles + [role for seat, role in enumerate(draft) if seat not in bound], placed) for draft in drafts]
    number = rng.randrange(sum(weights))
    for draft, weight in zip(drafts, weights, strict=True):
        number -= weight
        if number < 0:
            table.drafted = list(draft)
            return


def _ways(cards: list[int], placed: list[int]) -> int:
    """Return in how many ways cards can be the placed ones, in order."""
    ways = 1
    for card in placed:
        ways *= cards.count(card)
        if not ways:
            return 0
        cards.remove(card)
    return ways


def _examined(table: CoupTable, view: CoupView, rng: Rng) -> int:
    if table.stage != Stage.JUDGE:
        return NOBODY
    if view.examined is not None:
        return INDEX[view.examined]
    hand = table.hands[table.target]
    return hand[rng.randrange(len(hand))]


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
