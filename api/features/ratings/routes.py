"""Leaderboards."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ....domain.game import GameId
from ....domain.match import PlayerId
from ....service.features.ratings.leaderboards import Ratings
from ....service.features.ratings.port import LeaderboardKind
from ....service.strength.scores import bot_of
from ...http import response
from ...http.operation import Access, Answer, Call, operation
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...schema import fields
from ...schema.common import Nothing, Request
from ...schema.fields import PageCursor
from .schema import (
    Board,
    RatingHistories,
    RatingHistory,
    RatingPoint,
    board_cursor,
    board_row,
    read_board_cursor,
)


class BoardQuery(Request, frozen=True):
    """Which page."""

    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50
    kind: Annotated[LeaderboardKind, Meta(description="Only people, only programs, or only bots of the house.")] | None = None


@operation(
    "GET",
    "/leaderboards/{game}",
    "getLeaderboard",
    tag="players",
    access=Access.PUBLIC,
    query=BoardQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, Board, "A page of the leaderboard."),),
)
async def get_leaderboard(call: Call[Nothing, BoardQuery]) -> Reply:
    """List the leaderboard of a game, best first: everyone, or one kind. Aborted, voided and unrated matches do not count."""
    game = GameId(call.path("game", fields.GAME_ID))
    if game not in call.running.games:
        raise Refused("not-found")
    below = read_board_cursor(call.query.after) if call.query.after is not None else None
    found = await call.application.get(Ratings).board(game, below, call.query.limit, call.query.kind)
    people = await call.application.accounts.people([PlayerId(each.entrant) for each in found if bot_of(each.entrant) is None])
    full = len(found) == call.query.limit
    items = tuple(board_row(each, people) for each in found)
    return response.json(Board(game=game, items=items, cursor=board_cursor(found[-1]) if full else None), *PRIVATE)


@operation(
    "GET",
    "/players/{player}/ratings",
    "getRatingHistory",
    tag="players",
    access=Access.ANYBODY,
    answers=(Answer(200, RatingHistories, "The ratings over time."),),
)
async def get_rating_history(call: Call[Nothing, Nothing]) -> Reply:
    """Get what a player's rating was after each of its newest rated matches, by game."""
    player = (await call.application.accounts.player(PlayerId(call.path("player", fields.PLAYER_ID)))).id
    found = await call.application.get(Ratings).histories(player)
    items = tuple(
        RatingHistory(game=game, points=tuple(RatingPoint(at_ms=each.at_ms, rating=each.rating) for each in points))
        for game, points in found.items()
    )
    return response.json(RatingHistories(player=player, items=items), *PRIVATE)


OPERATIONS = (get_leaderboard, get_rating_history)
