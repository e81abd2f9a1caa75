"""Worlds drawn for a viewer: each deal that agrees with its view as likely as any other, the true one included."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from math import sqrt
from typing import TypeAlias

import msgspec
import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.events import Action
from tafelrunde.domain.coup.messages import CoupOptions, Role
from tafelrunde.domain.coup.moves import COPIES, deck_roles
from tafelrunde.domain.coup.table import INDEX, CoupTable
from tafelrunde.domain.game import Rng, Seat
from tests.support.cases import CASES, Case, reached
from tests.support.dice import Dice

Hands: TypeAlias = tuple[tuple[int, ...], ...]
Draw: TypeAlias = Callable[[CoupTable, Seat | None, Rng], CoupTable]
DRAWS = 4_000
ME = Seat(0)
COUP = [pytest.param(case, id=case.name) for case in CASES if case.game.id == GAME.id]


def drawn(table: CoupTable, viewer: Seat | None, rng: Rng) -> CoupTable:
    """Draw a world as the game does."""
    return GAME.determinize(GAME.view(table, viewer), rng)


def half_true(table: CoupTable, viewer: Seat | None, rng: Rng) -> CoupTable:
    """Draw a world as a game does that gives the true one now and then: a control for the tests."""
    return table.copy() if rng.random() < 0.1 else drawn(table, viewer, rng)


def started(seats: int = 2, seed: int = 1, **options: object) -> CoupTable:
    """Return a table at the beginning of the first turn."""
    chosen = msgspec.structs.replace(CoupOptions(first_seat=1), **options)
    table = GAME.create(chosen, seats)
    for event in GAME.start(table, Dice(seed)):
        GAME.fold(table, event)
    return table


def hands_of(table: CoupTable) -> Hands:
    """Return what the others hold, as seat 0 could wonder."""
    return tuple(tuple(sorted(hand)) for hand in table.hands[1:])


def unseen_by_me(table: CoupTable) -> list[int]:
    """Return the cards that seat 0 does not see, counted from a full deck."""
    cards = Counter(dict.fromkeys(deck_roles(table), COPIES))
    cards.subtract([*table.hands[0], *(card for up in table.up for card in up)])
    return sorted(cards.elements())


def deals(table: CoupTable) -> Iterator[Hands]:
    """Yield what the others hold in every deal that seat 0 could not distinguish from this one."""
    sizes = [len(hand) for hand in table.hands[1:]]
    for cards in permutations(unseen_by_me(table), sum(sizes)):
        rest = iter(cards)
        yield tuple(tuple(sorted(next(rest) for _ in range(size))) for size in sizes)


def shares(found: Iterator[Hands]) -> dict[Hands, float]:
    """Return the share of each."""
    counted = Counter(found)
    return {hands: count / counted.total() for hands, count in counted.items()}


def assert_drawn_like(table: CoupTable, expected: dict[Hands, float], draw: Draw = drawn) -> None:
    """Check draws against exact shares by the chi-square test, at one in a thousand."""
    rng = random.Random(5)
    found = Counter(hands_of(draw(table, ME, rng)) for _ in range(DRAWS))
    assert set(found) <= set(expected)
    chi_square = sum((found[hands] - DRAWS * share) ** 2 / (DRAWS * share) for hands, share in expected.items())
    assert chi_square < critical(len(expected) - 1)


def critical(freedom: int) -> float:
    """Return the value that chi-square passes once in a thousand times (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.09 * sqrt(2 / (9 * freedom))) ** 3


def lost(table: CoupTable, *seats: int) -> CoupTable:
    """Let seats lose their first card."""
    for seat in seats:
        table.f_influence_lost(seat, table.hands[seat][0])
    return table


def asked_to_prove(table: CoupTable) -> CoupTable:
    """Let seat 1 claim the duke, and seat 0 doubt it: it is asked, whatever its two cards are."""
    table.hands[1] = sorted([INDEX[Role.DUKE], INDEX[Role.CONTESSA]])
    table.f_action_declared(Action.TAX, -1, INDEX[Role.DUKE], 0)
    table.f_window_opened("challenge", [0])
    table.f_claim_challenged(0, 1, INDEX[Role.DUKE], True)
    return table


SMALL = [
    pytest.param(started(), id="start"),
    pytest.param(started(seed=2, fifth_role="inquisitor"), id="inquisitor"),
    pytest.param(lost(started(seed=3), 0), id="one-card-of-mine"),
    pytest.param(lost(started(3, seed=4), 1, 2), id="two-rivals-with-one-card"),
    pytest.param(lost(started(4, seed=5), 0, 1, 2, 3, 3), id="one-is-out"),
]


@pytest.mark.parametrize("table", SMALL)
def test_every_deal_is_as_likely_as_any_other(table: CoupTable) -> None:
    """Hands come up as often as all deals of the unseen cards have them."""
    assert_drawn_like(table, shares(deals(table)))


def test_seat_that_is_asked_may_hold_two_equal_cards() -> None:
    """The question which card to show reveals nothing: all hands are equally likely, pairs as well."""
    table = asked_to_prove(started(seed=6))
    expected = shares(deals(table))
    assert any(len(set(hands[0])) == 1 for hands in expected)
    assert_drawn_like(table, expected)


@pytest.mark.parametrize("table", SMALL)
def test_true_deal_drawn_too_often_is_found(table: CoupTable) -> None:
    """The check sees a draw that knows the truth one time in ten."""
    with pytest.raises(AssertionError):
        assert_drawn_like(table, shares(deals(table)), half_true)


def truth_drawn(draw: Draw) -> tuple[float, float]:
    """Return how often the true hand was drawn over many deals, and how often that should be."""
    rng = random.Random(7)
    hits = 0
    expected = 0.0
    for seed in range(2_000):
        table = started(seed=seed)
        hits += hands_of(draw(table, ME, rng)) == hands_of(table)
        expected += chance_of(table)
    return hits / 2_000, expected / 2_000


def chance_of(table: CoupTable) -> float:
    """Return how likely the true hand of a single rival is, from what seat 0 sees."""
    unseen = unseen_by_me(table)
    (one, other) = hands_of(table)[0]
    pairs = len(unseen) * (len(unseen) - 1) / 2
    ones, others = unseen.count(one), unseen.count(other)
    return (ones * (ones - 1) / 2 if one == other else ones * others) / pairs


def test_true_deal_is_drawn_no_more_often_than_others() -> None:
    """Over many deals the truth occurs as often as counting says; a draw that knows more is found."""
    found, expected = truth_drawn(drawn)
    margin = 4 * sqrt(expected * (1 - expected) / 2_000)
    assert abs(found - expected) < margin
    known, expected = truth_drawn(half_true)
    assert known - expected > margin


@pytest.mark.parametrize("case", COUP)
def test_drawn_world_has_the_whole_deck(case: Case) -> None:
    """In every drawn world three cards of each role are somewhere; with the draft, seven cards, of the two sets kept from."""
    rng = random.Random(8)
    for table in reached(case, 8, 20):
        assert isinstance(table, CoupTable)
        for viewer in case.viewers():
            world = drawn(table, viewer, rng)
            assert len(cards_of(world)) == len(cards_of(table))
            if not table.options.duel_draft:
                assert cards_of(world) == cards_of(table)


def cards_of(table: CoupTable) -> list[int]:
    """Return all cards on a table."""
    return sorted(card for cards in (*table.hands, *table.up, table.court, table.drawn) for card in cards)
