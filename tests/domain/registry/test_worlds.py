"""Worlds drawn for a viewer: only deals that agree with all it knows, each as likely as any other, the true one included."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from math import sqrt
from typing import TypeAlias

import pytest

from tafelrunde.domain.game import GameId, Rng, Seat, Table
from tests.support.cases import GAMES, WILD, Case, every_case, reached
from tests.support.facts import facts_of
from tests.support.paths import ROOT
from tests.support.positions import Position, hands_of
from tests.support.thorough import tries

Draw: TypeAlias = Callable[[Position, Rng], Table]
EACH = 12
"""How often each possible deal is drawn on average where their shares are compared."""
FEW = 120
"""Positions with at most this many deals are compared deal by deal."""
EVEN, DRAWS = 5, 80
KNOWING = 0.05
MANY, TABLES = tries(40, 60), tries(5, 15)

ENUMERATED = [game for game in GAMES if callable(facts_of(game).positions)]
every_kind = pytest.mark.parametrize("game", ENUMERATED)


@lru_cache(maxsize=8)
def positions(game: GameId) -> tuple[Position, ...]:
    """Return some late positions, not all of the same match."""
    found = facts_of(game).positions
    assert callable(found)
    return tuple(islice(found(), 0, MANY * 3, 3))


def drawn(position: Position, rng: Rng) -> Table:
    """Draw a world as the game does."""
    return position.game.determinize(position.game.view(position.table, position.viewer), rng)


def peeking(position: Position, rng: Rng) -> Table:
    """Draw a world as a game does that gives the true one now and then: a control for the tests."""
    return position.table if rng.random() < KNOWING else drawn(position, rng)


def careless(position: Position, rng: Rng) -> Table:
    """Draw a world as a game does that forgets what a seat has shown: two others change hands."""
    world = drawn(position, rng).copy()
    one, other = [seat for seat in range(len(hands_of(world, position.viewer)) + 1) if seat != position.viewer][:2]
    hands = getattr(world, "hands")  # noqa: B009 - all tables with hands have this, by different types
    hands[one], hands[other] = hands[other], hands[one]
    return world


def check_possible(game: GameId, draw: Draw) -> None:
    """Check that no world is drawn that the viewer can rule out."""
    rng = random.Random(1)
    for position in positions(game):
        for _ in range(DRAWS):
            assert hands_of(draw(position, rng), position.viewer) in position.possible


def check_even(game: GameId, draw: Draw) -> None:
    """Check by the chi-square test, at one in ten thousand, that all possible deals are drawn alike."""
    rng = random.Random(2)
    small = [position for position in positions(game) if len(position.possible) <= FEW][:EVEN]
    assert small
    for position in small:
        found = Counter(hands_of(draw(position, rng), position.viewer) for _ in range(EACH * len(position.possible)))
        chi_square = sum((found[hands] - EACH) ** 2 / EACH for hands in position.possible)
        assert chi_square < critical(len(position.possible) - 1)


def check_truth(game: GameId, draw: Draw) -> None:
    """Check that over many positions the true deal is drawn as often as each other one."""
    rng = random.Random(3)
    hits = 0
    expected = 0.0
    for position in positions(game):
        truth = hands_of(position.table, position.viewer)
        hits += sum(hands_of(draw(position, rng), position.viewer) == truth for _ in range(DRAWS))
        expected += DRAWS / len(position.possible)
    assert abs(hits - expected) < 4 * sqrt(expected) + 1


def critical(freedom: int) -> float:
    """Return the value that chi-square passes once in ten thousand times (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.72 * sqrt(2 / (9 * freedom))) ** 3


@pytest.mark.parametrize("game", [game for game in GAMES if game not in ENUMERATED])
def test_game_enumerates_worlds_its_own_way_when_it_has_no_positions(game: GameId) -> None:
    """No game is left out here without tests of its own."""
    assert (ROOT / "tests" / "games" / game.replace("-", "_") / str(facts_of(game).positions)).is_file()


@every_kind
def test_true_deal_is_one_of_those_that_are_possible(game: GameId) -> None:
    """What is enumerated here leaves the truth in."""
    assert len(positions(game)) == MANY
    for position in positions(game):
        assert hands_of(position.table, position.viewer) in position.possible


@every_kind
def test_no_drawn_world_can_be_ruled_out(game: GameId) -> None:
    """Every play that was made was legal in every drawn world, and open colours and sizes of hands are right."""
    check_possible(game, drawn)


@pytest.mark.parametrize("game", [game for game in ENUMERATED if facts_of(game).shows_lacks])
def test_impossible_world_is_found_when_one_is_drawn(game: GameId) -> None:
    """The check sees a draw that mixes up what two seats have shown."""
    with pytest.raises(AssertionError):
        check_possible(game, careless)


@every_kind
def test_every_possible_deal_is_as_likely_as_any_other(game: GameId) -> None:
    """No deal is preferred: weighing by what others did comes on top, if at all."""
    check_even(game, drawn)


@every_kind
def test_true_deal_is_drawn_no_more_often_than_others(game: GameId) -> None:
    """Over many positions the truth comes up as often as counting says."""
    check_truth(game, drawn)


@every_kind
def test_peeking_is_found_when_a_draw_does_it(game: GameId) -> None:
    """The same check sees a draw that knows the truth one time in twenty."""
    with pytest.raises(AssertionError):
        check_truth(game, peeking)


@every_case
def test_drawn_world_looks_the_same_to_its_viewer(case: Case) -> None:
    """At many positions: same view, same open decision, same moves."""
    rng = random.Random(4)
    for table in reached(case, WILD, TABLES):
        for viewer in case.viewers():
            view = case.game.view(table, viewer)
            world = case.game.determinize(view, rng)
            assert case.game.view(world, viewer) == view
            if viewer is not None:
                assert case.game.legal(world, Seat(viewer)) == case.game.legal(table, Seat(viewer))
