"""Messages: facts that are public to the players of a match, and just enough for a receiver to know where to look.

They are made from the spectators' feed, field by field. No message has a card, a choice, a prompt, a secret, a name of a
person, or a number that counts hidden events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....domain.game import DecisionId, Event, GameId, Placing, Seat
from ....domain.match import MatchId
from ....domain.match.events import (
    AbortReason,
    BotSeated,
    DecisionOpened,
    MatchAborted,
    MatchAdjudicated,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    MatchVoided,
    RematchOpened,
    SeatCleared,
    SeatHandedBack,
    SeatLeft,
    SeatReserved,
    SeatTaken,
    StandInSeated,
)
from ....domain.match.view import CorrectionKind
from ...views.feeds import FeedItem

Time: TypeAlias = Annotated[str, Meta(description="When it happened (RFC 3339, UTC).")]


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """How many messages of a webhook were dropped unsent since it was created, and when the first and last ones were."""

    count: int
    first_ms: int
    last_ms: int


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """One message: its type, when it happened, and its data.

    `dropped` is present if earlier messages were dropped unsent and no message that said so has been received.
    """

    timestamp: Time
    dropped: Dropped | UnsetType = UNSET


class MatchData(msgspec.Struct, frozen=True, kw_only=True):
    """Which match of which game."""

    match: MatchId
    game: GameId


class SeatData(msgspec.Struct, frozen=True, kw_only=True):
    """Which seat of which match."""

    match: MatchId
    game: GameId
    seat: Seat


class DecisionData(msgspec.Struct, frozen=True, kw_only=True):
    """The open decision, the seats publicly known to be asked, and when the default is played for them."""

    match: MatchId
    game: GameId
    decision: DecisionId
    seats: tuple[Seat, ...]
    deadline_ms: int


class EndData(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended."""

    match: MatchId
    game: GameId
    placings: tuple[Placing, ...]


class AbortData(msgspec.Struct, frozen=True, kw_only=True):
    """Why a match ended without a result."""

    match: MatchId
    game: GameId
    reason: AbortReason


class CorrectionData(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator did to a finished match; `placings` are those that now count, if any."""

    match: MatchId
    game: GameId
    kind: CorrectionKind
    placings: tuple[Placing, ...] | None


class RematchData(msgspec.Struct, frozen=True, kw_only=True):
    """The rematch: its players have their seats reserved there, and still have to take them."""

    match: MatchId
    game: GameId
    rematch: MatchId


class Created(Message, frozen=True, kw_only=True, tag="match.created"):
    """A match was opened."""

    data: MatchData


class SeatChanged(Message, frozen=True, kw_only=True, tag="match.seat-changed"):
    """A seat changed: a player took it, left it, was replaced by a bot, or came back."""

    data: SeatData


class Started(Message, frozen=True, kw_only=True, tag="match.started"):
    """A match began."""

    data: MatchData


class Asked(Message, frozen=True, kw_only=True, tag="match.decision-opened"):
    """Seats have to decide. The view of a seat shows what it is asked."""

    data: DecisionData


class Ended(Message, frozen=True, kw_only=True, tag="match.ended"):
    """A match ended with a result."""

    data: EndData


class Aborted(Message, frozen=True, kw_only=True, tag="match.aborted"):
    """A match ended without a result."""

    data: AbortData


class Corrected(Message, frozen=True, kw_only=True, tag="match.corrected"):
    """An operator voided or changed the result of a finished match."""

    data: CorrectionData


class RematchMade(Message, frozen=True, kw_only=True, tag="match.rematch-opened"):
    """All players agreed to a rematch, and it is open."""

    data: RematchData


MESSAGES: tuple[type[Message], ...] = (Created, SeatChanged, Started, Asked, Ended, Aborted, Corrected, RematchMade)
AnyMessage: TypeAlias = Union[Created, SeatChanged, Started, Asked, Ended, Aborted, Corrected, RematchMade]  # noqa: UP007 - an alias that msgspec reads


class KeyedMessage(msgspec.Struct, frozen=True):
    """A message about a match, and its unique key there: the number of the event in the spectators' feed."""

    n: int
    at_ms: int
    message: AnyMessage


def moment(at_ms: int) -> str:
    """Return a time as text."""
    return datetime.fromtimestamp(at_ms / 1_000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def tag_of(kind: type[Message]) -> str:
    """Return the message type of a class."""
    return str(kind.__struct_config__.tag)


def messages_about(match_id: MatchId, game: GameId, items: Iterable[FeedItem]) -> Iterator[KeyedMessage]:
    """Yield the messages about items of the spectators' feed of a match."""
    for item in items:
        message = _message(match_id, game, item.event, item.at_ms)
        if message is not None:
            yield KeyedMessage(item.n, item.at_ms, message)


def _message(match_id: MatchId, game: GameId, event: Event, at_ms: int) -> AnyMessage | None:
    """Return the message about an event; None if there is none: that is so for all events of games."""
    at = moment(at_ms)
    match event:
        case MatchOpened():
            return Created(timestamp=at, data=MatchData(match=match_id, game=game))
        case (
            (SeatReserved(seat) | SeatTaken(seat) | BotSeated(seat))
            | (SeatLeft(seat) | SeatCleared(seat))
            | (StandInSeated(seat) | SeatHandedBack(seat))
        ):
            return SeatChanged(timestamp=at, data=SeatData(match=match_id, game=game, seat=seat))
        case MatchStarted():
            return Started(timestamp=at, data=MatchData(match=match_id, game=game))
        case DecisionOpened(decision, seats, _, _, deadline_ms):
            data = DecisionData(match=match_id, game=game, decision=decision, seats=seats, deadline_ms=deadline_ms)
            return Asked(timestamp=at, data=data)
        case MatchEnded(placings):
            return Ended(timestamp=at, data=EndData(match=match_id, game=game, placings=placings))
        case MatchAborted(reason):
            return Aborted(timestamp=at, data=AbortData(match=match_id, game=game, reason=reason))
        case RematchOpened(rematch):
            return RematchMade(timestamp=at, data=RematchData(match=match_id, game=game, rematch=rematch))
        case MatchVoided() | MatchAdjudicated():
            return _corrected_message(match_id, game, at, event)
        case _:
            return None


def _corrected_message(match_id: MatchId, game: GameId, at: str, event: MatchVoided | MatchAdjudicated) -> AnyMessage:
    voided = isinstance(event, MatchVoided)
    kind = CorrectionKind.VOIDED if voided else CorrectionKind.ADJUDICATED
    data = CorrectionData(match=match_id, game=game, kind=kind, placings=None if voided else event.placings)
    return Corrected(timestamp=at, data=data)


TYPES = tuple(map(tag_of, MESSAGES))
"""The types of all messages about matches."""
