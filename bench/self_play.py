"""Matches of MatchMaster among bots of one kind, which a fit learns from."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.scale import size
from tafelrunde.domain.game import Command, Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.bots import BOTS
from tafelrunde.domain.matchmaster.messages import MatchMasterOptions
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tafelrunde.domain.search import Steps
from tafelrunde.service.simulate import SeededChance

EVERY_STEP = Steps(size(1_000, 5))


def answers(bot: str, seats: int, rng: random.Random) -> Iterator[tuple[MatchMasterTable, Seat, Command]]:
    """Yield each answer of a match of a bot with itself, and the table before it; it is given when the next one is asked for."""
    chance = SeededChance(rng)
    table = GAME.create(MatchMasterOptions(), seats)
    for event in GAME.start(table, chance):
        GAME.fold(table, event)
    while (ask := GAME.pending(table)) is not None:
        seat = ask.open[0]
        command = BOTS[bot].choose(GAME.view(table, seat), GAME.legal(table, seat), rng, EVERY_STEP)
        yield table, seat, command
        GAME.play(table, seat, command, chance)
