"""Games: what can be played, and everything that a client needs to know about it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ...domain.game import AnyGame, GameId
from ..http.operation import Access, Answer, Call, operation
from ..http.response import Reply
from ..problems import Refused
from ..schema import fields
from ..schema.common import Nothing, Request
from ..schema.games import GameList, GameSheet

TAG = "games"


class Language(Request, frozen=True):
    """In which language."""

    lang: Annotated[Literal["de", "en"], Meta(description="Language of the rule sheet.")] = "en"


def game_of(call: Call[Nothing, Nothing] | Call[Nothing, Language]) -> AnyGame:
    """Return the game that the path names; raise Refused."""
    game = call.running.games.get(GameId(call.path("game", fields.GAME_ID)))
    if game is None:
        raise Refused("not-found")
    return game


@operation(
    "GET",
    "/games",
    "listGames",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, GameList, "All games.", ("ETag",)), Answer(304, None, "Not modified.", ("ETag",))),
)
async def list_games(call: Call[Nothing, Nothing]) -> Reply:
    """List the games of this service."""
    page = call.running.catalog.games()
    return page.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation(
    "GET",
    "/games/{game}",
    "getGame",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, GameSheet, "The game.", ("ETag",)), Answer(304, None, "Not modified.", ("ETag",))),
)
async def get_game(call: Call[Nothing, Nothing]) -> Reply:
    """Get a game: seats, bots, refusal codes, texts, and the schemas of its options, commands, events and view."""
    page = call.running.catalog.game(game_of(call), call.running.base(call.root))
    return page.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation(
    "GET",
    "/games/{game}/rules",
    "getRules",
    tag=TAG,
    access=Access.PUBLIC,
    query=Language,
    answers=(Answer(200, str, "The rule sheet.", ("ETag",), "text/markdown"), Answer(304, None, "Not modified.", ("ETag",))),
)
async def get_rules(call: Call[Nothing, Language]) -> Reply:
    """Get the rule sheet of a game, in Markdown."""
    page = call.running.catalog.rules(game_of(call), call.query.lang)
    if page is None:
        raise Refused("not-found")
    return page.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"), media_type=b"text/markdown; charset=utf-8")


OPERATIONS = (list_games, get_game, get_rules)
