"""A short walk through each game; `make walk` takes longer ones, also through real processes."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.walk.walker import Plan, report, walk

WALKS, DRAWS = 2, 300


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wrong_whatever_people_do_in_any_order(game: GameId) -> None:
    """After each step feeds and views agree with the log, no match is stuck, and no line of the log is an error."""
    for seed in range(WALKS):
        walked = walk(Plan(game, seed, range(DRAWS)))
        assert walked.failure is None, report(walked.failure)
