"""The followers among the exploiters: they take hands for likely that go with what was played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import log
from statistics import fmean
from typing import Any

import pytest

from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.meister_coup.bots import exploiters as meister_coup
from tafelrunde.domain.meister_coup.bots.rollout import Rollout as MeisterRollout
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Steps
from tafelrunde.domain.stich_meister.bots import exploiters as stich_meister
from tafelrunde.domain.stich_meister.bots.rollout import Rollout as StichRollout
from tafelrunde.service.features.bots.arena import DealtChance

FOLLOWERS: dict[str, tuple[Any, Any]] = {
    "meister-coup": (meister_coup.Follower, MeisterRollout),
    "stich-meister": (stich_meister.Follower, StichRollout),
}
SEATS, MATCHES, MOST, STRIDE, DRAWN = 3, 4, 200, 7, 6


def positions(game: AnyGame) -> Iterator[tuple[Any, Any, random.Random]]:
    """Play matches of rules of thumb; yield tables in which a card is to be played, and the view of who plays it."""
    bot = game.bots()["honest"]
    for number in range(MATCHES):
        chance, rng = DealtChance(5, number), random.Random(number)
        table = game.create(game.options_type(), SEATS)
        for event in game.start(table, chance):
            game.fold(table, event)
        for decision in range(MOST):
            if (ask := game.pending(table)) is None:
                break
            seat = ask.open[0]
            view, legal = game.view(table, seat), game.legal(table, seat)
            if decision % STRIDE == 0 and view.stage in {"lead", "play"}:  # type: ignore[attr-defined] # both games have stages
                yield table, view, rng
            game.play(table, seat, bot.choose(view, legal, rng, Steps(0)), chance)


@pytest.mark.parametrize("name", FOLLOWERS)
def test_follower_takes_the_true_hands_for_likelier_than_others(name: str) -> None:
    """Players of some habit played from their hands, so these explain their cards better than other hands do."""
    follower, uniform = FOLLOWERS[name]
    gaps: list[float] = []
    for table, view, rng in positions(GAMES[GameId(name)]):
        likelihood: Callable[[Any], float] = follower(view).likelihood
        others = fmean(log(likelihood(uniform(view).world(rng))) for _ in range(DRAWN))
        gaps.append(log(likelihood(table)) - others)
    assert len(gaps) > 30
    assert fmean(gaps) > 0.3


@pytest.mark.parametrize("name", FOLLOWERS)
def test_follower_leaves_the_world_as_it_is(name: str) -> None:
    """A world is weighed, and then played out several times."""
    game = GAMES[GameId(name)]
    for table, view, _ in positions(game):
        before = table.digest_form()
        FOLLOWERS[name][0](view).likelihood(table)
        assert table.digest_form() == before
    assert "follower" in game.exploiters()
    assert "follower" not in game.bots()
