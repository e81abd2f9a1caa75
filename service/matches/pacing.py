"""When bots answer: how long each level may think, and when its answer is due.

How long a bot thinks must not reveal what it holds. So with people at the table its answer is due at a time that was fixed before
it began to think, and that is late enough for the longest thought of its level.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.bots import character
from ...domain.game import Level, Seat
from ...domain.match import Status
from ...domain.match.state import Match
from ..settings import Settings

SECONDS = {Level.SEARCH_SMALL: 0.08, Level.SEARCH_LARGE: 0.5, Level.INFERENCE: 0.5}
"""For how many seconds a bot of a level may begin another step of its search; the other levels do not search."""
LAST_STEP_SECONDS = 0.1
"""How many seconds the last step may take."""
DEEP = frozenset((Level.SEARCH_LARGE, Level.INFERENCE))
"""Levels that think in a queue of their own, so that they delay no clock and no other bot."""


def level_of(match: Match, seat: Seat) -> Level:
    """Return the level of the bot of a seat."""
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    return character(match.game, name).level


def searching(match: Match) -> list[Seat]:
    """Return the asked seats whose bots search."""
    return [seat for seat in match.bots_asked() if level_of(match, seat) in SECONDS]


def work_ms(match: Match, settings: Settings, now_ms: int) -> int | None:
    """Return when there is work to do for the bots of a match, None if there is none.

    With people at the table a search begins at once, whenever its answer is due. Bot-only matches have no pause.
    """
    if match.status is Status.OVER:
        return now_ms if match.rematch_agreed() else None
    if not match.bots_asked():
        return None
    if not match.people_present() or searching(match):
        return now_ms
    return max(now_ms, paused_ms(match, settings))


def paused_ms(match: Match, settings: Settings) -> int:
    """Return when the pause is over that makes bots bearable for people; it is the same for every answer of a decision."""
    ask, asked = match.pending(), match.asked
    assert ask is not None, "only a decision has a pause"
    assert asked is not None, "an ask of the table is a decision of the match"
    return asked.deadline_ms - match.settings.clock.milliseconds(ask.pace) + settings.bot_pause_ms


def search_seconds(match: Match, seats: Sequence[Seat]) -> float:
    """Return for how long the bots of some seats, which share the time of the slowest, may begin steps of their search."""
    return max((SECONDS[level_of(match, seat)] for seat in seats), default=0.0)
