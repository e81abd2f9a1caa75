"""Bots at the table: each answers from its seat's view alone.

How long a bot thinks must not tell what it holds. So with people at the table all answers are ready after the time that the
slowest of the asked bots may take, whatever the search needed; the bots of one decision share that time.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..domain.bots import Level, character
from ..domain.game import Budget, Command, Rng, Seat
from ..domain.match import MatchId
from ..domain.match.commands import BotPlay
from ..domain.match.refusals import DecisionNotOpen, MatchRefused
from ..domain.match.state import Match
from .handler import Handler, Order, fingerprint_of

if TYPE_CHECKING:
    from .matches import Loaded

SECONDS = {Level.SEARCH_SMALL: 0.08, Level.SEARCH_LARGE: 0.85, Level.INFERENCE: 0.85}
"""For so long a bot of a level may begin another step; others answer at once. With the last step that is 0.1 s, or 0.9 s."""
DEEP = frozenset((Level.SEARCH_LARGE, Level.INFERENCE))
"""Levels that are answered for by a queue of their own, so that they delay no clock and no other bot."""


class Clocked:
    """A budget of so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def allows(self, steps: int) -> bool:
        """Return whether there is time left."""
        return time.perf_counter() < self._end


def level_of(match: Match, seat: Seat) -> Level:
    """Return the level of the bot of a seat."""
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    return character(match.game, name).level


def deep(match: Match, seat: Seat) -> bool:
    """Return whether the bot of a seat thinks for long."""
    return level_of(match, seat) in DEEP


def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
    """Return what the bot of a seat answers; it is given the seat's view and legal commands and nothing else."""
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    bot = match.game.bots()[name]
    return bot.choose(match.game.view(match.table, seat), match.game.legal(match.table, seat), rng, budget)


async def answer(handler: Handler, match: MatchId, loaded: Loaded, seats: Sequence[Seat]) -> None:
    """Let the bots of some seats answer the open decision.

    Nothing happens to those for whom it was answered, or whose player came back, meanwhile. The generator is seeded by the
    system: anything derived from the match could be guessed, and with it the bot's cards.
    """
    decision = loaded.match.open_decision()
    assert decision is not None, "a bot that is asked has a decision"
    for seat, command in await _thought(loaded.match, seats):
        order = Order(
            match=match,
            actor=f"bot:{loaded.match.chairs[seat].bot}:{seat}",
            key=f"bot-{decision}-{seat}",
            fingerprint=fingerprint_of("bot", decision, seat),
            command=BotPlay(seat, decision, command),
        )
        try:
            await handler.carry_out(order)
        except (DecisionNotOpen, MatchRefused):
            continue


async def _thought(match: Match, seats: Sequence[Seat]) -> list[tuple[Seat, Command]]:
    """Return what bots answer, after a time that does not depend on what they hold; searches run beside the event loop."""
    seconds = max((SECONDS.get(level_of(match, seat), 0.0) for seat in seats), default=0.0)
    began = time.perf_counter()
    found: list[tuple[Seat, Command]] = []
    for seat in seats:
        budget = Clocked(seconds / len(seats))
        if level_of(match, seat) in SECONDS:
            found.append((seat, await asyncio.to_thread(choose, match, seat, random.SystemRandom(), budget)))
        else:
            found.append((seat, choose(match, seat, random.SystemRandom(), budget)))
    if seconds and match.people_present():
        await asyncio.sleep(began + seconds - time.perf_counter())
    return found
