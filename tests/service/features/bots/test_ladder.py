"""A short ladder with fixed seeds: no level falls to chance. The long one is `make ladder`; its results are in docs/strength/.

Most games leave the step from less to more thought to the long one: it shows only in more deals than a test can play.
"""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import Duel, duels, run, tasks
from tests.support.facts import facts_of

RUNGS = [
    (game, challenger, other, deals)
    for game, played in GAMES.items()
    for ladder in [facts_of(game).ladder]
    for challenger, other, deals in (
        ("beginner", "random", ladder.rules),
        ("honest", "beginner", ladder.rules),
        ("honest", "random", ladder.rules),
        ("search-small", "honest", ladder.small),
        ("search-large", "search-small", ladder.large),
    )
    if deals and {challenger, other} <= played.bots().keys()
]


def measured(game: GameId, challenger: str, other: str, deals: int) -> Duel:
    """Play a duel, with as few seats as can be."""
    played = GAMES[game]
    [duel] = duels(run(played, task) for task in tasks(played, {}, played.min_seats, [(challenger, other)], deals, 3))
    return duel


@pytest.mark.parametrize(("game", "challenger", "other", "deals"), [rung for rung in RUNGS if rung[1:3] != ("honest", "random")])
def test_level_beats_the_one_below(game: GameId, challenger: str, other: str, deals: int) -> None:
    """One seat of the higher level wins more than its fair share at a table full of the lower one.

    How far rules alone beat chance, tests/games says of each game.
    """
    duel = measured(game, challenger, other, deals)
    assert duel.share > duel.fair, duel


@pytest.mark.parametrize(("game", "better", "worse", "deals"), [rung for rung in RUNGS if rung[2] == "random"])
def test_level_below_is_found_when_it_takes_the_place_of_a_higher_one(game: GameId, better: str, worse: str, deals: int) -> None:
    """As many deals show that a bot is worse."""
    duel = measured(game, worse, better, deals)
    assert duel.share < duel.fair, duel


@pytest.mark.parametrize("name", ["always-bluffs", "always-doubts"])
def test_simple_exploiter_loses_to_the_strongest_bot(name: str) -> None:
    """Who lies whenever it can, or doubts all that is said, is seen through."""
    duel = measured(GameId("coup"), name, "search-large", 4)
    assert duel.share < duel.fair, duel
