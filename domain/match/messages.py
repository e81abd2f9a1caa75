"""The words of a match: ids, settings, commands and events around the table of any game.

Commands are plain values that the service makes; events are stored for ever, so their tags carry a version.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, NewType, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from ..game import Command, DecisionId, Event, GameId, Pace, Placing, Seat

MatchId = NewType("MatchId", str)
PlayerId = NewType("PlayerId", str)
BotName = NewType("BotName", str)

OptionValue: TypeAlias = "bool | int | str | list[int | str] | None"


class Status(Enum):
    """Where a match is in its life."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    ABORTED = "aborted"

    @property
    def finished(self) -> bool:
        """Whether nothing is played any more."""
        return self in {Status.OVER, Status.ABORTED}


class Spectators(Enum):
    """Who may watch: nobody, everybody, or everybody with a delay of one minute."""

    OFF = "off"
    PUBLIC = "public"
    DELAYED = "delayed"


class Visibility(Enum):
    """Whether the lobby lists the match, or only its link leads there."""

    LISTED = "listed"
    UNLISTED = "unlisted"


Seconds = Annotated[int, msgspec.Meta(ge=1, le=604_800)]


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Time for a decision, in seconds, and after how many missed ones in a row a bot stands in (0: never)."""

    turn_seconds: Seconds = 120
    reaction_seconds: Seconds = 30
    stand_in_after: Annotated[int, msgspec.Meta(ge=0, le=100)] = 2

    def milliseconds(self, pace: Pace) -> int:
        """Return how long a decision of this pace stays open."""
        return 1000 * (self.turn_seconds if pace is Pace.TURN else self.reaction_seconds)


class Dealing(Enum):
    """How the cards of a match are committed to. Matches that do not say have a commitment to their secret only."""

    CARDS = "cards"


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a seat from the beginning: a player or a bot."""

    seat: Seat
    player: PlayerId | None = None
    bot: BotName | None = None
    nonce: str = ""


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """Where another match is taken up: before its decision number *decision*, with *history*, its game's events up to there.

    *version* counts the events of that match up to there, *chain* is the hash over them in hex.
    """

    match: MatchId
    decision: DecisionId
    version: int
    chain: str
    history: tuple[Mapping[str, object], ...]


# Commands


class OpenMatch(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="match.open-match"):
    """Open a match of a game, seat whoever is known, and start at once if asked to and full.

    With a `branch` it starts where another match was before one of its decisions.
    """

    game: GameId
    seats: int
    options: Mapping[str, OptionValue]
    host: PlayerId
    clock: Clock
    spectators: Spectators
    visibility: Visibility
    secret: str
    commitment: str
    seating: tuple[Seating, ...] = ()
    start: bool = False
    parent: MatchId | None = None
    dealing: Dealing | UnsetType = UNSET
    rated: bool | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    branch: Branch | UnsetType = UNSET


class TakeSeat(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="match.take-seat"):
    """Sit down on a seat, or on the first empty one; in a running match only the own seat, to take it back from a bot."""

    player: PlayerId
    seat: Seat | None = None
    nonce: str = ""


class LeaveSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.leave-seat"):
    """Stand up; in a running match a bot plays on."""

    player: PlayerId


class SeatBot(msgspec.Struct, frozen=True, tag_field="type", tag="match.seat-bot"):
    """Give an empty seat to a bot (host only)."""

    player: PlayerId
    seat: Seat
    bot: BotName


class ClearSeat(msgspec.Struct, frozen=True, tag_field="type", tag="match.clear-seat"):
    """Empty a seat before the start (host only)."""

    player: PlayerId
    seat: Seat


class StartMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.start-match"):
    """Start with all seats filled (host only)."""

    player: PlayerId


class Play(msgspec.Struct, frozen=True, tag_field="type", tag="match.play"):
    """Answer a decision as the player of a seat."""

    player: PlayerId
    decision: DecisionId
    command: Command


class BotPlay(msgspec.Struct, frozen=True, tag_field="type", tag="match.bot-play"):
    """Answer a decision for a seat that a bot plays."""

    seat: Seat
    decision: DecisionId
    command: Command


class TakeHint(msgspec.Struct, frozen=True, tag_field="type", tag="match.take-hint"):
    """Ask for a hint for the open decision. Nothing happens if the seat has had one for it."""

    player: PlayerId


class TimeOut(msgspec.Struct, frozen=True, tag_field="type", tag="match.time-out"):
    """The time for a decision is up: the default is played for every seat that has not answered."""

    decision: DecisionId


class Abort(msgspec.Struct, frozen=True, tag_field="type", tag="match.abort"):
    """End without a result: at once by the host before the start, by agreement of all players after it."""

    player: PlayerId


class AgreeRematch(msgspec.Struct, frozen=True, tag_field="type", tag="match.agree-rematch"):
    """Agree to play again with the same seats."""

    player: PlayerId


class OpenRematch(msgspec.Struct, frozen=True, tag_field="type", tag="match.open-rematch"):
    """Note that the agreed rematch has been opened. Nothing happens if it is not agreed, or already noted."""

    match: MatchId


class VoidMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.void-match"):
    """Take the result of a finished match back, for a reason (operators only)."""

    reason: str


class AdjudicateMatch(msgspec.Struct, frozen=True, tag_field="type", tag="match.adjudicate-match"):
    """Give a finished match another result, for a reason (operators only)."""

    placings: tuple[Placing, ...]
    reason: str


PlainCommand: TypeAlias = (
    OpenMatch
    | TakeSeat
    | LeaveSeat
    | SeatBot
    | ClearSeat
    | StartMatch
    | TakeHint
    | TimeOut
    | Abort
    | AgreeRematch
    | OpenRematch
    | VoidMatch
    | AdjudicateMatch
)
"""A command that has no game's command in it."""

MatchCommand: TypeAlias = PlainCommand | Play | BotPlay


# Events


class MatchEvent(Event, frozen=True, tag_field="type"):
    """What happened to the match around its table."""


class MatchOpened(MatchEvent, frozen=True, kw_only=True, tag="match.opened.1"):
    """A match was opened; its commitment binds the secret that all later chance comes from."""

    game: GameId
    rules_version: int
    seats: int
    options: dict[str, OptionValue]
    host: PlayerId
    clock: Clock
    spectators: Spectators
    visibility: Visibility
    commitment: str
    secret: str | None
    parent: MatchId | None
    at_ms: int
    dealing: Dealing | UnsetType = UNSET
    rated: bool | UnsetType = UNSET


class HintsAllowed(MatchEvent, frozen=True, tag="match.hints-allowed.1"):
    """Players of this match may ask for hints. As a field of the opening it would have changed the bytes of older ones."""


class MatchBranched(MatchEvent, frozen=True, tag="match.branched.1"):
    """This match takes up another one before a decision of it: whatever happened to the table until then happened there."""

    match: MatchId
    decision: DecisionId
    version: int
    chain: str


class SeatTaken(MatchEvent, frozen=True, tag="match.seat-taken.1"):
    """A player sat down, with an optional nonce of its own for the dealing."""

    seat: Seat
    player: PlayerId
    nonce: str


class BotSeated(MatchEvent, frozen=True, tag="match.bot-seated.1"):
    """A seat was given to a bot."""

    seat: Seat
    bot: BotName


class SeatLeft(MatchEvent, frozen=True, tag="match.seat-left.1"):
    """A seat became empty before the start."""

    seat: Seat


class MatchStarted(MatchEvent, frozen=True, tag="match.started.1"):
    """All seats were filled and the match began."""


class DecisionOpened(MatchEvent, frozen=True, tag="match.decision-opened.1"):
    """These seats are asked; `deadline_ms` is when the default is played for those that have not answered."""

    decision: DecisionId
    seats: tuple[Seat, ...]
    prompt: str
    arguments: dict[str, str | int]
    deadline_ms: int


class CardsCommitted(MatchEvent, frozen=True, tag="match.cards-committed.1"):
    """Cards were handed out face down; `root` binds the `size` cards that those seats now hold. `deal` counts from 1."""

    deal: int
    size: int
    root: str


class TimedOut(MatchEvent, frozen=True, tag="match.timed-out.1"):
    """A seat did not answer in time; what follows is its default. Only that seat is told."""

    seat: Seat
    decision: DecisionId


class HintTaken(MatchEvent, frozen=True, tag="match.hint-taken.1"):
    """A seat has asked for a hint for a decision. Only that seat is told while the match runs."""

    seat: Seat
    decision: DecisionId


class StandInReason(Enum):
    """Why a bot plays a player's seat."""

    TIMEOUTS = "timeouts"
    LEFT = "left"


class StandInSeated(MatchEvent, frozen=True, tag="match.stand-in-seated.1"):
    """A bot plays this seat until its player comes back."""

    seat: Seat
    bot: BotName
    reason: StandInReason


class MissesForgotten(MatchEvent, frozen=True, tag="match.misses-forgotten.1"):
    """The player of this seat answered again after missed decisions. Only that seat is told."""

    seat: Seat


class SeatHandedBack(MatchEvent, frozen=True, tag="match.seat-handed-back.1"):
    """The player of this seat came back."""

    seat: Seat


class AbortAgreed(MatchEvent, frozen=True, tag="match.abort-agreed.1"):
    """A seat wants to end without a result."""

    seat: Seat


class AbortWithdrawn(MatchEvent, frozen=True, tag="match.abort-withdrawn.1"):
    """A seat played on, which takes its agreement back."""

    seat: Seat


class AbortReason(Enum):
    """Why a match ended without a result."""

    HOST = "host"
    AGREEMENT = "agreement"


class MatchAborted(MatchEvent, frozen=True, tag="match.aborted.1"):
    """The match ended without a result; the secret is revealed."""

    reason: AbortReason
    secret: str


class MatchEnded(MatchEvent, frozen=True, tag="match.ended.1"):
    """The match ended with a result; the secret is revealed."""

    placings: tuple[Placing, ...]
    secret: str


class RematchAgreed(MatchEvent, frozen=True, tag="match.rematch-agreed.1"):
    """A seat wants to play again."""

    seat: Seat


class RematchOpened(MatchEvent, frozen=True, tag="match.rematch-opened.1"):
    """All players agreed, and the rematch is open."""

    match: MatchId


class MatchVoided(MatchEvent, frozen=True, tag="match.voided.1"):
    """An operator took the result back; whatever was played stays as it is."""

    reason: str
    at_ms: int


class MatchAdjudicated(MatchEvent, frozen=True, tag="match.adjudicated.1"):
    """An operator gave the match this result; whatever was played stays as it is."""

    placings: tuple[Placing, ...]
    reason: str
    at_ms: int


MATCH_EVENTS: tuple[type[MatchEvent], ...] = (
    MatchOpened,
    HintsAllowed,
    MatchBranched,
    SeatTaken,
    BotSeated,
    SeatLeft,
    MatchStarted,
    DecisionOpened,
    CardsCommitted,
    TimedOut,
    HintTaken,
    StandInSeated,
    MissesForgotten,
    SeatHandedBack,
    AbortAgreed,
    AbortWithdrawn,
    MatchAborted,
    MatchEnded,
    RematchAgreed,
    RematchOpened,
    MatchVoided,
    MatchAdjudicated,
)
