"""What the deal of a day is played with, and which days have a ranking."""

from __future__ import annotations

from typing import NamedTuple

from ....domain.game import AnyGame
from ....domain.match import BotName
from ...days import Day, add_days, day_in, day_of, number_of
from ...errors import NotFound
from .port import KEPT_DAYS

BOTS = (BotName("search-small"), BotName("honest"), BotName("search-large"))
"""The bots that all games have, day after day in turn."""
FEWEST, MOST = 3, 4
"""How many seats a deal has, as far as the game allows: enough for company, and not too many for one sitting."""


class Setting(NamedTuple):
    """How many seats a deal has, and the bot on all of them but the first."""

    seats: int
    bot: BotName


def read_day(text: str, now_ms: int) -> Day:
    """Return a day that has a ranking: today, or one of those that are kept; raise NotFound."""
    today = day_of(now_ms)
    day = day_in(text)
    if not add_days(today, -KEPT_DAYS) < day <= today:
        raise NotFound("day")
    return day


def setting_of(game: AnyGame, day: Day) -> Setting:
    """Return what the deal of a game is played with on a day."""
    number = number_of(day)
    fewest = max(game.min_seats, FEWEST)
    most = min(game.max_seats, MOST)
    bots = [bot for bot in BOTS if bot in game.bots()] or [BotName(next(iter(game.bots())))]
    return Setting(fewest + number % (most - fewest + 1) if most > fewest else game.min_seats, bots[number % len(bots)])
