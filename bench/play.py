"""Random play in the domain: rules alone, no views, no events, no store."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from tafelrunde.domain import search
from tafelrunde.domain.chance import Chance
from tafelrunde.domain.game import AnyGame, InvalidOptions, Options
from tafelrunde.domain.seats import NOBODY

Element = TypeVar("Element")


class QuickChance:
    """Chance for measurements: every order equally likely, by sorting along random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        luck = self._random
        return sorted(items, key=lambda _: luck())

    def below(self, label: str, bound: int) -> int:
        """Return a random integer in 0..bound-1."""
        return int(self._random() * bound)


def compiled() -> bool:
    """Return whether the rules and the search run as machine code (`make fast`)."""
    return not str(search.__file__).endswith(".py")


def quickest(rng: random.Random) -> Chance:
    """Return the chance that costs least: that of the search where it is compiled, else the one above."""
    return search.SampledChance(rng) if compiled() else QuickChance(rng)


def options_for(game: AnyGame, seats: int) -> Options:
    """Return the default options of a game, or those of team mode if it has that many seats in teams only."""
    options = game.options_type()
    try:
        game.check(options, seats)
    except InvalidOptions:
        options = msgspec.convert({"mode": "team"}, game.options_type)
        game.check(options, seats)
    return options


def decisions_per_second(game: AnyGame, seats: int, seconds: float) -> float:
    """Return how many random legal moves are made per second of processor time: shuffle, deal, legal moves and rules."""
    rng = random.Random(1)
    chance = quickest(rng)
    luck = rng.random
    clock = time.process_time
    options = options_for(game, seats)
    rulebook = game.rulebook
    waiting, legal, apply = rulebook.waiting, rulebook.legal, rulebook.apply
    decisions = 0
    began = clock()
    while clock() - began < seconds:
        table = game.create(options, seats)
        table.leave_unwatched()
        rulebook.set_up(table, chance)
        while (seat := waiting(table)) != NOBODY:
            moves = legal(table, seat)
            apply(table, seat, moves[int(luck() * len(moves))], chance)
            decisions += 1
    return decisions / (clock() - began)
