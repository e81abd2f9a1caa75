"""The shapes of matches: opening them, sitting down, and what is public about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ...domain.game import Placing
from ...domain.match import Clock, Spectators, Status, Visibility
from ...domain.match.terms import OptionValue
from ...domain.match.view import Correction
from ...service.ports.players import Avatar
from .branches import BranchFacts
from .common import Request, union
from .fields import (
    BotRef,
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
)

OptionInput: TypeAlias = bool | SmallNumber | ShortText | Annotated[list[SmallNumber | ShortText], Meta(max_length=64)] | None


class BotSeat(Request, frozen=True):
    """A bot that plays a seat from the start."""

    seat: SeatNumber
    bot: BotRef


class MatchRequest(Request, frozen=True):
    """A match to open. `seat`: the host's seat (null: none); `start`: start at once if all seats are filled.

    `rated`: the result counts for the ratings of named players; `hints`: players may ask for hints, and the result is not rated.
    A `nonce` protects the deal only if it is drawn after the commitment was received: open with `seat` null, then take a seat
    with it. In the opening it is refused unless `nonce_with_opening` is true.
    """

    game: GameName
    seats: SeatCount
    options: Annotated[dict[ShortText, OptionInput], Meta(max_length=64), union("GameOptions")] = {}  # noqa: RUF012 - copied for each
    clock: Clock = Clock()
    spectators: Spectators = Spectators.OFF
    visibility: Visibility = Visibility.LISTED
    seat: SeatNumber | None = 0
    bots: Annotated[list[BotSeat], Meta(max_length=100)] = []  # noqa: RUF012 - a struct copies it for each instance
    nonce: Nonce = ""
    nonce_with_opening: bool = False
    start: bool = False
    rated: bool = True
    hints: bool = False


class SeatRequest(Request, frozen=True):
    """The seat to take (null: the one reserved for you, or the first free one), and your nonce for the deal."""

    seat: SeatNumber | None = None
    nonce: Nonce = ""


class BotRequest(Request, frozen=True):
    """The bot that will play a seat."""

    bot: BotRef


class HostRequest(Request, frozen=True):
    """The player who will be the host."""

    player: PlayerRef


class ChairFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as the public sees it, with its player's display name. `program`: the player is declared to be a program.

    A `guest` has no name of its own: `name` is "Guest", which clients should translate. `reserved`: the player for whom an empty
    seat of a rematch is kept, and whom `name`, `guest`, `program` and `avatar` describe then; no one else can take it. `avatar`
    is missing at an empty seat, and where the service has no profiles.
    """

    seat: SeatNumber
    player: PlayerRef | None
    name: str | None
    guest: bool
    program: bool
    bot: BotRef | None
    agrees_to_abort: bool
    agrees_to_rematch: bool
    reserved: PlayerRef | None
    avatar: Avatar | UnsetType = UNSET


class MatchLinks(msgspec.Struct, frozen=True, kw_only=True):
    """URLs of everything else about a match."""

    match: str
    view: str
    commands: str
    feed: str
    stream: str
    proofs: str
    seats: str
    game: str


class MatchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A match as shown to anyone who may see it. `your_turn` is null if you do not play in it.

    `reserved_seat`: the seat of an open rematch that is reserved for you; null if there is none.

    `hints`: its players may ask for hints. `lesson`: it is its game's guided first match.
    `waits_until_ms`: all its players have left or are late, and until then no bot answers; null while one of them is there.
    `daily`: the day whose deal it is. Its cards are those of all who play that deal, so no nonce counts for them; before that day
    is over, its record and secret stay closed.
    """

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
    waits_until_ms: Moment | None
    placings: tuple[Placing, ...] | None
    correction: Correction | None
    rated: bool
    hints: bool
    branch: BranchFacts | None
    lesson: bool
    daily: str | None
    parent: MatchRef | None
    rematch: MatchRef | None
    your_turn: bool | None
    reserved_seat: SeatNumber | None
    bots: tuple[BotRef, ...]
    links: MatchLinks


class MatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """Matches, newest first. `cursor`: the `after` of the next page, null at the end."""

    items: tuple[MatchFacts, ...]
    cursor: PageCursor | None


class TurnList(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that wait for you, the one with the least time left first. `now_ms` is the time of the service."""

    items: tuple[MatchFacts, ...]
    now_ms: Moment
