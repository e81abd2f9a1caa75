"""What the benchmarks measure on: every game has the tables that they ask for. `make bench-smoke` runs them."""

from __future__ import annotations

import pytest

from bench.play import options_for
from tafelrunde.domain.game import AnyGame
from tafelrunde.domain.registry import GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_game_has_options_for_every_number_of_its_seats(game: AnyGame) -> None:
    """Also where that many play in teams only."""
    for seats in range(game.min_seats, game.max_seats + 1):
        game.check(options_for(game, seats), seats)
