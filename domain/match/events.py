"""What happened to a match, around the table of any game. Events are stored for ever, so their tags carry a version."""

from __future__ import annotations

from enum import Enum

from msgspec import UNSET, UnsetType

from ..game import DecisionId, Event, GameId, Placing, Seat
from .terms import BotName, Clock, Dealing, MatchId, OptionValue, PlayerId, Spectators, Visibility


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
    edition: int | UnsetType = UNSET


class HintsAllowed(MatchEvent, frozen=True, tag="match.hints-allowed.1"):
    """Players of this match may ask for hints. As a field of the opening it would have changed the bytes of older ones."""


class MatchBranched(MatchEvent, frozen=True, tag="match.branched.1"):
    """This match takes up another one before a decision of it: whatever happened to the table until then happened there."""

    match: MatchId
    decision: DecisionId
    version: int
    chain: str


class SeatTaken(MatchEvent, frozen=True, tag="match.seat-taken.1"):
    """A player sat down, with an optional nonce of its own for the dealing. A `guest` had no name then, and is not rated."""

    seat: Seat
    player: PlayerId
    nonce: str
    guest: bool | UnsetType = UNSET


class BotSeated(MatchEvent, frozen=True, tag="match.bot-seated.1"):
    """A seat was given to a bot."""

    seat: Seat
    bot: BotName


class SeatLeft(MatchEvent, frozen=True, tag="match.seat-left.1"):
    """A seat became empty before the start."""

    seat: Seat


class SeatCleared(MatchEvent, frozen=True, tag="match.seat-cleared.1"):
    """The host removed the player of this seat before the start; that player cannot sit down in this match again."""

    seat: Seat


class HostPassed(MatchEvent, frozen=True, tag="match.host-passed.1"):
    """The host left before the start, and this player is the host now."""

    player: PlayerId


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


class ReturnNoted(MatchEvent, frozen=True, tag="match.return-noted.1"):
    """The player of this seat answered together with others: the seat is handed back when the decision closes.

    With `returns` false the player left again before that. Only that seat sees it.
    """

    seat: Seat
    returns: bool


class SeatPlayed(MatchEvent, frozen=True, tag="match.seat-played.1"):
    """The player of this seat has answered a decision for the first time. Nobody sees it while the match runs."""

    seat: Seat


class AbortAgreed(MatchEvent, frozen=True, tag="match.abort-agreed.1"):
    """A seat wants to end without a result."""

    seat: Seat


class AbortWithdrawn(MatchEvent, frozen=True, tag="match.abort-withdrawn.1"):
    """A seat played on, which takes its agreement back."""

    seat: Seat


class SeatForfeited(MatchEvent, frozen=True, tag="match.seat-forfeited.1"):
    """The player of this seat ends a rated match alone, after having played: for its rating that is a loss."""

    seat: Seat


class ExpiryReason(Enum):
    """Why a match that nobody needs any more ended: not used for a long time, or a newer practice match took its place."""

    UNUSED = "unused"
    REPLACED = "replaced"


class MatchExpired(MatchEvent, frozen=True, tag="match.expired.1"):
    """The match ends in its host's stead, as nobody needs it any more."""

    reason: ExpiryReason


class AbortReason(Enum):
    """Why a match ended without a result: its host ended it (or left, or let it be), or all players who were present agreed."""

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
    SeatCleared,
    HostPassed,
    MatchStarted,
    DecisionOpened,
    CardsCommitted,
    TimedOut,
    HintTaken,
    StandInSeated,
    MissesForgotten,
    SeatHandedBack,
    ReturnNoted,
    SeatPlayed,
    AbortAgreed,
    AbortWithdrawn,
    SeatForfeited,
    MatchExpired,
    MatchAborted,
    MatchEnded,
    RematchAgreed,
    RematchOpened,
    MatchVoided,
    MatchAdjudicated,
)
