"""What the service answers. Fields that a newer service adds are passed over; what belongs to a game is plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

Plain: TypeAlias = Any
"""What JSON can say; its schema is the game's, not the client's."""
Command: TypeAlias = dict[str, Plain]
"""One command, with its `type`."""


class Text(msgspec.Struct, frozen=True):
    """A text in both languages."""

    de: str
    en: str


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """One seat: empty, a player, or a bot."""

    seat: int
    player: str | None = None
    name: str | None = None
    bot: str | None = None


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a seat ended: `rank` from 1, shared ranks are equal."""

    seat: int
    rank: int
    score: int | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Who must do what and why."""

    key: str
    arguments: Mapping[str, str | int]
    text: Text


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The open decision as everybody may know it; the deadline is in milliseconds since 1970."""

    decision: int
    seats: tuple[int, ...]
    prompt: Prompt
    deadline_ms: int


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A command that cannot be given now, and why."""

    command: Command
    code: str
    arguments: Mapping[str, str | int]
    message: Text
    rule: str | None = None


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What the own seat is asked; each of `legal` may be given as it is."""

    decision: int
    legal: tuple[Command, ...]
    refused: tuple[Refused, ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the asker may know it. `table` is the game's own view, None before the start."""

    match: str
    game: str
    cursor: str
    status: str
    seat: int | None
    chairs: tuple[Chair, ...]
    waiting: Waiting | None
    question: Question | None
    table: dict[str, Plain] | None
    placings: tuple[Placing, ...] | None
    rematch: str | None


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a match. Times are in milliseconds since 1970."""

    match: str
    game: str
    rules_version: int
    status: str
    host: str
    seats: int
    options: dict[str, Plain]
    chairs: tuple[Chair, ...]
    decision: int | None
    asked: tuple[int, ...]
    deadline_ms: int | None
    placings: tuple[Placing, ...] | None
    parent: str | None
    rematch: str | None
    your_turn: bool | None
    commitment: str
    opened_ms: int
    updated_ms: int


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, newest first, and the cursor of the next page."""

    items: tuple[Match, ...]
    next: str | None


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the asker may know to have happened. `event` is plain data with its `type`."""

    cursor: str
    n: int
    at_ms: int
    event: dict[str, Plain]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What an accepted request changed, and the cursor of the own feed after it."""

    match: str
    cursor: str
    items: tuple[Item, ...]


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed: `more` are there now, or it has `ended`."""

    items: tuple[Item, ...]
    cursor: str
    more: bool
    ended: bool


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games."""

    id: str
    name: Text
    rules_version: int
    min_seats: int
    max_seats: int


class GameList(msgspec.Struct, frozen=True):
    """All games of the service."""

    items: tuple[Game, ...]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player as everybody may know it."""

    id: str
    name: str
    guest: bool


class SignedUp(msgspec.Struct, frozen=True, kw_only=True):
    """A new player, and the text of its token."""

    player: Player
    text: str
