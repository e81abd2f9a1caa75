"""A short ladder with fixed seeds: no level falls to chance. The long one is `make ladder`; its results are in docs/strength/."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.bots.arena import Duel, duels, run, tasks

RUNGS = [
    (game, seats, challenger, other, deals)
    for game, seats, rules, small, large in (
        ("coup", 2, 20, 10, 5),
        ("matchmaster", 2, 20, 12, 8),
        ("meister-coup", 3, 12, 5, 1),
        ("mondkrone", 2, 12, 8, 1),
        ("stich-meister", 3, 10, 4, 1),
    )
    for challenger, other, deals in (
        ("honest", "random", rules),
        ("search-small", "honest", small),
        ("search-large", "search-small", large),
    )
]


def measured(game: str, seats: int, challenger: str, other: str, deals: int) -> Duel:
    """Play a duel."""
    played = GAMES[GameId(game)]
    [duel] = duels(run(played, task) for task in tasks(played, {}, seats, [(challenger, other)], deals, 3))
    return duel


@pytest.mark.parametrize(("game", "seats", "challenger", "other", "deals"), RUNGS)
def test_level_beats_the_one_below(game: str, seats: int, challenger: str, other: str, deals: int) -> None:
    """One seat of the higher level wins more than its fair share at a table full of the lower one."""
    duel = measured(game, seats, challenger, other, deals)
    assert duel.share > duel.fair, duel


@pytest.mark.parametrize(("game", "seats", "better", "worse", "deals"), [rung for rung in RUNGS if rung[3] == "random"])
def test_level_below_is_found_when_it_takes_the_place_of_a_higher_one(
    game: str, seats: int, better: str, worse: str, deals: int
) -> None:
    """As many deals show that a bot is worse."""
    duel = measured(game, seats, worse, better, deals)
    assert duel.share < duel.fair, duel
