"""Shapes of coaching."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....domain.game import Command, GameView
from ...schema.common import union
from ...schema.fields import DecisionNumber, MatchRef, SeatNumber
from ...schema.play import Prompt
from ..bots.schema import MoveAdvice, Share, WhyBody


class CoachedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision with a choice: the estimated chance of winning with the move that was played, and with the best one."""

    version: Annotated[int, Meta(ge=1)]
    decision: DecisionNumber
    chance: Share
    best: Share


class HeldHand(msgspec.Struct, frozen=True, kw_only=True):
    """What another seat held in its hand, as in the view of that seat."""

    seat: SeatNumber
    hand: tuple[str | int, ...]


class CoachedPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A costly decision: what the seat saw, was asked and could answer, what it played and what that lost.

    `moves` are those that the search tried, from the seat's view alone, the best first; `why`: what
    speaks for the best. `held`: what all others held then.
    """

    version: Annotated[int, Meta(ge=1)]
    decision: DecisionNumber
    prompt: Prompt
    view: GameView
    legal: tuple[Command, ...]
    played: Annotated[msgspec.Raw, union("GameCommand")]
    loss: Share
    moves: tuple[MoveAdvice, ...]
    why: WhyBody | None
    held: tuple[HeldHand, ...]


class CoachingBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat of a finished match could have done better.

    `whole` is false while it is being made: then `line` has the decisions up to now, and `puzzles` is empty. `line` is in the
    order of play, `puzzles` have the costliest decision first.
    """

    match: MatchRef
    seat: SeatNumber
    whole: bool
    line: tuple[CoachedDecision, ...]
    puzzles: tuple[CoachedPuzzle, ...]
