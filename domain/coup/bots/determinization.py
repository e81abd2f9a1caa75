"""Worlds: tables that agree with everything one viewer may know of a game of Coup."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate, product
from typing import NamedTuple

from ...deal_sampling import shuffle_cards
from ...game import Rng
from ...seats import seat_or_nobody
from .. import stages
from ..card_knowledge import ALIKE, ANYBODY, APART, GIVEN, SINGLE, KnownHand, hand_shape, known_hand
from ..messages import Role
from ..moves import COINS, COPIES, deck_roles
from ..stages import CoupStage
from ..table import INDEX, NOBODY, CoupTable, ints, known
from ..view import CoupSeatView, CoupView, counted


class OtherHand(NamedTuple):
    """Another hand: how many cards it has, what is known of it, and what lies open before it."""

    seat: int
    size: int
    known: KnownHand
    bound: bool
    up: tuple[int, ...]


class Worlds:
    """The tables that agree with one view.

    Cards that the viewer knows to be somewhere are put there. The others are dealt again, each order as likely as any other,
    until the deal fits: a hand known to be a pair is one, and in a duel draft an untouched hand has one card of its seat's set
    and one of the third. What the viewer alone knows stays its own: the other seats of the drawn table have no notes of what
    they saw.
    """

    def __init__(self, view: CoupView) -> None:
        self._view = view
        self._public = public_table(view)
        bound = _bound(view)
        self._places = [_place_of(self._public, view, each, each.seat in bound) for each in view.seats if each.seat != view.seat]
        placed = _placed(view, self._places)
        self._decks = None if self._public.stage is stages.DRAFT else _decks(self._public, view, bound, placed)
        self._stocked = ints(view.court_holds)
        strange = self._public.stage is stages.EXCHANGE and view.seat != view.turn
        self._draws = 0 if not strange else 2 if view.fifth_role is Role.AMBASSADOR else 1

    def draw(self, rng: Rng) -> CoupTable:
        """Return one of them."""
        table = self._public.copy()
        if table.window:
            _pass_some(table, self._view, rng)
        if self._decks is None:
            return _drafting(table, self._view, rng)
        while not self._deal(table, self._decks, rng):
            pass
        if table.stage is stages.JUDGE:
            table.examined = _examined(table, self._view, rng)
        return table

    def _deal(self, table: CoupTable, decks: Decks, rng: Rng) -> bool:
        """Deal the unseen cards; return whether the deal fits what the viewer knows."""
        draft, unseen = decks.draw(rng)
        rest = shuffle_cards(unseen, rng)
        for place in self._places:
            hand = _hand(place, draft, rest)
            if hand is None:
                return False
            table.hands[place.seat] = hand
        if self._draws:
            table.drawn = sorted([rest.pop() for _ in range(self._draws)])
        table.drafted = [*draft]
        table.court = shuffle_cards(rest + self._stocked, rng) if self._stocked else rest
        return True


def determinize(view: CoupView, rng: Rng) -> CoupTable:
    """Return a table drawn at random that agrees with *view*."""
    return Worlds(view).draw(rng)


def public_table(view: CoupView) -> CoupTable:
    """Return a table with all that the view says, and no hidden cards."""
    table = CoupTable(view.options, len(view.seats))
    table.stage = CoupStage.of(view.stage)
    table.decision = view.decision
    table.turn = seat_or_nobody(view.turn)
    table.target = seat_or_nobody(view.target)
    table.action = view.action
    table.role = known(view.role)
    table.cost = COINS[view.action].cost if view.action is not None else 0
    table.blocker = seat_or_nobody(view.blocker)
    table.block_role = known(view.block_role)
    table.challenger = seat_or_nobody(view.challenger)
    table.owed = view.owed
    table.loser = seat_or_nobody(view.asked) if table.stage in (stages.PROVE, stages.LOSE) else NOBODY
    table.window = list(view.may_react)
    table.winners = list(view.winners)
    table.first = seat_or_nobody(view.first)
    table.conduct = [count for each in view.seats for count in counted(each.conduct)]
    for each in view.seats:
        table.coins[each.seat] = each.coins
        table.up[each.seat] = ints(each.face_up)
        table.out[each.seat] = each.out
        table.untouched[each.seat] = each.seat in view.untouched
        table.claims[each.seat] = tuple(ints(each.claims))
    for hand in view.known:
        shape = SINGLE if hand.alike is None else ALIKE if hand.alike else APART
        table.notes[hand.seat] = ((GIVEN, _viewer(view), shape, known(hand.lacks), *ints(hand.holds)),)
    table.drawn = ints(view.drawn)
    if view.seat is not None:
        table.hands[view.seat] = ints(view.hand)
        table.passed = [view.seat] if view.passed else []
    if view.court_holds:
        table.stocker = _viewer(view)
        table.stocked = ints(view.court_holds)
    return table


def _pass_some(table: CoupTable, view: CoupView, rng: Rng) -> None:
    """Let some of the others have passed, as they may have, but not all that could."""
    others = [seat for seat in table.window if seat != view.seat]
    rng.shuffle(others)
    keep_open = 1 if view.passed or view.seat not in table.window else 0
    count = rng.randrange(len(others) + 1 - keep_open) if len(others) >= keep_open and others else 0
    table.passed += others[:count]


def _place_of(table: CoupTable, view: CoupView, each: CoupSeatView, bound: bool) -> OtherHand:
    """Return what is to be dealt to another seat."""
    known = known_hand(table.notes[each.seat], _viewer(view))
    return OtherHand(each.seat, each.influence, known, bound, tuple(table.up[each.seat]))


def _hand(place: OtherHand, draft: Sequence[int], rest: list[int]) -> list[int] | None:
    """Return a hand of what it is known to hold and cards from the rest; None if they do not fit."""
    known = place.known
    if place.bound:
        hand = [draft[place.seat], rest.pop()]
        if not _take(hand, place.up) or not _take(hand.copy(), known.holds):
            return None
    else:
        hand = [*known.holds]
        while len(hand) < place.size:
            hand.append(rest.pop())
    if known.lacks in hand[:1]:  # the card that has been there for longest
        return None
    hand.sort()
    return hand if known.shape in (SINGLE, hand_shape(hand)) else None


def _take(cards: list[int], taken: Iterable[int]) -> bool:
    """Take cards away; return whether they were all there."""
    for card in taken:
        if card not in cards:
            return False
        cards.remove(card)
    return True


def _viewer(view: CoupView) -> int:
    return ANYBODY if view.seat is None else view.seat


def _bound(view: CoupView) -> frozenset[int]:
    """Return the other seats of a duel draft that still have, turned up or not, a card of their own set and one of the third."""
    return frozenset(view.untouched) - {view.seat} if view.options.duel_draft else frozenset()


def _placed(view: CoupView, places: Iterable[OtherHand]) -> list[int]:
    """Return the cards whose place is known, but for those of bound seats."""
    placed = [*ints(view.hand), *ints(view.drawn), *ints(view.court_holds)]
    if view.seat is not None:
        placed += ints(view.seats[view.seat].face_up)
    for place in places:
        if not place.bound:
            placed += [*place.up, *place.known.holds]
    return placed


class Decks(NamedTuple):
    """What may have been drafted, each with the unseen cards to deal, and the running sums of the ways it may have come about."""

    choices: list[tuple[tuple[int, ...], list[int]]]
    sums: list[int]

    def draw(self, rng: Rng) -> tuple[tuple[int, ...], list[int]]:
        """Return a draft and the unseen cards."""
        if len(self.choices) == 1:
            return self.choices[0]
        return self.choices[bisect(self.sums, int(rng.random() * self.sums[-1]))]


def _decks(table: CoupTable, view: CoupView, bound: frozenset[int], placed: list[int]) -> Decks:
    """Return what is to be dealt. A draft is as likely as there are ways for it to give the cards whose place is known."""
    roles = deck_roles(table)
    if not view.options.duel_draft:
        return Decks([(tuple(table.drafted), _without(roles * COPIES, placed))], [1])
    mine = [known(view.drafted)]
    choices: list[tuple[tuple[int, ...], list[int]]] = []
    ways: list[int] = []
    for draft in product(*(mine if seat == view.seat else roles for seat in range(table.seats))):
        cards = roles + [role for seat, role in enumerate(draft) if seat not in bound]
        if found := _ways([*cards], placed):
            choices.append((draft, _without(cards, placed)))
            ways.append(found)
    return Decks(choices, [*accumulate(ways)])


def _without(cards: list[int], placed: Iterable[int]) -> list[int]:
    for card in placed:
        cards.remove(card)
    return cards


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
    if view.examined is not None:
        return INDEX[view.examined]
    hand = table.hands[table.target]
    return hand[rng.randrange(len(hand))]


def _drafting(table: CoupTable, view: CoupView, rng: Rng) -> CoupTable:
    """No one has cards yet: the third set lies in any order, and the other seat may have chosen, unless only it is waited for."""
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
