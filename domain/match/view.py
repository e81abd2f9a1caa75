"""What one viewer may know of a match: built by allow-list, from the match's public facts and the game's own view."""

from __future__ import annotations

from enum import Enum

import msgspec
from msgspec import UNSET

from ..game import Choice, Command, DecisionId, GameView, Placing, Seat
from .events import DecisionOpened, MatchAdjudicated, MatchVoided
from .state import Chair, Match
from .terms import BotName, MatchId, PlayerId, Status


class ChairView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as every viewer may know it: empty, a player (with a bot standing in, perhaps), or a bot.

    `reserved`: the player for whom an empty seat is kept; no one else can take it.
    """

    seat: Seat
    player: PlayerId | None
    bot: BotName | None
    agrees_to_abort: bool
    agrees_to_rematch: bool
    reserved: PlayerId | None = None

    @property
    def whose(self) -> PlayerId | None:
        """The player who sits here, or for whom the seat is reserved."""
        return self.player if self.reserved is None else self.reserved


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What the viewer's own seat is asked: every legal command, and why the others it could think of are refused.

    `answered` is its answer that stands and may still be changed: given again, it changes nothing.
    """

    decision: DecisionId
    legal: tuple[Command, ...]
    answered: Command | None
    refused: tuple[Choice, ...]


class CorrectionKind(Enum):
    """What an operator did to a finished match: voided its result, or gave it another one."""

    VOIDED = "voided"
    ADJUDICATED = "adjudicated"


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """The newest correction of a match by an operator."""

    kind: CorrectionKind
    reason: str
    at_ms: int


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one seat (None: a spectator) may know it.

    `waiting` is the open decision, as every viewer may know it; `question` is the part of it that the viewer has to answer.
    `table` is None before the start.
    """

    seat: Seat | None
    status: Status
    chairs: tuple[ChairView, ...]
    waiting: DecisionOpened | None
    question: Question | None
    table: GameView | None
    placings: tuple[Placing, ...] | None
    rematch: MatchId | None
    correction: Correction | None


def view(match: Match, seat: Seat | None) -> MatchView:
    """Return what *seat* (None: a spectator) may know of *match*."""
    return _show(match, seat, match.asked, _question(match, seat))


def between(match: Match, seat: Seat | None) -> MatchView:
    """Return what *seat* may know of *match* between two events of one command, when nothing is asked."""
    return _show(match, seat, None, None)


def _show(match: Match, seat: Seat | None, waiting: DecisionOpened | None, question: Question | None) -> MatchView:
    return MatchView(
        seat=seat,
        status=match.status,
        chairs=chair_views(match),
        waiting=waiting,
        question=question,
        table=match.game.view(match.table, seat) if match.started else None,
        placings=match.placings,
        rematch=match.rematch,
        correction=correction_of(match),
    )


def correction_of(match: Match) -> Correction | None:
    """Return what everyone may know of the newest correction."""
    match match.correction:
        case MatchVoided(reason, at_ms):
            return Correction(kind=CorrectionKind.VOIDED, reason=reason, at_ms=at_ms)
        case MatchAdjudicated(_, reason, at_ms):
            return Correction(kind=CorrectionKind.ADJUDICATED, reason=reason, at_ms=at_ms)
        case None:
            return None


def chair_views(match: Match) -> tuple[ChairView, ...]:
    """Return all seats as every viewer may know them."""
    return tuple(_chair(Seat(place), chair) for place, chair in enumerate(match.chairs))


def _chair(seat: Seat, chair: Chair) -> ChairView:
    return ChairView(
        seat=seat,
        player=chair.player,
        bot=chair.bot,
        agrees_to_abort=chair.agrees_to_abort,
        agrees_to_rematch=chair.agrees_to_rematch,
        reserved=None if chair.reserved is UNSET else chair.reserved,
    )


def _question(match: Match, seat: Seat | None) -> Question | None:
    if seat is None or match.asked is None:
        return None
    legal = match.game.legal(match.table, seat)
    if not legal:
        return None
    answered = match.game.answered(match.table, seat)
    menu = match.game.menu(match.table, seat)
    refused = [choice for choice in menu if choice.refusal is not None and choice.command != answered]
    return Question(decision=match.asked.decision, legal=tuple(legal), answered=answered, refused=tuple(refused))
