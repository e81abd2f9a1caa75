"""What all games draw worlds with: cards in any order, deals that keep to what is known, worlds as often as they are likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import permutations
from math import sqrt
from typing import NamedTuple

import pytest

from tafelrunde.domain.coup.messages import CoupOptions
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.deal_sampling import DealSampler, shuffle_cards
from tafelrunde.domain.search import FIRST, MORE, Likely

EACH = 200
"""How often each possible outcome is drawn on average."""


class Bounds(NamedTuple):
    """How many cards each place takes, and where each card may lie."""

    sizes: tuple[int, ...]
    allowed: Mapping[int, Sequence[int]]


ANYWHERE = (0, 1, 2)
BOUNDS = {
    "free": Bounds((2, 1, 2), dict.fromkeys(range(5), ANYWHERE)),
    "one-place-left": Bounds((1, 2, 2), {0: (1,), 1: (2,), **dict.fromkeys(range(2, 5), ANYWHERE)}),
    "one-place-left-once-another-is-full": Bounds((1, 2, 2), {0: (0,), 1: (0, 1), 2: (0, 2), 3: ANYWHERE, 4: ANYWHERE}),
    "one-hand-lacks": Bounds((2, 2, 2), {0: (1, 2), 1: (1, 2), **dict.fromkeys(range(2, 6), ANYWHERE)}),
    "two-hands-lack": Bounds((2, 2, 3), {0: (1, 2), 1: (1, 2), 2: (0, 2), 3: (0, 2), 4: (0, 2), 5: ANYWHERE, 6: ANYWHERE}),
    "two-hands-lack-much": Bounds((2, 2, 2), {0: (1, 2), 1: (1, 2), 2: (1, 2), 3: (0, 2), 4: (0, 2), 5: (0, 1, 2)}),
    "all-hands-lack": Bounds((2, 2, 2), {0: (0, 1), 1: (1, 2), 2: (0, 2), 3: ANYWHERE, 4: ANYWHERE, 5: (0, 1)}),
    "no-place-is-sure": Bounds((2, 2, 2), {0: (0, 1), 1: (0, 1), 2: (1, 2), 3: (1, 2), 4: (0, 2), 5: (0, 2)}),
}

Deal = tuple[frozenset[int], ...]
every_bounds = pytest.mark.parametrize("bounds", [pytest.param(bounds, id=name) for name, bounds in BOUNDS.items()])


def deals(bounds: Bounds) -> set[Deal]:
    """Return all deals that are allowed, by brute force."""
    spots = [place for place, size in enumerate(bounds.sizes) for _ in range(size)]
    found = {tuple(zip(cards, spots, strict=True)) for cards in permutations(bounds.allowed)}
    return {
        tuple(frozenset(card for card, spot in lying if spot == place) for place in range(len(bounds.sizes)))
        for lying in found
        if all(spot in bounds.allowed[card] for card, spot in lying)
    }


def drawn(bounds: Bounds) -> Iterator[Deal]:
    """Yield deals endlessly."""
    sampler = DealSampler(bounds.sizes, bounds.allowed)
    rng = random.Random(1)
    while True:
        yield tuple(map(frozenset, sampler.sample(rng)))


def check_even(outcomes: set[Hashable], draw: Callable[[], Hashable]) -> None:
    """Check by the chi-square test, at one in ten thousand, that outcomes come up alike, and no others."""
    found = Counter(draw() for _ in range(EACH * len(outcomes)))
    assert set(found) <= outcomes
    freedom = len(outcomes) - 1
    bound = freedom * (1 - 2 / (9 * freedom) + 3.72 * sqrt(2 / (9 * freedom))) ** 3
    assert sum((found[outcome] - EACH) ** 2 / EACH for outcome in outcomes) < bound


@every_bounds
def test_every_deal_is_as_likely_as_any_other_when_cards_are_bound(bounds: Bounds) -> None:
    """All deals that are allowed come up alike, and no others."""
    check_even(set(deals(bounds)), drawn(bounds).__next__)


def test_uneven_deals_are_found_when_a_hand_is_filled_first() -> None:
    """The check sees a draw that does not make up for how freely the first hand chose."""
    bounds = BOUNDS["two-hands-lack"]
    rng = random.Random(2)

    def filled() -> Deal:
        while True:
            first = frozenset(shuffle_cards(range(2, 7), rng)[:2])
            second = frozenset(shuffle_cards({0, 1, 5, 6} - first, rng)[:2])
            if len(second) == bounds.sizes[1]:
                return first, second, frozenset(bounds.allowed) - first - second

    with pytest.raises(AssertionError):
        check_even(set(deals(bounds)), filled)


@pytest.mark.parametrize(
    "bounds",
    [
        Bounds((1, 1), {0: (0,), 1: (0,)}),
        Bounds((2, 1, 3), {0: (0, 2), 1: (1, 2), **dict.fromkeys(range(2, 6), (1, 2))}),
        Bounds((1, 1, 2), {0: (0, 1), 1: (0, 1), 2: (0, 1), 3: (1, 2)}),
    ],
)
def test_dealing_is_refused_when_nothing_fits(bounds: Bounds) -> None:
    """Bounds that contradict each other are a mistake of the rules, not a world."""
    with pytest.raises(AssertionError, match="no deal agrees"):
        DealSampler(bounds.sizes, bounds.allowed).sample(random.Random(3))


def test_deals_are_independent_when_one_is_changed() -> None:
    """A deal belongs to the caller, who may change it."""
    sampler = DealSampler(*BOUNDS["one-place-left"])
    rng = random.Random(4)
    for place in sampler.sample(rng):
        place.clear()
    assert list(map(len, sampler.sample(rng))) == [1, 2, 2]


@pytest.mark.parametrize("first", [None, 2, 4])
def test_every_order_is_as_likely_as_any_other(first: int | None) -> None:
    """Cards, or the first few of them, come in any order."""
    rng = random.Random(5)
    check_even({order[:first] for order in permutations(range(4))}, lambda: tuple(shuffle_cards(range(4), rng, first)[:first]))


def weighed(share: Callable[[CoupTable], float], draws: int) -> Counter[int]:
    """Return how often worlds of two kinds are returned: those with two coins come up as often as those with one."""
    rng = random.Random(6)

    def world(chance: random.Random) -> CoupTable:
        table = CoupTable(CoupOptions(), 2)
        table.decision = 1 + int(chance.random() * 2)
        return table

    found: Counter[int] = Counter()
    for _ in range(draws):
        likely = Likely(lambda _: world(rng), share)
        found.update(likely.draw(rng).decision for _ in range(20))
    return found


def test_worlds_are_returned_as_often_as_they_are_likely() -> None:
    """A kind of world that is three times as likely as another is returned about three times as often."""
    found = weighed(lambda table: 3.0 if table.decision == 2 else 1.0, 300)
    assert 0.72 < found[2] / found.total() < 0.77
    assert weighed(lambda table: float(table.decision == 2), 100)[1] == 0


def test_few_worlds_are_drawn_when_many_are_returned() -> None:
    """Worlds are kept for later; none is lost, and one that cannot be is returned only where all are like it."""
    made: list[CoupTable] = []

    def world(_: object) -> CoupTable:
        made.append(CoupTable(CoupOptions(), 2))
        return made[-1]

    likely = Likely(world, lambda _: 0.0)
    rng = random.Random(7)
    assert all(likely.draw(rng) in made for _ in range(10))
    assert len(made) == FIRST + 9 * MORE
