"""The shapes on the wire. Requests refuse unknown fields; answers are built field by field, never from stored events whole."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from ..domain.game import Command, Event, GameView, Level, Placing
from ..domain.match import Clock, Spectators, Status, Visibility
from ..domain.match.messages import OptionValue
from ..domain.match.view import ChairView, Correction
from .boards import RatingFacts
from .patterns import (
    END,
    BotRef,
    CursorText,
    DecisionNumber,
    GameName,
    MatchRef,
    Moment,
    Nonce,
    PageCursor,
    PlayerRef,
    SeatCount,
    SeatNumber,
    ShortText,
    SmallNumber,
    TokenRef,
)
from .practice import BranchFacts
from .texts import Text

OptionInput: TypeAlias = "bool | SmallNumber | ShortText | Annotated[list[SmallNumber | ShortText], Meta(max_length=64)] | None"
Arguments: TypeAlias = "Mapping[str, str | int]"


UNION = "x-union"


def union(name: str) -> Meta:
    """Return what makes the contract say the union of that name, whatever the type in Python is (see `components.py`)."""
    return Meta(extra_json_schema={UNION: name})


class Scope(Enum):
    """What a token allows: to look; to sit down and play; to open matches and to manage the player; to operate the service.

    `embed` is for other applications: to seat their users, who need no account of their own.
    """

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    ADMIN = "admin"
    EMBED = "embed"


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body that a client sends."""


class Nothing(Request, frozen=True):
    """No body, or no parameters."""


# Players and tokens


class PlayerRequest(Request, frozen=True):
    """Who wants to play: a name, or nothing for a guest. `bot`: a program plays, and everybody may know it."""

    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    bot: bool = False


class RenameRequest(Request, frozen=True):
    """A new display name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class TokenRequest(Request, frozen=True):
    """A further token, with scopes that the asking token has, and perhaps an end (never later than that of the asking one)."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[ -~]*$(?!\n)")] = "token"
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5)] = (Scope.READ, Scope.PLAY)
    expires_ms: Moment | None = None


class PlayerFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A player as everybody may know it."""

    id: PlayerRef
    name: str
    guest: bool
    bot: bool
    created_ms: Moment
    ratings: tuple[RatingFacts, ...]


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its text; `match` and `seat` are those of a seat token."""

    id: TokenRef
    label: str
    scopes: tuple[Scope, ...]
    created_ms: Moment
    expires_ms: Moment | None
    match: MatchRef | None
    seat: SeatNumber | None


class TokenIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A new token. `text` is what goes behind `Bearer`; it is shown this once."""

    token: TokenFacts
    text: str


class PlayerIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A new player with its first token. `text` is what goes behind `Bearer`; it is shown this once."""

    player: PlayerFacts
    token: TokenFacts
    text: str


class TokenList(msgspec.Struct, frozen=True, kw_only=True):
    """All tokens of a player, oldest first."""

    items: tuple[TokenFacts, ...]


# Matches


class BotSeat(Request, frozen=True):
    """Which bot plays a seat from the beginning."""

    seat: SeatNumber
    bot: BotRef


class MatchRequest(Request, frozen=True):
    """A match to open. `seat`: where the host sits (null: nowhere); `start`: begin at once, if all seats are filled then.

    `rated`: the result counts for ratings; `hints`: players may ask for hints, and the result does not count.
    """

    game: GameName
    seats: SeatCount
    options: Annotated[dict[ShortText, OptionInput], Meta(max_length=64), union("GameOptions")] = {}
    clock: Clock = Clock()
    spectators: Spectators = Spectators.OFF
    visibility: Visibility = Visibility.LISTED
    seat: SeatNumber | None = 0
    bots: Annotated[list[BotSeat], Meta(max_length=100)] = []
    nonce: Nonce = ""
    start: bool = False
    rated: bool = True
    hints: bool = False


class SeatRequest(Request, frozen=True):
    """Where to sit down (null: the first empty seat), and a nonce of one's own for the dealing."""

    seat: SeatNumber | None = None
    nonce: Nonce = ""


class UserRequest(Request, frozen=True):
    """A user of the asking application: an opaque name that is always the same, and perhaps a name to show.

    `seat`: where to sit (null: on the first empty seat), with a nonce for the dealing.
    """

    user: Annotated[str, Meta(min_length=1, max_length=128, pattern=r"^[ -~]*" + END)]
    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    seat: SeatNumber | None = None
    nonce: Nonce = ""


class SeatToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token for one seat of one match. `text` is what goes behind `Bearer`; it is shown this once."""

    player: PlayerRef
    match: MatchRef
    seat: SeatNumber
    token: TokenFacts
    text: str


class BotRequest(Request, frozen=True):
    """Which bot is to play a seat."""

    bot: BotRef


class CommandRequest(Request, frozen=True):
    """The answer to a decision."""

    decision: DecisionNumber
    command: Annotated[msgspec.Raw, union("GameCommand")]


class ChairFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as everybody may know it, with its player's display name."""

    seat: SeatNumber
    player: PlayerRef | None
    name: str | None
    bot: BotRef | None
    agrees_to_abort: bool
    agrees_to_rematch: bool


class MatchLinks(msgspec.Struct, frozen=True, kw_only=True):
    """Where all else about a match is."""

    match: str
    view: str
    commands: str
    feed: str
    stream: str
    proofs: str
    seats: str
    game: str


class MatchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A match as everybody whom it concerns may know it. `your_turn` is null for those who do not play in it."""

    match: MatchRef
    game: GameName
    rules_version: int
    status: Status
    host: PlayerRef
    host_name: str | None
    seats: SeatCount
    options: Annotated[Mapping[str, OptionValue], union("GameOptions")]
    clock: Clock
    spectators: Spectators
    visibility: Visibility
    commitment: str
    opened_ms: Moment
    updated_ms: Moment
    chairs: tuple[ChairFacts, ...]
    decision: DecisionNumber | None
    asked: tuple[SeatNumber, ...]
    deadline_ms: Moment | None
    placings: tuple[Placing, ...] | None
    correction: Correction | None
    rated: bool
    branch: BranchFacts | None
    parent: MatchRef | None
    rematch: MatchRef | None
    your_turn: bool | None
    bots: tuple[BotRef, ...]
    links: MatchLinks


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, newest first, and the cursor of the next page, if there may be one."""

    items: tuple[MatchFacts, ...]
    next: PageCursor | None


# Play


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the viewer may know to have happened: its cursor, its number in this viewer's feed, its time."""

    cursor: CursorText
    n: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    at_ms: Moment
    event: Event


class ReceiptBody(msgspec.Struct, frozen=True, kw_only=True):
    """What an accepted request changed, as the asker may know it, and the cursor of its feed after that."""

    match: MatchRef
    cursor: CursorText
    items: tuple[FeedEntry, ...]


class FeedBody(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a feed: `cursor` stands after its last item, `more` are there now, or the feed has `ended`."""

    items: tuple[FeedEntry, ...]
    cursor: CursorText
    more: bool
    ended: bool


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Who must do what and why: a message key with arguments, and the sentence for people."""

    key: str
    arguments: Arguments
    text: Text


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """The open decision as everybody may know it. Who of `seats` has answered already is not told."""

    decision: DecisionNumber
    seats: tuple[SeatNumber, ...]
    prompt: Prompt
    deadline_ms: Moment


class RefusedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that the viewer might think of, and why it may not give it now."""

    command: Command
    code: str
    arguments: Arguments
    message: Text
    rule: str | None


class QuestionBody(msgspec.Struct, frozen=True, kw_only=True):
    """What the viewer's own seat is asked. `legal` is complete: each of these commands may be sent as it is."""

    decision: DecisionNumber
    legal: tuple[Command, ...]
    refused: tuple[RefusedCommand, ...]


class ViewBody(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its viewer may know it, at one point of the viewer's feed. `table` is null before the start."""

    match: MatchRef
    game: GameName
    cursor: CursorText
    status: Status
    seat: SeatNumber | None
    chairs: tuple[ChairView, ...]
    waiting: Waiting | None
    question: QuestionBody | None
    table: GameView | None
    placings: tuple[Placing, ...] | None
    correction: Correction | None
    rematch: MatchRef | None


# Games


class GameFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the list of games."""

    id: GameName
    name: Text
    rules_version: int
    min_seats: SeatCount
    max_seats: SeatCount


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """All games of this service."""

    items: tuple[GameFacts, ...]


class MessageText(msgspec.Struct, frozen=True, kw_only=True):
    """A text with `{name}` for its arguments, and the rule that it comes from."""

    de: str
    en: str
    rule: str | None


class RefusalCode(msgspec.Struct, frozen=True, kw_only=True):
    """A reason for which a command can be refused."""

    code: str
    message: MessageText


class RuleLinks(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rule sheets are."""

    de: str
    en: str


Schema: TypeAlias = Annotated[dict[str, Any], Meta(description="A JSON Schema (draft 2020-12).")]


class CardFace(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a game: what commands, events and views call it, its name, and what is printed on it."""

    card: int | str
    name: Text
    suits: tuple[str, ...]
    rank: str
    kinds: tuple[str, ...]


class BotCharacter(msgspec.Struct, frozen=True, kw_only=True):
    """Who a bot is. `rating` is its measured strength among the bots of its game, 1000 for a beginner; null: not measured."""

    bot: BotRef
    level: Level
    name: Text
    style: Text
    rating: int | None


class GameSheet(msgspec.Struct, frozen=True, kw_only=True):
    """All that a client needs to know of a game. `messages` has the texts of the game and of the match around it, by key."""

    id: GameName
    name: Text
    rules_version: int
    min_seats: SeatCount
    max_seats: SeatCount
    bots: tuple[BotRef, ...]
    characters: tuple[BotCharacter, ...]
    cards: tuple[CardFace, ...]
    options: Schema
    commands: Schema
    events: Schema
    view: Schema
    refusals: tuple[RefusalCode, ...]
    messages: Mapping[str, MessageText]
    rules: RuleLinks


# Operations


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """How the service is."""

    status: str
