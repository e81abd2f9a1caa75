"""The games as trees with explicit chance. `make openspiel` goes over them with OpenSpiel's own tests."""

from __future__ import annotations

import random

import msgspec
import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.research.chance_nodes import GivenDraws, Tree, Undrawn
from tests.support.cases import CASES
from tests.support.stored import stored

every_game = pytest.mark.parametrize("game", GAMES)


def root(game: GameId) -> Tree:
    """Return the root of a game with its fewest seats."""
    case = next(case for case in CASES if case.game.id == game and case.seats == GAMES[game].min_seats)
    return Tree(case.game, case.options, case.seats)


def walk(tree: Tree, rng: random.Random, most: int = 100_000) -> int:
    """Go on at random; return the number of actions that seats have taken."""
    taken = 0
    while not tree.over and taken < most:
        if tree.bounds:
            tree.draw(rng.randrange(tree.bounds[0]))
        else:
            tree.say(rng.choice(tree.sentence.next))
            taken += 1
    return taken


@every_game
def test_tree_reaches_ends_whose_rewards_add_up_to_nothing(game: GameId) -> None:
    """Every shuffle is drawn card by card, and the same choices lead to the same table."""
    first, second = root(game), root(game)
    assert first.bounds
    assert not first.events
    assert walk(first, random.Random(1)) == walk(second, random.Random(1)) > 0
    assert stored(first.table.digest_form()) == stored(second.table.digest_form())
    assert sum(first.rewards()) == pytest.approx(0)


@every_game
def test_copy_of_a_node_goes_its_own_way(game: GameId) -> None:
    """Whatever happens to a copy, in a deal or in a match, the node stays as it is."""
    for most in (0, 3):
        tree = root(game)
        if most:
            walk(tree, random.Random(2), most)
        before = stored(tree.table.digest_form())
        bounds = list(tree.bounds)
        said = tree.pending
        walk(tree.copy(), random.Random(3))
        assert (stored(tree.table.digest_form()), list(tree.bounds), tree.pending) == (before, bounds, said)
        assert walk(tree, random.Random(4)) > 0


def test_draws_are_taken_in_order_until_they_are_missing() -> None:
    """A shuffle takes one of the items that are left with each draw; a draw with one outcome is none."""
    chance = GivenDraws([2, 0, 1])
    assert chance.shuffle("a", "abc") == ["c", "a", "b"]
    assert chance.below("b", 1) == 0
    assert chance.below("b", 2) == 1
    with pytest.raises(Undrawn) as missing:
        chance.shuffle("c", "abcd")
    assert list(missing.value.bounds) == [4, 3, 2]
    with pytest.raises(Undrawn) as missing:
        GivenDraws([1]).shuffle("c", "abcd")
    assert list(missing.value.bounds) == [3, 2]


@every_game
def test_seat_remembers_nothing_that_it_was_not_shown(game: GameId) -> None:
    """Of the deal it knows its own cards: what a memory says is the same in another world that looks the same to the seat."""
    tree = root(game)
    walk(tree, random.Random(5), 1)
    seat = tree.asked
    known = msgspec.json.encode(tree.memory(seat))
    assert known != msgspec.json.encode(tree.events)
    others = [msgspec.json.encode(tree.memory(other)) for other in range(tree.seats) if other != seat]
    assert known not in others


def test_what_is_not_possible_changes_nothing() -> None:
    """A draw out of bounds, an action while chance draws, and an action outside the mask are refused."""
    tree = root(GameId("coup"))
    with pytest.raises(ValueError, match="outcome 99"):
        tree.draw(99)
    with pytest.raises(ValueError, match="no seat is asked"):
        tree.say(0)
    while tree.bounds:
        tree.draw(0)
    with pytest.raises(ValueError, match="action 100000 is not possible"):
        tree.say(100_000)
    with pytest.raises(ValueError, match="outcome 0"):
        tree.draw(0)
