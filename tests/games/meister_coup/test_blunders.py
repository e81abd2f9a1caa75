"""What no bot of Meister Coup above the lowest level does: blunders that every player at the table sees."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.messages import MeisterCommand, PickCard, PlayCard, ProposeMember
from tafelrunde.domain.search import Steps
from tests.games.meister_coup.kit import Scene, card

THINKING = [name for name in GAME.bots() if name != "random"]
every_bot = pytest.mark.parametrize("name", THINKING)


def answers(name: str, scene: Scene) -> set[MeisterCommand]:
    """Return what a bot answers over some seeds, on the seat that is asked first."""
    seat = Seat(scene.asked[0])
    view, legal = GAME.view(scene.table, seat), GAME.legal(scene.table, seat)
    return {GAME.bots()[name].choose(view, legal, random.Random(seed), Steps(24)) for seed in range(8)}


def late(*hands: str) -> Scene:
    """Return the last trick but one of a round."""
    scene = Scene(*hands)
    scene.table.number = 7
    return scene


@every_bot
def test_third_meistercoup_is_picked_when_it_lies_there(name: str) -> None:
    """It wins the match."""
    scene = late("v12 v1", "v11 v2", "y1 v3").give(s0="v4 b1 g1").enter(0, 0, 2).play("v12 v11 y1")
    assert answers(name, scene) == {PickCard(card("y1"))}


@every_bot
def test_trick_that_wins_the_match_is_taken_by_who_closes_it(name: str) -> None:
    """Of two cards one takes the trick with the missing colour in it."""
    scene = late("y8 v1", "b12 v2", "y9 g1").give(s2="v3 b1 g2").enter(2, 0, 2).play("y8 b12")
    assert answers(name, scene) == {PlayCard(card("y9"))}


@every_bot
def test_diamonds_are_picked_when_nothing_else_counts(name: str) -> None:
    """In the last trick of the last round points decide."""
    scene = Scene("v9", "v7", "b12", last=True, number=3).play("v9 v7 b12")
    assert answers(name, scene) == {PickCard(card("b12"))}


@every_bot
def test_member_with_less_of_everything_is_not_proposed(name: str) -> None:
    """A team enters a result that no other member's beats in points and Meistercoups."""
    hands = ["v9", "b5", "g1", "y2"]
    scene = Scene(*hands, last=True, mode="team").give(s0="b1", s2="b2 b3 b4 g2").play(" ".join(hands))
    scene.pick("v9")
    assert answers(name, scene) == {ProposeMember(Seat(2))}
