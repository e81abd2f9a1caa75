"""What no bot of Mondkrone above the lowest level does: blunders that every player at the table sees."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.messages import DropOut, MondkroneCommand
from tafelrunde.domain.search import Steps
from tests.games.mondkrone.kit import OUT, Scene, aside

THINKING = [name for name in GAME.bots() if name != "random"]
every_bot = pytest.mark.parametrize("name", THINKING)


def answers(name: str, scene: Scene) -> set[MondkroneCommand]:
    """Return what a bot answers over some seeds."""
    view = GAME.view(scene.table, Seat(scene.table.turn))
    return {GAME.bots()[name].choose(view, scene.legal(), random.Random(seed), Steps(24)) for seed in range(8)}


@every_bot
def test_no_one_drops_out_when_there_is_another_move(name: str) -> None:
    """While anything leads, the round is not given up."""
    scene = Scene("sea", "author", hands=["bard soldier", "mill"])
    assert OUT in scene.legal()
    assert len(scene.legal()) > 1
    assert not any(isinstance(command, DropOut) for command in answers(name, scene))


@every_bot
def test_only_drop_out_is_taken_when_nothing_leads(name: str) -> None:
    """What cannot lead is not tried."""
    assert answers(name, Scene("author", "sea", hands=["savage", "soldier"])) == {OUT}


@every_bot
def test_most_points_are_laid_aside_when_a_round_is_won(name: str) -> None:
    """Of the involved cards the one with most points."""
    scene = Scene("author forest battle cave", "soldier", top="ace-of-suns", turn=1).do(1, OUT)
    assert answers(name, scene) == {aside("cave")}
