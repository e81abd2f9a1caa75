"""Matches of Stich-Meister for tests: rules chosen freely, seats that answer at random, and tables from all along."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tafelrunde.domain.game import Bot, Seat, Standing
from tafelrunde.domain.search import Steps
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.messages import StichCommand, StichOptions
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.domain.stich_meister.view import StichView
from tests.support.dice import Dice

Player = Bot[StichView, StichCommand]
HIDING = (21, 22, 23, 24, 25, 26, 27, 28, 34, 35, 37, 38, 39, 40, 15, 19)
"""Rules that have to do with what seats know; two trumps among them."""


def started(seats: int, seed: object, rules: tuple[int, ...] | None = None, dealer: int = 0) -> StichTable:
    """Return a table after its first deal."""
    table = GAME.create(StichOptions(rules=rules, first_dealer=dealer), seats)
    for event in GAME.start(table, Dice(seed)):
        GAME.fold(table, event)
    return table


def random_match(seats: int, seed: object, rules: tuple[int, ...] | None = None) -> Iterator[StichTable]:
    """Yield one table again and again, after the start and after each random answer; it must not be kept."""
    rng = random.Random(str(seed))
    chance = Dice(seed)
    table = started(seats, seed, rules)
    yield table
    while (ask := GAME.pending(table)) is not None:
        seat = rng.choice(ask.open)
        GAME.play(table, seat, rng.choice(GAME.legal(table, seat)), chance)
        yield table


def hiding_rules(seed: object) -> tuple[int, ...]:
    """Return four rules that make it hard to determine what seats know."""
    return tuple(random.Random(f"rules {seed}").sample(HIDING, 4))


def match_of(players: Sequence[Player], seed: object) -> Standing:
    """Return the result of a match; asked seats answer in random order."""
    rng = random.Random(str(seed))
    chance = Dice(seed)
    table = started(len(players), seed)
    while (ask := GAME.pending(table)) is not None:
        seat = Seat(rng.choice(ask.open))
        command = players[seat].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, Steps(100))
        GAME.play(table, seat, command, chance)
    standing = GAME.standing(table)
    assert standing is not None
    return standing
