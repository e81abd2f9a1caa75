"""The shapes of quick matches."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....service.features.quick.port import QuickPace
from ...schema.common import Request
from ...schema.fields import BotRef, GameName, MatchRef, Moment, SeatCount, SeatNumber

Patience = Annotated[int, Meta(ge=5, le=3_600)]
SeekerCount = Annotated[int, Meta(ge=1, le=1_000_000)]


class QuickRequest(Request, frozen=True):
    """What you want to play, and for how long you wait for others. `seats`: for how many (null: three, if the game allows it).

    `pace`: `blitz` is 10 seconds for a turn and 5 for an answer to one, `quick` 45 and 20, `normal` 120 and 60, `slow` 600 and
    120, `days` a day for each. After `patience_seconds` bots take the free seats: of the level `bot` (null: a middling one) if
    yours is the first patience to end.
    """

    game: GameName
    pace: QuickPace
    patience_seconds: Patience
    seats: SeatCount | None = None
    bot: BotRef | None = None


class QuickPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Your place at a table. `seat` is kept for you until `kept_until_ms`, or yours (`seated`), and then there is no such time.

    `taken` counts the seats that someone sits on or that are kept. `fills_ms`: when bots take those that are free.
    """

    match: MatchRef
    game: GameName
    pace: QuickPace
    seats: SeatCount
    taken: Annotated[int, Meta(ge=0, le=100)]
    commitment: str
    seat: SeatNumber
    seated: bool
    kept_until_ms: Moment | None
    fills_ms: Moment


class QuickSeekers(msgspec.Struct, frozen=True, kw_only=True):
    """How many wait for the same."""

    game: GameName
    seats: SeatCount
    pace: QuickPace
    seekers: SeekerCount


class QuickList(msgspec.Struct, frozen=True, kw_only=True):
    """What players wait for now, and how many of them. No one is named."""

    items: tuple[QuickSeekers, ...]
