"""Whole matches of Meister Coup for tests: what happened, and the table after each command."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.game import Bot, Seat, Standing
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.bots.honest import HonestBot
from tafelrunde.domain.meister_coup.events import MeisterEvent
from tafelrunde.domain.meister_coup.messages import MeisterCommand, MeisterOptions
from tafelrunde.domain.meister_coup.table import MeisterTable
from tafelrunde.domain.meister_coup.view import MeisterView
from tafelrunde.domain.search import Steps
from tests.support.dice import Dice

Player = Bot[MeisterView, MeisterCommand]
STANDARD = MeisterOptions()
TEAM = MeisterOptions(mode="team")
OWN = MeisterOptions(diamonds=(3, 0, 2, 1, 0, 1, 0, 2, 0, 0, 1, 0))
KINDS: Sequence[tuple[int, MeisterOptions]] = [(3, STANDARD), (4, STANDARD), (5, STANDARD), (4, TEAM), (6, TEAM), (4, OWN)]


class Step(NamedTuple):
    """What has just happened, and the table after it."""

    table: MeisterTable
    events: list[MeisterEvent]


class Match(NamedTuple):
    """A whole match: its options, all that happened, and how it ended."""

    seats: int
    options: MeisterOptions
    events: list[MeisterEvent]
    standing: Standing


def started(seats: int, options: MeisterOptions, seed: object) -> tuple[MeisterTable, list[MeisterEvent]]:
    """Return a table after its first deal, and the deal."""
    table = GAME.create(options, seats)
    events = GAME.start(table, Dice(seed))
    for event in events:
        GAME.fold(table, event)
    return table, events


def steps(seats: int, options: MeisterOptions, seed: object, players: Sequence[Player]) -> Iterator[Step]:
    """Yield one table again and again, after the start and each answer, with what has just happened; it must not be kept."""
    rng = random.Random(str(seed))
    chance = Dice(seed)
    table, events = started(seats, options, seed)
    yield Step(table, events)
    while (ask := GAME.pending(table)) is not None:
        seat = rng.choice(ask.open)
        command = players[seat].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, Steps(100))
        events = GAME.decide(table, seat, command, chance)
        for event in events:
            GAME.fold(table, event)
        yield Step(table, events)


def match_of(seats: int, options: MeisterOptions, seed: int, players: Sequence[Player] | None = None) -> Match:
    """Return a match; with an odd seed of honest bots, otherwise of random ones, unless the players are named."""
    bots = players or [HonestBot() if seed % 2 else RandomBot()] * seats
    facts = list[MeisterEvent]()
    table = None
    for table, events in steps(seats, options, seed, bots):  # noqa: B007 - the last one is the table at the end
        facts += events
    assert table is not None
    standing = GAME.standing(table)
    assert standing is not None
    return Match(seats, options, facts, standing)


def seated(seats: int, seat: Seat) -> list[Player]:
    """Return an honest bot on a seat, and random ones on all others."""
    return [HonestBot() if each == seat else RandomBot() for each in range(seats)]
