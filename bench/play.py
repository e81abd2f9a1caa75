"""Random play in the domain: rules alone, no views, no events, no store."""

from __future__ import annotations

import random
import time

from tafelrunde.domain.game import AnyGame
from tafelrunde.service.simulate import SeededChance, started

SLICE = 200


def decisions_per_second(game: AnyGame, seats: int, seconds: float) -> float:
    """Return how many random legal answers are given per second, dealing included."""
    rng = random.Random(1)
    chance = SeededChance(rng)
    options = game.options_type()
    game.check(options, seats)
    decisions, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        table = started(game, options, seats, chance)
        while (ask := game.pending(table)) is not None:
            legal = game.legal(table, ask.open[0])
            game.play(table, ask.open[0], legal[rng.randrange(len(legal))], chance)
            decisions += 1
    return decisions / (time.perf_counter() - began)
