"""A short ladder with fixed seeds: no level falls to chance. The long one is `make ladder`; its results are in docs/strength/."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.arena import duels, run, tasks

RUNGS = [
    (game, seats, challenger, other, deals)
    for game, seats, rules, small, large in (
        ("coup", 2, 30, 20, 10),
        ("matchmaster", 2, 20, 20, 16),
        ("meister-coup", 3, 12, 12, 2),
        ("mondkrone", 2, 12, 12, 2),
        ("stich-meister", 3, 10, 5, 2),
    )
    for challenger, other, deals in (
        ("honest", "random", rules),
        ("search-small", "honest", small),
        ("search-large", "search-small", large),
    )
]


@pytest.mark.parametrize(("game", "seats", "challenger", "other", "deals"), RUNGS)
def test_level_beats_the_one_below(game: str, seats: int, challenger: str, other: str, deals: int) -> None:
    """One seat of the higher level wins more than its fair share at a table full of the lower one."""
    played = GAMES[GameId(game)]
    [duel] = duels(run(played, task) for task in tasks(played, {}, seats, [(challenger, other)], deals, 3))
    assert duel.share > duel.fair, duel
