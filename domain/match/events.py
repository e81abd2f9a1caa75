"""What happened to a match, around the table of any game. Events are stored permanently, so their tags carry a version."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias, TypeGuard, cast

from msgspec import UNSET, UnsetType

from ..game import DecisionId, Event, GameId, Placing, Seat
from ..secrecy import Public, Recipient, Secret, Withheld, closed
from .settings import MatchSettings, settings_of
from .terms import BotName, Clock, Dealing, MatchId, OptionValue, PlayerId, Spectators, Visibility


class MatchOpened(Event, frozen=True, kw_only=True, tag="match.opened.1"):
    """A match was opened; its commitment binds the secret that all later chance comes from."""

    game: Public[GameId]
    rules_version: Public[int]
    seats: Public[int]
    options: Public[dict[str, OptionValue]]
    host: Public[PlayerId]
    clock: Public[Clock]
    spectators: Public[Spectators]
    visibility: Public[Visibility]
    commitment: Public[str]
    secret: Secret[str]
    parent: Public[MatchId | None]
    at_ms: Public[int]
    dealing: Public[Dealing | UnsetType] = UNSET
    rated: Public[bool | UnsetType] = UNSET
    edition: Public[int | UnsetType] = UNSET

    @property
    def settings(self) -> MatchSettings:
        """The settings as one value, but for `HintsAllowed`, which is an event of its own."""
        return settings_of(self)


class HintsAllowed(Event, frozen=True, tag="match.hints-allowed.1"):
    """Players of this match may ask for hints. A field of the opening would have changed the bytes of older ones."""


class DrawsKeyed(Event, frozen=True, tag="match.draws-keyed.1"):
    """Chance is drawn by a later version than the first: a draw is named by what it is for, and how many were for it before.

    A field of the opening would be passed over by older releases, which would then draw by the first version. `bots` is the
    version by which the bots' chance comes from the secret as well; without it they draw from the system. `bot_code` is the
    digest of the code of the bots that were there then.
    """

    version: Public[int]
    bots: Public[int | UnsetType] = UNSET
    bot_code: Public[str | UnsetType] = UNSET


class Drawn(Event, frozen=True, tag="match.drawn.1"):
    """What chance has just decided, in order, for the facts that follow. No seat sees it while the match runs."""

    labels: Withheld[tuple[str, ...]]


class MatchBranched(Event, frozen=True, tag="match.branched.1"):
    """This match continues another one from a decision of it: what happened to the table before happened there."""

    match: Public[MatchId]
    decision: Public[DecisionId]
    version: Public[int]
    chain: Public[str]


class LessonBegun(Event, frozen=True, tag="match.lesson-begun.1"):
    """This match is a lesson: all that chance decides is what it is in every match of its game's lesson of this edition."""

    edition: Public[int]


class DealOfDay(Event, frozen=True, tag="match.deal-of-day.1"):
    """This match is the deal of a day: its cards are those of all matches of that game and day, which ends at `ends_ms`.

    Its end does not reveal the secret, which others still play with on that day. `commitment` is that of the day, which binds the
    secrets of all its deals; the first matches have none.
    """

    day: Public[str]
    ends_ms: Public[int]
    commitment: Public[str | UnsetType] = UNSET


class SeatTaken(Event, frozen=True, tag="match.seat-taken.1"):
    """A player sat down, with an optional nonce of its own for the dealing. A `guest` had no name then, and is not rated."""

    seat: Public[Seat]
    player: Public[PlayerId]
    nonce: Public[str]
    guest: Public[bool | UnsetType] = UNSET


class SeatReserved(Event, frozen=True, tag="match.seat-reserved.1"):
    """An empty seat is kept for a player, who has still to sit down: in a rematch, or at a table of a quick match."""

    seat: Public[Seat]
    player: Public[PlayerId]


class BotSeated(Event, frozen=True, tag="match.bot-seated.1"):
    """A bot was seated."""

    seat: Public[Seat]
    bot: Public[BotName]


class SeatLeft(Event, frozen=True, tag="match.seat-left.1"):
    """A seat became empty before the start, or is kept for no one any more."""

    seat: Public[Seat]


class SeatCleared(Event, frozen=True, tag="match.seat-cleared.1"):
    """The host removed the player of this seat before the start; that player cannot sit down in this match again."""

    seat: Public[Seat]


class HostPassed(Event, frozen=True, tag="match.host-passed.1"):
    """This player is the host now: the one before left, handed the table on, or was not the first to come, before the start."""

    player: Public[PlayerId]


class MatchStarted(Event, frozen=True, tag="match.started.1"):
    """All seats were filled and the match began."""


class DecisionOpened(Event, frozen=True, tag="match.decision-opened.1"):
    """These seats are asked; `deadline_ms` is when the default is played for those that have not answered."""

    decision: Public[DecisionId]
    seats: Public[tuple[Seat, ...]]
    prompt: Public[str]
    arguments: Public[dict[str, str | int]]
    deadline_ms: Public[int]


class CardsCommitted(Event, frozen=True, tag="match.cards-committed.1"):
    """Cards were handed out face down; `root` binds the `size` cards that those seats now hold. `deal` counts from 1."""

    deal: Public[int]
    size: Public[int]
    root: Public[str]


class TimedOut(Event, frozen=True, tag="match.timed-out.1"):
    """A seat did not answer in time; what follows is its default. Only that seat sees it."""

    seat: Recipient[Seat]
    decision: DecisionId


class HintTaken(Event, frozen=True, tag="match.hint-taken.1"):
    """A seat has asked for a hint for a decision. Only that seat sees it while the match runs."""

    seat: Recipient[Seat]
    decision: DecisionId


class StandInReason(Enum):
    """Why a bot plays a player's seat."""

    TIMEOUTS = "timeouts"
    LEFT = "left"


class StandInSeated(Event, frozen=True, tag="match.stand-in-seated.1"):
    """A bot plays this seat until its player comes back."""

    seat: Public[Seat]
    bot: Public[BotName]
    reason: Public[StandInReason]


class TableWaits(Event, frozen=True, tag="match.table-waits.1"):
    """No player is at the table any more: no bot answers until `until_ms`, and the open decision has a new deadline."""

    until_ms: Public[int]
    deadline_ms: Public[int]


class TableGoesOn(Event, frozen=True, tag="match.table-goes-on.1"):
    """A player is back while the table waited: the open decision is asked for its whole time again, until `deadline_ms`."""

    deadline_ms: Public[int]


class MissesForgotten(Event, frozen=True, tag="match.misses-forgotten.1"):
    """The player of this seat answered again after missed decisions. Only that seat sees it."""

    seat: Recipient[Seat]


class SeatHandedBack(Event, frozen=True, tag="match.seat-handed-back.1"):
    """The player of this seat came back."""

    seat: Public[Seat]


class ReturnNoted(Event, frozen=True, tag="match.return-noted.1"):
    """The player of this seat answered together with others: the seat is handed back when the decision closes.

    With `returns` false the player left again before that. Only that seat sees it.
    """

    seat: Recipient[Seat]
    returns: bool


class SeatPlayed(Event, frozen=True, tag="match.seat-played.1"):
    """The player of this seat has answered a decision for the first time. No seat sees it while the match runs."""

    seat: Withheld[Seat]


class AbortAgreed(Event, frozen=True, tag="match.abort-agreed.1"):
    """A seat wants to end without a result."""

    seat: Public[Seat]


class AbortWithdrawn(Event, frozen=True, tag="match.abort-withdrawn.1"):
    """A seat played on, which takes its agreement back."""

    seat: Public[Seat]


class SeatForfeited(Event, frozen=True, tag="match.seat-forfeited.1"):
    """The player of this seat ends a rated match alone, after having played: for its rating that is a loss."""

    seat: Public[Seat]


class ExpiryReason(Enum):
    """Why a match ended by itself: not used for a long time, a newer practice match took its place, or its day is over."""

    UNUSED = "unused"
    REPLACED = "replaced"
    DAY_OVER = "day-over"


class MatchExpired(Event, frozen=True, tag="match.expired.1"):
    """The match ends in its host's place, as it is not needed any more."""

    reason: Public[ExpiryReason]


class AbortReason(Enum):
    """Why a match ended without a result: its host ended it (or left, or did nothing), or all players who were present agreed."""

    HOST = "host"
    AGREEMENT = "agreement"


class MatchAborted(Event, frozen=True, tag="match.aborted.1"):
    """The match ended without a result; the secret is revealed."""

    reason: Public[AbortReason]
    secret: Public[str]


class MatchEnded(Event, frozen=True, tag="match.ended.1"):
    """The match ended with a result; the secret is revealed."""

    placings: Public[tuple[Placing, ...]]
    secret: Public[str]


class RematchAgreed(Event, frozen=True, tag="match.rematch-agreed.1"):
    """A seat wants to play again."""

    seat: Public[Seat]


class RematchOpened(Event, frozen=True, tag="match.rematch-opened.1"):
    """All players agreed, and the rematch is open: each of them has a seat reserved there, and still has to take it."""

    match: Public[MatchId]


class MatchVoided(Event, frozen=True, tag="match.voided.1"):
    """An operator voided the result; what was played stays as it is."""

    reason: Public[str]
    at_ms: Public[int]


class MatchAdjudicated(Event, frozen=True, tag="match.adjudicated.1"):
    """An operator gave the match this result; what was played stays as it is."""

    placings: Public[tuple[Placing, ...]]
    reason: Public[str]
    at_ms: Public[int]


MatchEvent: TypeAlias = (
    MatchOpened
    | HintsAllowed
    | DrawsKeyed
    | Drawn
    | MatchBranched
    | LessonBegun
    | DealOfDay
    | SeatTaken
    | SeatReserved
    | BotSeated
    | SeatLeft
    | SeatCleared
    | HostPassed
    | MatchStarted
    | DecisionOpened
    | CardsCommitted
    | TimedOut
    | HintTaken
    | StandInSeated
    | TableWaits
    | TableGoesOn
    | MissesForgotten
    | SeatHandedBack
    | ReturnNoted
    | SeatPlayed
    | AbortAgreed
    | AbortWithdrawn
    | SeatForfeited
    | MatchExpired
    | MatchAborted
    | MatchEnded
    | RematchAgreed
    | RematchOpened
    | MatchVoided
    | MatchAdjudicated
)
MATCH_EVENTS = cast("tuple[type[MatchEvent], ...]", closed(MatchEvent))  # closed returns the members of the union
_KINDS = frozenset[type[Event]](MATCH_EVENTS)


def is_match_event(event: Event) -> TypeGuard[MatchEvent]:
    """Return whether an event is one of the match around the table, and not one of its game."""
    return type(event) in _KINDS
