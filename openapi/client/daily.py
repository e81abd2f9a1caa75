"""The deal of the day, and who did best in it."""

from __future__ import annotations

import msgspec


class DailyDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day, the commitment to its secret, and the secret once the day is over."""

    day: str
    commitment: str
    secret: str | None


class DailyTry(msgspec.Struct, frozen=True, kw_only=True):
    """Your match of a deal, and your place in the ranking."""

    match: str
    status: str
    place: int | None
    rank: int | None
    score: int | None


class Daily(msgspec.Struct, frozen=True, kw_only=True):
    """A game's deal of today, and your try, if you have one."""

    game: str
    today: DailyDay
    tomorrow: DailyDay
    yesterday: DailyDay | None
    starts_ms: int
    ends_ms: int
    seats: int
    bot: str
    ranked: int
    yours: DailyTry | None
    puzzle: bool = False


class DailyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a ranking; `match` is None until the day is over."""

    place: int
    player: str
    name: str | None
    guest: bool
    rank: int
    score: int | None
    decisions: int
    match: str | None


class DailyRanking(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the ranking of a deal, best first; `next` is the start of the next page."""

    game: str
    day: str
    over: bool
    ranked: int
    items: tuple[DailyRow, ...]
    next: int | None
