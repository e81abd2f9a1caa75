"""The shapes of matches: opening them, sitting down, and what everybody may know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ...domain.game import Placing
from ...domain.match import Clock, Spectators, Status, Visibility
from ...domain.match.terms import OptionValue
from ...domain.match.view import Correction
from ..patterns import (
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
from ..practice import BranchFacts
from .bodies import Request, union

OptionInput: TypeAlias = "bool | SmallNumber | ShortText | Annotated[list[SmallNumber | ShortText], Meta(max_length=64)] | None"


class BotSeat(Request, frozen=True):
    """Which bot plays a seat from the beginning."""

    seat: SeatNumber
    bot: BotRef


class MatchRequest(Request, frozen=True):
    """A match to open. `seat`: where the host sits (null: nowhere); `start`: begin at once, if all seats are filled then.

    `rated`: the result counts for the ratings of players who have a name; `hints`: players may ask for hints, and the result
    does not count.
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
    start: bool = False
    rated: bool = True
    hints: bool = False


class SeatRequest(Request, frozen=True):
    """Where to sit down (null: the first empty seat), and your own nonce for the dealing."""

    seat: SeatNumber | None = None
    nonce: Nonce = ""


class BotRequest(Request, frozen=True):
    """Which bot will play a seat."""

    bot: BotRef


class ChairFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as everybody may know it, with its player's display name. `program`: the player says that a program plays.

    A `guest` has no name of its own: `name` is "Guest", and a client calls it what its reader would.
    """

    seat: SeatNumber
    player: PlayerRef | None
    name: str | None
    guest: bool
    program: bool
    bot: BotRef | None
    agrees_to_abort: bool
    agrees_to_rematch: bool


class MatchLinks(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything else about a match is."""

    match: str
    view: str
    commands: str
    feed: str
    stream: str
    proofs: str
    seats: str
    game: str


class MatchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A match as everybody who may see it knows it. `your_turn` is null for those who do not play in it.

    `hints`: its players may ask for hints.
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
    placings: tuple[Placing, ...] | None
    correction: Correction | None
    rated: bool
    hints: bool
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
