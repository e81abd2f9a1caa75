"""The shapes of the deal of the day and its ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from ....domain.match import PlayerId, Status
from ....service.features.daily.deals import Try
from ....service.features.daily.port import RankedResult
from ....service.players.accounts import shown_name
from ....service.ports.players import PlayerRecord
from ...schema.fields import BotRef, DayRef, GameName, MatchRef, Moment, PlayerRef, SeatCount

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Rank = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]


class DailyDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day: the commitment to its secret, and the secret once the day is over (null until then)."""

    day: DayRef
    commitment: Digest
    secret: Digest | None


class DailyTry(msgspec.Struct, frozen=True, kw_only=True):
    """Your match of a deal. `place` is that in the ranking, null without one; `rank` and `score` are those at the table."""

    match: MatchRef
    status: Status
    place: Rank | None
    rank: Rank | None
    score: int | None


class DailySheet(msgspec.Struct, frozen=True, kw_only=True):
    """The deal of today: when it begins and ends, what it is played with, how many are ranked, and your try, if there is one.

    The commitment of tomorrow is there today; `yesterday` is null if that day had no deals. `puzzle`: the game has a puzzle of
    today, too.
    """

    game: GameName
    today: DailyDay
    tomorrow: DailyDay
    yesterday: DailyDay | None
    starts_ms: Moment
    ends_ms: Moment
    seats: SeatCount
    bot: BotRef
    ranked: Count
    yours: DailyTry | None
    puzzle: bool


class DailyOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A game's deal of today in short: what it is played with, how many are ranked, and your try, if there is one.

    `puzzle`: the game has a puzzle of today; `solved`: whether your answer to it was right, null without one.
    """

    game: GameName
    seats: SeatCount
    bot: BotRef
    ranked: Count
    yours: DailyTry | None
    puzzle: bool
    solved: bool | None


class DailyBoard(msgspec.Struct, frozen=True, kw_only=True):
    """What today offers in all games, and when it ends.

    `streak`: on how many days in a row you have finished a deal or answered a puzzle, up to today, or to yesterday while today is
    still open. It is counted for the last 31 days.
    """

    day: DayRef
    ends_ms: Moment
    streak: Count
    items: tuple[DailyOffer, ...]


class DailyRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a ranking. `match` is null while the day is not over, `score` in games without points."""

    place: Rank
    player: PlayerRef
    name: str | None
    guest: bool
    rank: Rank
    score: int | None
    decisions: Count
    match: MatchRef | None


class DailyRanking(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the ranking of a day's deal, best first. `cursor`: the `after` of the next page, null at the end."""

    game: GameName
    day: DayRef
    over: bool
    ranked: Count
    items: tuple[DailyRow, ...]
    cursor: Count | None


def try_facts(found: Try) -> DailyTry:
    """Return a player's try."""
    result = found.ranked.result if found.ranked is not None else None
    return DailyTry(
        match=found.match,
        status=found.status,
        place=found.ranked.place if found.ranked is not None else None,
        rank=result.rank if result is not None else None,
        score=result.score if result is not None else None,
    )


def daily_row(ranked: RankedResult, people: Mapping[PlayerId, PlayerRecord], *, over: bool) -> DailyRow:
    """Return a line of a ranking; its match only once the day is over."""
    result = ranked.result
    record = people[result.player]
    return DailyRow(
        place=ranked.place,
        player=result.player,
        name=shown_name(record),
        guest=record.guest,
        rank=result.rank,
        score=result.score,
        decisions=result.decisions,
        match=result.match if over else None,
    )
