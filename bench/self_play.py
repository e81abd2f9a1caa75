"""Matches among bots of one kind, which a fit learns from."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.scale import size
from tafelrunde.domain.game import AnyGame, Command, Options, Seat, Table
from tafelrunde.domain.search import Steps
from tafelrunde.service.simulate import SeededChance

EVERY_STEP = Steps(size(1_000, 5))


def answers(
    game: AnyGame, bot: str, seats: int, rng: random.Random, options: Options | None = None
) -> Iterator[tuple[Table, Seat, Command]]:
    """Yield each answer of a match of a bot with itself, and the table before it; it is given when the next one is asked for."""
    chance = SeededChance(rng)
    table = game.create(options or game.options_type(), seats)
    for event in game.start(table, chance):
        game.fold(table, event)
    while (ask := game.pending(table)) is not None:
        seat = ask.open[0]
        command = game.bots()[bot].choose(game.view(table, seat), game.legal(table, seat), rng, EVERY_STEP)
        yield table, seat, command
        game.play(table, seat, command, chance)
