"""Days of UTC, and what the deal of a day is played with."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from ...domain.game import AnyGame
from ...domain.match import BotName
from ..errors import NotFound
from ..ports.daily import DAY_SECONDS, KEPT_DAYS, Day

DAY_MS = 1000 * DAY_SECONDS
BOTS = (BotName("search-small"), BotName("honest"), BotName("search-large"))
"""The bots that all games have, day after day in turn."""
FEWEST, MOST = 3, 4
"""How many seats a deal has, as far as the game allows: enough for company, and not too many for one sitting."""


class Setting(NamedTuple):
    """How many seats a deal has, and the bot on all of them but the first."""

    seats: int
    bot: BotName


def day_of(at_ms: int) -> Day:
    """Return the day of a time."""
    return Day(datetime.fromtimestamp(at_ms // 1000, UTC).date().isoformat())


def moved(day: Day, days: int) -> Day:
    """Return the day that is *days* later (negative: earlier)."""
    return Day((date.fromisoformat(day) + timedelta(days=days)).isoformat())


def number_of(day: Day) -> int:
    """Return how many days after the first of January 1970 a day is."""
    return date.fromisoformat(day).toordinal() - date(1970, 1, 1).toordinal()


def starts_ms(day: Day) -> int:
    """Return when a day begins (Unix milliseconds)."""
    return DAY_MS * number_of(day)


def ends_ms(day: Day) -> int:
    """Return when a day is over (Unix milliseconds)."""
    return starts_ms(day) + DAY_MS


def read_day(text: str, now_ms: int) -> Day:
    """Return a day that has a ranking: today, or one of those that are kept; raise NotFound."""
    today, day = day_of(now_ms), day_in(text)
    if not moved(today, -KEPT_DAYS) < day <= today:
        raise NotFound("day")
    return day


def day_in(text: str) -> Day:
    """Return a day as it is written, for instance `2026-11-23`; raise NotFound."""
    try:
        day = Day(date.fromisoformat(text).isoformat())
    except ValueError:
        raise NotFound("day") from None
    if day != text:
        raise NotFound("day")
    return day


def setting_of(game: AnyGame, day: Day) -> Setting:
    """Return what the deal of a game is played with on a day."""
    number = number_of(day)
    fewest, most = max(game.min_seats, FEWEST), min(game.max_seats, MOST)
    bots = [bot for bot in BOTS if bot in game.bots()] or [BotName(next(iter(game.bots())))]
    return Setting(fewest + number % (most - fewest + 1) if most > fewest else game.min_seats, bots[number % len(bots)])
