"""Days of UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NewType

from .errors import NotFound

Day = NewType("Day", str)
"""A day of UTC, as `2026-11-23`."""

DAY_SECONDS = 86_400
DAY_MS = 1000 * DAY_SECONDS


def day_of(at_ms: int) -> Day:
    """Return the day of a time."""
    return Day(datetime.fromtimestamp(at_ms // 1000, UTC).date().isoformat())


def add_days(day: Day, days: int) -> Day:
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


def day_in(text: str) -> Day:
    """Return a day as it is written, for instance `2026-11-23`; raise NotFound."""
    try:
        day = Day(date.fromisoformat(text).isoformat())
    except ValueError:
        raise NotFound("day") from None
    if day != text:
        raise NotFound("day")
    return day
