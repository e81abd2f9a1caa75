"""What no bot of MatchMaster above the lowest level does: blunders that every player at the table sees."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.messages import MatchMasterCommand, PlaceBid, PlayCard
from tafelrunde.domain.search import Steps
from tests.games.matchmaster.kit import Scene, card

THINKING = [name for name in GAME.bots() if name != "random"]
every_bot = pytest.mark.parametrize("name", THINKING)


def answers(name: str, scene: Scene, seat: int) -> set[MatchMasterCommand]:
    """Return what a bot answers over some seeds."""
    view, legal = GAME.view(scene.table, Seat(seat)), GAME.legal(scene.table, Seat(seat))
    return {GAME.bots()[name].choose(view, legal, random.Random(seed), Steps(24)) for seed in range(8)}


@every_bot
def test_trick_is_left_when_the_bid_is_met(name: str) -> None:
    """The last to play has bid nothing and can stay below: it does."""
    scene = Scene("o9 b3", "o5 b4", "o11 o7")
    scene.play("o9", "o5")
    assert answers(name, scene, 2) == {PlayCard(card("o7"))}


@every_bot
def test_trick_is_taken_when_everyone_misses_all_that_are_left(name: str) -> None:
    """Leaving this trick to others misses the bot's own bid and lets them reach theirs: the winning card is played."""
    scene = Scene("o9 b3", "o5 b4", "o11 l1", bids=(2, 2, 2))
    scene.play("o9", "o5")
    scene.table.hands[2] = sorted([card("o11"), card("o2")])
    assert answers(name, scene, 2) == {PlayCard(card("o11"))}


@every_bot
def test_sure_trick_is_bid_when_the_hand_has_the_highest_trump(name: str) -> None:
    """With a single card, the highest trump, the bid is one."""
    scene = Scene("b4", "T13", "o5", dealer=2)
    assert answers(name, scene, 1) == {PlaceBid(1)}


@every_bot
def test_nothing_is_bid_when_the_hand_cannot_win(name: str) -> None:
    """With the lowest card of a plain suit, and others who lead, the bid is none."""
    scene = Scene("b4", "o5", "l1", dealer=2)
    assert answers(name, scene, 2) == {PlaceBid(0)}


@every_bot
def test_highest_trump_is_led_when_every_trick_left_is_missing(name: str) -> None:
    """A low lead could lose one of them for nothing."""
    scene = Scene("T13 T12 T4", "o5 o6 b7", "l1 l2 l3", bids=(3, 0, 0))
    assert answers(name, scene, 0) <= {PlayCard(card("T13")), PlayCard(card("T12"))}
