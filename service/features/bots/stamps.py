"""Stamps: a short digest of how each bot of a table plays, kept beside the figures that were measured with it.

It is made of what the bot chooses in some positions with few steps, and of how many worlds it would see. So it does not change
when code is only written differently, and nearly always when the bot plays differently: not if that shows only in other
positions, or only after more worlds than the few that are seen here.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping

from ....domain.game import AnyGame, Seat
from ....domain.match.opening import read_options
from ....domain.match.terms import OptionValue
from ....domain.search import SearchBot, Steps
from .arena import DealtChance

MATCHES, MOST, STRIDE, WORLDS = 2, 6, 5, 4
"""At most six decisions of a match are answered, every fifth with a choice, by searches in four worlds."""


def stamps_of(game: AnyGame, seats: int, options: Mapping[str, OptionValue]) -> dict[str, str]:
    """Return the stamps of a game's bots and exploiters at a table. Cost: some dozens of short searches."""
    answers: dict[str, list[str]] = {}
    for name, answer in _answers(game, seats, options):
        answers.setdefault(name, []).append(answer)
    return {name: hashlib.sha256("\n".join(given).encode()).hexdigest()[:16] for name, given in answers.items()}


def _answers(game: AnyGame, seats: int, options: Mapping[str, OptionValue]) -> Iterator[tuple[str, str]]:
    bots = {**game.exploiters(), **game.bots()}
    typed = read_options(game, options, seats)
    for number in range(MATCHES):
        chance = DealtChance(number, seats)
        rng = random.Random(number)  # noqa: S311 - repeatable on purpose
        table = game.create(typed, seats)
        for event in game.start(table, chance):
            game.fold(table, event)
        seen = 0
        while (ask := game.pending(table)) is not None and seen < STRIDE * MOST:
            seat = Seat(ask.open[0])
            view = game.view(table, seat)
            legal = game.legal(table, seat)
            seen += len(legal) > 1
            if len(legal) > 1 and seen % STRIDE == 0:
                for name, bot in bots.items():
                    worlds = bot.worlds(view) if isinstance(bot, SearchBot) else 0
                    yield name, f"{worlds} {bot.choose(view, legal, random.Random(seen), Steps(WORLDS))}"  # noqa: S311 - repeatable on purpose
            game.play(table, seat, rng.choice(legal), chance)
