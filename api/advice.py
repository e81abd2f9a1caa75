"""The shapes of hints and reviews on the wire."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from .patterns import DecisionNumber, MatchRef, SeatNumber
from .schema.bodies import union

Share = Annotated[float, Meta(ge=0, le=1)]


class MoveAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """A move: what it brought on average in the worlds that were tried, from 0 (lost) to 1 (won), and in how many.

    Moves that are clearly worse are given up early, so their number of worlds is smaller.
    """

    command: Annotated[msgspec.Raw, union("GameCommand")]
    worth: Share
    worlds: Annotated[int, Meta(ge=0)]


class HintBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a search makes of the asker's open decision, the best move first. It knows no more than the asker's seat."""

    match: MatchRef
    decision: DecisionNumber
    seat: SeatNumber
    moves: tuple[MoveAdvice, ...]


class ReviewedDecision(msgspec.Struct, frozen=True, kw_only=True):
    """An answer of a finished match at its version, and what a search makes of that decision from the seat's own view.

    `loss` is how much less the played move brings than the best, null if the search did not try it.
    """

    version: Annotated[int, Meta(ge=1)]
    decision: DecisionNumber
    seat: SeatNumber
    played: Annotated[msgspec.Raw, union("GameCommand")]
    loss: Share | None
    moves: tuple[MoveAdvice, ...]


class ReviewPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of reviewed decisions, those without a choice left out; `next` is the next `after`, null at the end."""

    match: MatchRef
    items: tuple[ReviewedDecision, ...]
    next: Annotated[int, Meta(ge=1)] | None
