"""Stamps: a short digest of how the bots of a table play, kept beside the figures that were measured with them.

It is made of what all of them choose in some positions with few steps, and of how many worlds each of them would see. So it does
not change when code is only written differently, and nearly always when a bot plays differently: not if that shows only in other
positions, or only after more worlds than the few that are seen here.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from ....domain.game import AnyGame, Seat
from ....domain.search import SearchBot, Steps
from .arena import DealtChance

MATCHES, MOST, STRIDE, WORLDS = 2, 6, 5, 4
"""At most six decisions of a match are answered, every fifth with a choice, by searches in four worlds."""


def stamp_of(game: AnyGame, seats: int) -> str:
    """Return the stamp of a game's bots and exploiters with that number of seats. Cost: some dozens of short searches."""
    return hashlib.sha256("\n".join(_answers(game, seats)).encode()).hexdigest()[:16]


def _answers(game: AnyGame, seats: int) -> Iterator[str]:
    bots = {**game.exploiters(), **game.bots()}
    for number in range(MATCHES):
        chance, rng = DealtChance(number, seats), random.Random(number)  # noqa: S311 - repeatable on purpose
        table = game.create(game.options_type(), seats)
        for event in game.start(table, chance):
            game.fold(table, event)
        seen = 0
        while (ask := game.pending(table)) is not None and seen < STRIDE * MOST:
            seat = Seat(ask.open[0])
            view, legal = game.view(table, seat), game.legal(table, seat)
            seen += len(legal) > 1
            if len(legal) > 1 and seen % STRIDE == 0:
                for name, bot in bots.items():
                    worlds = bot.worlds(view) if isinstance(bot, SearchBot) else 0
                    yield f"{name} {worlds} {bot.choose(view, legal, random.Random(seen), Steps(WORLDS))}"  # noqa: S311 - repeatable on purpose
            game.play(table, seat, rng.choice(legal), chance)
