"""The shapes of games: their sheets with cards, bots, texts and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from ...domain.game import Level
from ..texts import Text
from .fields import BotRef, GameName, SeatCount


class PicturedCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card in the small picture of a game: its first suit and its rank. Null: it lies face down."""

    suit: str | None
    rank: str


class GameFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games. `about`: what it is, in one sentence, or null; `lesson`: it has a guided first match.

    `pictured`: three of its cards that a small picture of it shows, or none.
    """

    id: GameName
    name: Text
    about: Text | None
    lesson: bool
    rules_version: int
    min_seats: SeatCount
    max_seats: SeatCount
    pictured: tuple[PicturedCard, ...]


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """All games of this service. `features`: the names of its parts that another deployment may lack, such as `puzzles`."""

    items: tuple[GameFacts, ...]
    features: tuple[str, ...]


class MessageText(msgspec.Struct, frozen=True, kw_only=True):
    """A text template with `{name}` for arguments, and the rule behind it."""

    de: str
    en: str
    rule: str | None


class RefusalCode(msgspec.Struct, frozen=True, kw_only=True):
    """A reason why a command can be refused."""

    code: str
    message: MessageText


class RuleLinks(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of the rule sheets."""

    de: str
    en: str


Schema: TypeAlias = Annotated[dict[str, Any], Meta(description="A JSON Schema (draft 2020-12).")]


class CardFace(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a game: its id in commands, events and views, its name, and what is printed on it."""

    card: int | str
    name: Text
    suits: tuple[str, ...]
    rank: str
    kinds: tuple[str, ...]


class BotCharacter(msgspec.Struct, frozen=True, kw_only=True):
    """A bot. `rating` is its measured strength among the bots of its game, on a scale around 1000; null: not measured."""

    bot: BotRef
    level: Level
    name: Text
    style: Text
    rating: int | None


class BotMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot won, from 0 to 1, on one seat of a table full of `against`, in matches of that number of deals.

    Equal bots would win one in as many as there are seats; in teams, where its partners are `against` too, one in two. Not
    `current`: one of the two plays differently now.
    """

    against: BotRef
    share: Annotated[float, Meta(ge=0, le=1)]
    deals: Annotated[int, Meta(ge=1)]
    current: bool


class BotOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that is offered at a table, and its strength at that very table; null: nothing was measured there."""

    bot: BotRef
    measured: BotMeasured | None


class BotTable(msgspec.Struct, frozen=True, kw_only=True):
    """Which bots are offered with that number of seats, in teams or not, the weakest level first.

    A level that wins hardly more than the one below at that table is not offered; it may still be asked for by name.
    """

    seats: SeatCount
    teams: bool
    offers: tuple[BotOffer, ...]


class EventAudience(msgspec.Struct, frozen=True, kw_only=True):
    """Who may know what of an event while its match runs; everyone knows what is not named here.

    `only` (null: no limit): the seats in these fields alone learn of the event, and of an empty list no one. `hidden`:
    fields, and for each the fields with the seats that know it. `parts`: fields with one part for each seat, which knows
    its own. Null stands in the place of what a viewer may not know.
    """

    only: tuple[str, ...] | None
    hidden: Mapping[str, tuple[str, ...]]
    parts: tuple[str, ...]


class GameSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a client needs to know about a game. `messages` has the texts of the game and of the match, by key.

    `audiences` says for the tag of each event, of the game and of the match, who may know what of it.
    """

    id: GameName
    name: Text
    about: Text | None
    lesson: bool
    rules_version: int
    min_seats: SeatCount
    max_seats: SeatCount
    pictured: tuple[PicturedCard, ...]
    bots: tuple[BotRef, ...]
    characters: tuple[BotCharacter, ...]
    tables: tuple[BotTable, ...]
    cards: tuple[CardFace, ...]
    options: Schema
    commands: Schema
    events: Schema
    audiences: Mapping[str, EventAudience]
    view: Schema
    refusals: tuple[RefusalCode, ...]
    messages: Mapping[str, MessageText]
    rules: RuleLinks
