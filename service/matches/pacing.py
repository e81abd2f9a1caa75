"""When bots answer: how long the longest thought of each level takes, and when an answer is due.

How long a bot thinks must not reveal what it holds. So with people at the table its answer is due at a time that was fixed before
it began to think, and that is late enough for the longest thought of its level.
"""

from __future__ import annotations

from ...domain.bots import character
from ...domain.game import AnyGame, Level, Seat
from ...domain.match import BotName, Status
from ...domain.match.presence import is_paced
from ...domain.match.state import Match
from ...domain.search import SearchBot
from ..settings import Settings

LONGEST_MS = {Level.SEARCH_SMALL: 100, Level.SEARCH_LARGE: 250, Level.INFERENCE: 850}
"""How long a bot of a level thinks at most, its last step included (milliseconds); the other levels do not search.

A bot's own `SearchBot.longest_ms` goes before it. What ends a thought is its number of steps, never this time.
`python -m bench.thinking` compares the two.
"""
FURTHER = 0.4
"""How much of its longest thought each further bot of a decision adds: they think one after the other, seldom all for long."""
LONGEST_THOUGHT_MS = 10_000
"""The latest time after the pause at which an answer is due, however busy the machine is."""
DEEP = frozenset((Level.SEARCH_LARGE, Level.INFERENCE))
"""Levels that think in a queue of their own, so that they delay no clock and no other bot."""


def level_of(match: Match, seat: Seat) -> Level:
    """Return the level of the bot of a seat."""
    return character(match.game, bot_of(match, seat)).level


def bot_of(match: Match, seat: Seat) -> BotName:
    """Return the name of the bot of a seat."""
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    return name


def searching(match: Match) -> list[Seat]:
    """Return the asked seats whose bots search."""
    return [seat for seat in match.bots_asked() if level_of(match, seat) in LONGEST_MS]


def work_ms(match: Match, settings: Settings, now_ms: int) -> int | None:
    """Return when there is work to do for the bots of a match, None if there is none.

    With people at the table a search begins at once, whenever its answer is due. A table that waits for its players has no work
    before that. Bot-only matches have no pause.
    """
    if match.status is Status.OVER:
        return now_ms if match.rematch_agreed() else None
    if not match.bots_asked():
        return None
    if match.waits_until_ms is not None and match.waits_until_ms > now_ms:
        return min(match.waits_until_ms, now_ms + match.settings.clock.away_ms)
    if not is_paced(match) or searching(match):
        return now_ms
    return min(max(now_ms, paused_ms(match, settings)), now_ms + settings.bot_pause_ms)


def paused_ms(match: Match, settings: Settings) -> int:
    """Return when the pause ends that makes bots' moves readable for people; it is the same for every answer of a decision."""
    length_ms = match.length_ms()
    asked = match.asked
    assert length_ms is not None, "only a decision has a pause"
    assert asked is not None, "an ask of the table is a decision of the match"
    return asked.deadline_ms - length_ms + settings.bot_pause_ms


def near_ms(due_ms: int, settings: Settings, now_ms: int) -> int:
    """Return when an answer is due: now if its time is too far off, which is one from before the clock was set back."""
    return due_ms if due_ms <= now_ms + settings.bot_pause_ms + LONGEST_THOUGHT_MS else now_ms


def deadline_ms(match: Match, length_ms: int | None, now_ms: int) -> int | None:
    """Return when the time for the open decision is up, None if none is open: never later than its length from now."""
    asked = match.asked
    if asked is None or length_ms is None:
        return None
    return now_ms + length_ms if match.clock_went_back(now_ms, length_ms) else asked.deadline_ms


def pad_ms(match: Match) -> int:
    """Return how long after thinking began the answers of an open decision may be ready at the earliest.

    It follows from what everyone knows: which bots are asked, not which of them have a choice or have answered.
    """
    ask = match.pending()
    assert ask is not None, "only a decision is thought about"
    asked = [bot_of(match, seat) for seat in ask.seats if match.chairs[seat].played_by_bot]
    longest = sorted((found for name in asked if (found := longest_ms(match.game, name)) is not None), reverse=True)
    return round(longest[0] + FURTHER * sum(longest[1:]))


def longest_ms(game: AnyGame, name: BotName) -> int | None:
    """Return how long a bot of a game thinks at most (milliseconds); None if it does not search."""
    if (usual_ms := LONGEST_MS.get(character(game, name).level)) is None:
        return None
    bot = game.bots()[name]
    return (bot.longest_ms if isinstance(bot, SearchBot) else None) or usual_ms
