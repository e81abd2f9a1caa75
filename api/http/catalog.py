"""The catalog: what clients need to know of the games. It never changes while a process runs, so its bytes are made once."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias, Union

import msgspec

from ...domain.game import AnyGame, Event, Face, GameId, Message
from ...domain.match import BotName
from ...domain.match.events import MATCH_EVENTS
from ...domain.match.refusals import MATCH_MESSAGES, MatchRefusal
from ...domain.match.texts import MATCH_TEXTS
from ...domain.secrecy import known
from ..schema.games import (
    CardFace,
    EventAudience,
    GameFacts,
    GameList,
    GameSheet,
    MessageText,
    PicturedCard,
    RefusalCode,
    RuleLinks,
)
from ..texts import Text
from . import response

Describe: TypeAlias = Callable[[AnyGame], Mapping[str, object]]
PAGES_KEPT = b"public, max-age=60"
"""How long clients may cache them without revalidation."""


PACKED: response.Header = (b"content-encoding", b"gzip")
HEADERS: tuple[response.Header, ...] = ((b"cache-control", PAGES_KEPT), (b"vary", b"Accept-Encoding"))


class Page(NamedTuple):
    """Bytes, plain and compressed, and their entity tag."""

    body: bytes
    packed: bytes
    tag: str

    def reply(self, accepted: str, asked: str, media_type: bytes = response.JSON) -> response.Reply:
        """Return it, compressed if the client accepts that; 304 if it has this version."""
        if "gzip" in accepted:
            return response.tag_reply(self.packed, f"{self.tag}-gz", asked, *HEADERS, PACKED, media_type=media_type)
        return response.tag_reply(self.body, self.tag, asked, *HEADERS, media_type=media_type)


def page_of(body: bytes) -> Page:
    """Return bytes with their entity tag, and compress them, once."""
    return Page(body, gzip.compress(body, 9, mtime=0), response.tag_of(body))


class Catalog:
    """The pages of all games. Rule sheets are files `rules.<language>.md` beside a game's modules.

    *describe* return what features know of a game, by fields of its sheet; *features* are the names of all of them.
    """

    def __init__(
        self, games: Mapping[GameId, AnyGame], describe: Sequence[Describe] = (), features: tuple[str, ...] = ()
    ) -> None:
        self._games = games
        self._describe = describe
        self._features = features
        self._pages: dict[tuple[str, str], Page] = {}
        self._bots: dict[GameId, tuple[BotName, ...]] = {}

    def games(self) -> Page:
        """Return the list of games."""
        found = self._pages.get(("games", ""))
        if found is None:
            items = tuple(_facts(game, self._facts_of_features(game)) for game in self._games.values())
            found = self._pages["games", ""] = page_of(response.encode(GameList(items=items, features=self._features)))
        return found

    def game(self, game: AnyGame, base: str) -> Page:
        """Return the sheet of a game; `base` stands before its links."""
        found = self._pages.get((game.id, base))
        return found or self._pages.setdefault(
            (game.id, base), page_of(response.encode(_sheet(game, base, self._facts_of_features(game))))
        )

    def bots(self, game: GameId) -> tuple[BotName, ...]:
        """Return the bots that are offered for a game: none where the feature is left out."""
        if game not in self._bots:
            self._bots[game] = self._facts_of_features(self._games[game])["bots"]
        return self._bots[game]

    def _facts_of_features(self, game: AnyGame) -> Mapping[str, Any]:
        """Return what features know of a game, and what it lacks where there are none."""
        described: dict[str, Any] = {"lesson": False, "bots": (), "characters": (), "tables": ()}
        for describe in self._describe:
            described |= describe(game)
        return described

    def rules(self, game: AnyGame, language: str) -> Page | None:
        """Return a game's rule sheet, if it has one in that language."""
        found = self._pages.get((f"{game.id}/rules", language))
        if found is None and (text := rule_sheet(game, language)) is not None:
            found = self._pages[f"{game.id}/rules", language] = page_of(text)
        return found


def package_of(game: AnyGame) -> str:
    """Return the package that a game's modules are in."""
    return sys.modules[type(game).__module__].__package__ or ""


def rule_sheet(game: AnyGame, language: str) -> bytes | None:
    """Return the rule sheet out of a game's folder, also in a wheel."""
    sheet = files(package_of(game)) / "guide" / f"rules.{language}.md"
    return sheet.read_bytes() if sheet.is_file() else None


def _facts(game: AnyGame, described: Mapping[str, Any]) -> GameFacts:
    return GameFacts(
        id=game.id,
        name=_name(game),
        about=_about(game),
        rules_version=game.rules_version,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        pictured=tuple(_pictures(game)),
        lesson=described["lesson"],
    )


def _pictures(game: AnyGame) -> Iterator[PicturedCard]:
    faces = {face.card: face for face in game.faces()}
    for card in game.pictured:
        yield PicturedCard(suit=None, rank="") if card is None else PicturedCard(suit=faces[card].suits[0], rank=faces[card].rank)


def _about(game: AnyGame) -> Text | None:
    found = game.messages.get(f"{game.id}.about")
    return _text(found) if found is not None else None


def _text(message: Message) -> Text:
    return Text(de=message.de, en=message.en)


def _name(game: AnyGame) -> Text:
    return Text(de=game.messages[game.id].de, en=game.messages[game.id].en)


def _sheet(game: AnyGame, base: str, described: Mapping[str, Any]) -> GameSheet:
    rules = f"{base}/api/v1/games/{game.id}/rules?lang="
    return GameSheet(
        id=game.id,
        name=_name(game),
        about=_about(game),
        rules_version=game.rules_version,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        pictured=tuple(_pictures(game)),
        **described,
        cards=tuple(_face(game, face) for face in game.faces()),
        options=msgspec.json.schema(game.options_type),
        commands=msgspec.json.schema(Union[game.command_types]),  # noqa: UP007 - the members are only known at run time
        events=msgspec.json.schema(Union[(*MATCH_EVENTS, *game.event_types)]),
        audiences=dict(map(_audience, (*MATCH_EVENTS, *game.event_types))),
        view=msgspec.json.schema(game.view_type),
        refusals=tuple(_codes(game)),
        messages={key: _message(message) for key, message in {**MATCH_MESSAGES, **MATCH_TEXTS, **game.messages}.items()},
        rules=RuleLinks(de=rules + "de", en=rules + "en"),
    )


def _face(game: AnyGame, face: Face) -> CardFace:
    name = game.messages[f"{game.id}.card.{face.card}"]
    return CardFace(card=face.card, name=Text(de=name.de, en=name.en), suits=face.suits, rank=face.rank, kinds=face.kinds)


def _audience(kind: type[Event]) -> tuple[str, EventAudience]:
    only, hidden, parts = known(kind)
    return str(kind.__struct_config__.tag), EventAudience(only=only, hidden=hidden, parts=parts)


def _codes(game: AnyGame) -> Iterator[RefusalCode]:
    """Yield the reasons of the match and of the game, scoped."""
    for scope, codes, messages in (("match", MatchRefusal, MATCH_MESSAGES), (game.id, game.refusals, game.messages)):
        for code in codes:
            message = messages[f"{scope}.refusal.{code.value}"]
            yield RefusalCode(code=f"{scope}.{code.value}", message=_message(message))


def _message(message: Message) -> MessageText:
    return MessageText(de=message.de, en=message.en, rule=message.rule or None)
