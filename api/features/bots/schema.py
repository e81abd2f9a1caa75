"""Shapes of hints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from ...schema.common import union
from ...schema.fields import DecisionNumber, MatchRef, SeatNumber
from ...texts import Text

Share = Annotated[float, Meta(ge=0, le=1)]


class MoveAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """A move: its average outcome over the simulated worlds, from 0 (loss) to 1 (win), and how many of those there were.

    Clearly worse moves are dropped early, so they have fewer worlds.
    """

    command: Annotated[msgspec.Raw, union("GameCommand")]
    worth: Share
    worlds: Annotated[int, Meta(ge=0)]


class WhyBody(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for a move, as far as its seat can know: a message key of the game with arguments, and the resulting text."""

    key: str
    arguments: Mapping[str, str | int]
    text: Text


class HintBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a search finds for the caller's open decision, best move first. It knows no more than the caller's seat does.

    `why` says what speaks for the best move; null if nothing tells it from the next one.
    """

    match: MatchRef
    decision: DecisionNumber
    seat: SeatNumber
    moves: tuple[MoveAdvice, ...]
    why: WhyBody | None
