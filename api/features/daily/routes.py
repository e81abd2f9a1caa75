"""The deal of the day: what it is, playing it, and its ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from ....domain.game import GameId
from ....domain.match import PlayerId
from ....service.days import Day, add_days, ends_ms, starts_ms
from ....service.features.daily.days import read_day
from ....service.features.daily.deals import DailyDeals, DayFacts
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, Key, operation
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...routes.matches import ACTED, OPENED, opened_reply
from ...schema import fields
from ...schema.common import Nothing, Request, Scope
from .schema import DailyBoard, DailyDay, DailyOffer, DailyRanking, DailySheet, daily_row, try_facts

TAG = "daily"
MOST = 100_000


class RankingQuery(Request, frozen=True):
    """Which day (default: today), and which page."""

    day: fields.DayRef | None = None
    after: Annotated[int, Meta(ge=0, le=MOST, description="A cursor of the ranking: how many lines to pass over.")] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


@operation(
    "GET",
    "/daily",
    "getToday",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, DailyBoard, "What today offers."),),
)
async def get_today(call: Call[Nothing, Nothing]) -> Reply:
    """Get the deals and puzzles of today of all games in short, with your tries and your streak if you send a token."""
    daily = call.application.get(DailyDeals)
    day = daily.today()
    asker = call.asker
    answered: Mapping[Day, Mapping[GameId, bool]] = {}
    streak = 0
    if asker is not None:
        answered = await daily.puzzles_answered(asker)
        streak = await daily.streak(asker, answered.keys())
    solved = answered.get(day, {})
    offers = [await _offer(daily, game, day, asker, solved.get(game)) for game in call.running.games]
    return response.json(DailyBoard(day=day, ends_ms=ends_ms(day), streak=streak, items=tuple(offers)), *PRIVATE)


async def _offer(daily: DailyDeals, game: GameId, day: Day, asker: PlayerId | None, solved: bool | None) -> DailyOffer:
    setting = daily.setting(game, day)
    yours = await daily.try_of(asker, game, day) if asker is not None else None
    return DailyOffer(
        game=game,
        seats=setting.seats,
        bot=setting.bot,
        ranked=await daily.count(game, day),
        yours=try_facts(yours) if yours is not None else None,
        puzzle=await daily.has_puzzle(game),
        solved=solved,
    )


@operation(
    "GET",
    "/daily/{game}",
    "getDaily",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, DailySheet, "The deal of today."),),
)
async def get_daily(call: Call[Nothing, Nothing]) -> Reply:
    """Get what is known of a game's deal of today, with your try if you have one, and the commitment to that of tomorrow."""
    game = _game(call)
    daily = call.application.get(DailyDeals)
    day = daily.today()
    today = await daily.day(day)
    tomorrow = await daily.day(add_days(day, 1))
    assert today is not None, "today has a deal"
    assert tomorrow is not None, "tomorrow has one, too"
    yesterday = await daily.day(add_days(day, -1))
    setting = daily.setting(game, day)
    yours = await daily.try_of(call.asker, game, day) if call.asker is not None else None
    body = DailySheet(
        game=game,
        today=_day(today),
        tomorrow=_day(tomorrow),
        yesterday=_day(yesterday) if yesterday is not None else None,
        starts_ms=starts_ms(day),
        ends_ms=ends_ms(day),
        seats=setting.seats,
        bot=setting.bot,
        ranked=await daily.count(game, day),
        yours=try_facts(yours) if yours is not None else None,
        puzzle=await daily.has_puzzle(game),
    )
    return response.json(body, *PRIVATE)


@operation(
    "POST",
    "/daily/{game}",
    "openDaily",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    lent=True,
    problems=ACTED,
    answers=OPENED,
)
async def open_daily(call: Call[Nothing, Nothing]) -> Reply:
    """Play a game's deal of today: the same cards and bots for all. You have one try: asked again, it is the same match."""
    return opened_reply(call, await call.application.get(DailyDeals).open(call.player, _game(call), call.place))


@operation(
    "GET",
    "/daily/{game}/ranking",
    "getDailyRanking",
    tag=TAG,
    access=Access.PUBLIC,
    query=RankingQuery,
    answers=(Answer(200, DailyRanking, "A page of the ranking."),),
)
async def get_daily_ranking(call: Call[Nothing, RankingQuery]) -> Reply:
    """List who did best in a game's deal of a day: by place at the table, then by score; among winners, by fewer decisions.

    Rankings are kept for 31 days. They have nothing to do with ratings.
    """
    game = _game(call)
    daily = call.application.get(DailyDeals)
    now_ms = call.application.now_ms()
    day = read_day(call.query.day, now_ms) if call.query.day is not None else daily.today()
    over = now_ms >= ends_ms(day)
    after = call.query.after
    found = await daily.ranking(game, day, after, call.query.limit)
    end = after + len(found)
    people = await call.application.accounts.people([each.result.player for each in found])
    body = DailyRanking(
        game=game,
        day=day,
        over=over,
        ranked=await daily.count(game, day),
        items=tuple(daily_row(each, people, over=over) for each in found if each.result.player in people),
        cursor=end if len(found) == call.query.limit and end <= MOST else None,
    )
    return response.json(body, *PRIVATE)


def _game(call: AnyCall) -> GameId:
    game = GameId(call.path("game", fields.GAME_ID))
    if game not in call.running.games:
        raise Refused("not-found")
    return game


def _day(facts: DayFacts) -> DailyDay:
    return DailyDay(**msgspec.structs.asdict(facts))


OPERATIONS = (get_today, get_daily, open_daily, get_daily_ranking)
