"""Lessons: what a game's guided first match says, and opening one."""

from __future__ import annotations

from functools import lru_cache

from ....domain.game import AnyGame, GameId
from ....domain.lessons import LEARNER, Lesson, Line
from ....service.features.lessons.service import Lessons
from ...http import response
from ...http.catalog import Page, page_of
from ...http.operation import Access, Answer, Call, Key, operation
from ...http.response import Reply
from ...problems import Refused
from ...routes.games import TAG, game_of
from ...routes.matches import ACTED, OPENED, opened_reply
from ...schema import fields
from ...schema.common import Nothing, Scope
from ...texts import Text
from .schema import LessonLine, LessonMoment, LessonSheet


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
    game = game_of(call)
    if game.lesson is None:
        raise Refused("not-found")
    return _page(game).reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation(
    "POST",
    "/games/{game}/lesson",
    "openLesson",
    tag=TAG,
    scope=Scope.CREATE,
    lent=True,
    key=Key.REQUIRED,
    problems=ACTED,
    answers=OPENED,
)
async def open_lesson(call: Call[Nothing, Nothing]) -> Reply:
    """Open a game's lesson: a practice match, unlisted and unrated, whose cards and bots are the same for everyone."""
    game = GameId(call.path("game", fields.GAME_ID))
    return opened_reply(call, await call.application.get(Lessons).open(call.player, game, call.key, call.place))


@lru_cache(64)
def _page(game: AnyGame) -> Page:
    assert game.lesson is not None, "a lesson that is shown"
    return page_of(response.encode(_sheet(game, game.lesson)))


def _sheet(game: AnyGame, lesson: Lesson) -> LessonSheet:
    return LessonSheet(
        game=game.id,
        edition=lesson.edition,
        seats=lesson.seats,
        seat=LEARNER,
        bot=lesson.bot,
        minutes=lesson.minutes,
        lines=tuple(map(_line, lesson.lines)),
    )


def _line(line: Line) -> LessonLine:
    when = line.when
    return LessonLine(
        key=line.key,
        when=LessonMoment(
            prompt=when.prompt or None,
            legal=when.legal or None,
            refused=when.refused or None,
            event=when.event or None,
            fields=when.fields,
        ),
        text=Text(de=line.text.de, en=line.text.en),
        suggested=line.suggested or None,
    )


OPERATIONS = (get_lesson, open_lesson)
