"""Lessons: what a game's guided first match says, and opening one."""

from __future__ import annotations

from ...domain.game import GameId
from ..http.operation import Access, Answer, Call, Key, operation
from ..http.response import Reply
from ..problems import Refused
from ..schema import fields
from ..schema.common import Nothing, Scope
from ..schema.lessons import LessonSheet
from .games import TAG, game_of
from .matches import ACTED, OPENED, opened_reply


@operation(
    "GET",
    "/games/{game}/lesson",
    "getLesson",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, LessonSheet, "The lesson.", ("ETag",)), Answer(304, None, "Not modified.", ("ETag",))),
)
async def get_lesson(call: Call[Nothing, Nothing]) -> Reply:
    """Get what a game's lesson says, and when. The texts are the same for everyone and say nothing of the cards of others."""
    page = call.running.catalog.lesson(game_of(call))
    if page is None:
        raise Refused("not-found")
    return page.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation(
    "POST",
    "/games/{game}/lesson",
    "openLesson",
    tag=TAG,
    scope=Scope.CREATE,
    key=Key.REQUIRED,
    problems=ACTED,
    answers=OPENED,
)
async def open_lesson(call: Call[Nothing, Nothing]) -> Reply:
    """Open a game's lesson: a practice match, unlisted and unrated, whose cards and bots are the same for everyone."""
    game = GameId(call.path("game", fields.GAME_ID))
    return opened_reply(call, await call.application.matches.open_lesson(call.player, game, call.key, call.place))


OPERATIONS = (get_lesson, open_lesson)
