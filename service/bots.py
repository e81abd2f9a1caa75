"""Bots at the table: each answers from its seat's view alone."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from ..domain.game import Command, Rng, Seat
from ..domain.match import MatchId
from ..domain.match.messages import BotPlay
from ..domain.match.refusals import DecisionNotOpen, MatchRefused
from .handler import Handler, Order, fingerprint_of

if TYPE_CHECKING:
    from .matches import Loaded

THINKING_SECONDS = 0.9
"""A bot stops thinking after so long, wherever its search is. Its own number of steps mostly ends it earlier."""


class Clocked:
    """A budget of so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def allows(self, steps: int) -> bool:
        """Return whether there is time left."""
        return time.perf_counter() < self._end


def choose(loaded: Loaded, seat: Seat, rng: Rng) -> Command:
    """Return what the bot of a seat answers; it is given the seat's view and legal commands and nothing else."""
    match = loaded.match
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    bot = match.game.bots()[name]
    return bot.choose(match.game.view(match.table, seat), match.game.legal(match.table, seat), rng, Clocked(THINKING_SECONDS))


async def answer(handler: Handler, match: MatchId, loaded: Loaded, seat: Seat) -> None:
    """Let the bot of a seat answer the open decision. Nothing happens if it was answered, or its player came back, meanwhile.

    The generator is seeded by the system: anything derived from the match could be guessed, and with it the bot's cards.
    """
    decision = loaded.match.open_decision()
    assert decision is not None, "a bot that is asked has a decision"
    order = Order(
        match=match,
        actor=f"bot:{loaded.match.chairs[seat].bot}:{seat}",
        key=f"bot-{decision}-{seat}",
        fingerprint=fingerprint_of("bot", decision, seat),
        command=BotPlay(seat, decision, choose(loaded, seat, random.SystemRandom())),
    )
    try:
        await handler.carry_out(order)
    except (DecisionNotOpen, MatchRefused):
        return
