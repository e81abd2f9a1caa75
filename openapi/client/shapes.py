"""Shapes of the service's answers. Fields added by a newer service are ignored; game data is plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from .sheet_shapes import EventAudience, PicturedCard

Plain: TypeAlias = Any
"""Any JSON value; its schema is the game's, not the client's."""
Command: TypeAlias = dict[str, Plain]
"""One command, with its `type`."""


class Text(msgspec.Struct, frozen=True):
    """A text in both languages."""

    de: str
    en: str


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """One seat: empty, a player, or a bot; with both, the bot stands in for the player. Views omit the name.

    `guest`: the player has no name; `program`: the player declares that a program plays. Views omit both. `reserved`: the player
    for whom an empty seat of a rematch is kept; name, guest and program are then that player's.
    """

    seat: int
    player: str | None = None
    name: str | None = None
    guest: bool = False
    program: bool = False
    bot: str | None = None
    agrees_to_abort: bool = False
    agrees_to_rematch: bool = False
    reserved: str | None = None


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """Time for a decision, and after how many missed ones in a row a bot stands in (0: never).

    `away_seconds`: for how long the table waits once no player is at it any more; None in matches whose table does not wait.
    """

    turn_seconds: int
    reaction_seconds: int
    stand_in_after: int
    away_seconds: int | None = None


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's correction of a finished match: `kind` is `voided` or `adjudicated`."""

    kind: str
    reason: str
    at_ms: int


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The match that a practice match branches from, and before which decision."""

    match: str
    decision: int


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """The final rank of a seat, from 1; shared ranks are equal."""

    seat: int
    rank: int
    score: int | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Who must do what and why."""

    key: str
    arguments: Mapping[str, str | int]
    text: Text


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The public part of the open decision; the deadline is in milliseconds since 1970."""

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
    """What your seat is asked; each of `legal` may be sent as it is.

    `answered` is your current answer, which you may still change; otherwise wait for the next item of the feed.
    """

    decision: int
    legal: tuple[Command, ...]
    answered: Command | None = None
    refused: tuple[Refused, ...] = ()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the caller may see it. `table` is the game's own view, None before the start."""

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
    correction: Correction | None = None
    rematch: str | None


class ViewPage(msgspec.Struct, frozen=True, kw_only=True):
    """Views at successive items of the caller's feed; `cursor`: that of the last; `more`: more can be had now."""

    match: str
    views: tuple[View, ...]
    cursor: str
    more: bool


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of a match. Times are in milliseconds since 1970.

    `waits_until_ms`: all its players have left or are late, and until then no bot answers. `reserved_seat`: the seat that is
    reserved for you.
    """

    match: str
    game: str
    rules_version: int
    status: str
    host: str
    host_name: str | None = None
    seats: int
    options: dict[str, Plain]
    clock: Clock
    spectators: str
    visibility: str
    rated: bool
    hints: bool = False
    bots: tuple[str, ...] = ()
    chairs: tuple[Chair, ...]
    decision: int | None
    asked: tuple[int, ...]
    deadline_ms: int | None
    waits_until_ms: int | None = None
    placings: tuple[Placing, ...] | None
    correction: Correction | None = None
    branch: Branch | None = None
    lesson: bool = False
    daily: str | None = None
    parent: str | None
    rematch: str | None
    your_turn: bool | None
    reserved_seat: int | None = None
    commitment: str
    opened_ms: int
    updated_ms: int


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, newest first, and the cursor of the next page."""

    items: tuple[Match, ...]
    next: str | None


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One event as the caller may see it. `event` is plain data with its `type`."""

    cursor: str
    n: int
    at_ms: int
    event: dict[str, Plain]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an accepted request, and the cursor of your feed after it.

    `signed` is the deployment's signed note of the chain over your feed up to there; that of an answer to a decision only for a
    client with `keep`.
    """

    match: str
    cursor: str
    items: tuple[Item, ...]
    signed: str | None = None


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed: `more` are there now, or it has `ended`. `signed` is as in a receipt."""

    items: tuple[Item, ...]
    cursor: str
    more: bool
    ended: bool
    signed: str


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games. `about`: what it is, in one sentence; `lesson`: it has a guided first match.

    `pictured`: three of its cards that a small picture of it shows, or none.
    """

    id: str
    name: Text
    about: Text | None = None
    lesson: bool = False
    rules_version: int
    min_seats: int
    max_seats: int
    pictured: tuple[PicturedCard, ...] = ()


class GameList(msgspec.Struct, frozen=True):
    """All games of the service."""

    items: tuple[Game, ...]


class RuleText(Text, frozen=True, kw_only=True):
    """A text with `{name}` for its arguments, and the rule that it comes from."""

    rule: str | None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a game: what commands, events and views call it, its name, and what is printed on it."""

    card: int | str
    name: Text
    suits: tuple[str, ...]
    rank: str
    kinds: tuple[str, ...]


class RefusalCode(msgspec.Struct, frozen=True, kw_only=True):
    """A reason for which a game can refuse a command."""

    code: str
    message: RuleText


class Character(msgspec.Struct, frozen=True, kw_only=True):
    """A bot. `rating` is its measured strength among the bots of its game; None: not measured."""

    bot: str
    level: str
    name: Text
    style: Text
    rating: int | None


class GameSheet(Game, frozen=True, kw_only=True):
    """All that a client needs to know of a game. Options, commands, events and view are JSON Schemas; texts go by key.

    `audiences`: who may know what of each event, by its tag.
    """

    bots: tuple[str, ...]
    characters: tuple[Character, ...] = ()
    cards: tuple[Card, ...]
    options: dict[str, Plain]
    commands: dict[str, Plain]
    events: dict[str, Plain]
    audiences: dict[str, EventAudience] = {}
    view: dict[str, Plain]
    refusals: tuple[RefusalCode, ...]
    messages: dict[str, RuleText]
    rules: Text


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How good an entrant is believed to be: strength `mu`, give or take `sigma`.

    `rating` is the number for people, `provisional` until 10 matches.
    """

    place: int
    rating: int
    provisional: bool = False
    mu: float
    sigma: float
    matches: int
    wins: int


class Rating(Score, frozen=True, kw_only=True):
    """A player's score in one game."""

    game: str


class BoardRow(Score, frozen=True, kw_only=True):
    """One line of a leaderboard: a player, or a bot. `program`: the player says that a program plays."""

    player: str | None
    bot: str | None
    name: str | None
    guest: bool = False
    program: bool = False


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a game's leaderboard, best first, and the cursor of the next page."""

    game: str
    items: tuple[BoardRow, ...]
    next: str | None


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """The public profile of a player."""

    id: str
    name: str
    guest: bool
    bot: bool = False
    created_ms: int
    ratings: tuple[Rating, ...] = ()


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator has stated about a program; `text` is what the keys have signed."""

    text: str
    key: str
    previous: str | None
    version: str
    source: str | None
    signed_ms: int
    signature: str
    endorsement: str | None


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """The statements about a program: the first of each key in order, then the newest of all."""

    player: str
    statements: tuple[Statement, ...]
    revoked_ms: int | None


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text; `match` and `seat` are those of a seat token."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    expires_ms: int | None
    match: str | None = None
    seat: int | None = None


class TokenList(msgspec.Struct, frozen=True):
    """All tokens of a player, oldest first."""

    items: tuple[Token, ...]


class IssuedToken(msgspec.Struct, frozen=True, kw_only=True):
    """A new token with its text, which is returned only once."""

    token: Token
    text: str


class SignedUp(IssuedToken, frozen=True, kw_only=True):
    """A new player, and its token."""

    player: Player


class SeatToken(IssuedToken, frozen=True, kw_only=True):
    """A token for one seat of one match."""

    player: str
    match: str
    seat: int
