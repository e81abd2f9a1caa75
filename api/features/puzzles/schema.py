"""Shapes of the puzzles of the day."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ....domain.game import Command, GameView
from ...schema.common import Request, union
from ...schema.fields import DayRef, DecisionNumber, GameName, MatchRef, Moment, SeatCount, SeatNumber
from ...schema.play import Prompt
from ..bots.schema import MoveAdvice, Share, WhyBody
from ..daily.schema import Count


class PuzzleTally(msgspec.Struct, frozen=True, kw_only=True):
    """How many answered, and how many of them were right."""

    answered: Count
    right: Count


class PuzzleSolution(msgspec.Struct, frozen=True, kw_only=True):
    """Your answer, and what a search finds. `moves` are those that it tried from that seat's view, the best first.

    `played` is what was played in the match, `loss` what that lost, `why` what speaks for the best. `match` and `decision` say
    where the decision is from; anyone may look at that match, and take it up again from there.
    """

    command: Annotated[msgspec.Raw, union("GameCommand")]
    right: bool
    moves: tuple[MoveAdvice, ...]
    played: Annotated[msgspec.Raw, union("GameCommand")]
    loss: Share
    why: WhyBody | None
    match: MatchRef
    decision: DecisionNumber


class PuzzleSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of today: the view of a seat at a decision of a finished match, what it was asked and could answer.

    `bots`: the match was played by bots alone. `all`: how all did at this puzzle; `own`: how you did at all puzzles of the last
    31 days. `yours` is null until you have answered.
    """

    game: GameName
    day: DayRef
    ends_ms: Moment
    seats: SeatCount
    seat: SeatNumber
    bots: bool
    prompt: Prompt
    view: GameView
    legal: tuple[Command, ...]
    all: PuzzleTally
    own: PuzzleTally
    yours: PuzzleSolution | None


class PuzzleAnswer(Request, frozen=True):
    """Your answer to a game's puzzle of a day: one of its `legal` commands."""

    game: GameName
    day: DayRef
    command: Annotated[msgspec.Raw, union("GameCommand")]
