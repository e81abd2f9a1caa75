"""What quick matches need of a store: who waits at which table, for each wish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ....domain.game import GameId
from ....domain.match import BotName, Clock, PlayerId

DAY_SECONDS = 86_400
ABSENCE_MS = 3_600_000
"""For how long an absence is remembered."""


class QuickPace(Enum):
    """How long players have for a decision, from seconds to a day."""

    BLITZ = "blitz"
    QUICK = "quick"
    NORMAL = "normal"
    SLOW = "slow"
    DAYS = "days"


CLOCKS: Mapping[QuickPace, Clock] = {
    QuickPace.BLITZ: Clock(turn_seconds=10, reaction_seconds=5, away_seconds=60),
    QuickPace.QUICK: Clock(turn_seconds=45, reaction_seconds=20, away_seconds=120),
    QuickPace.NORMAL: Clock(turn_seconds=120, reaction_seconds=60),
    QuickPace.SLOW: Clock(turn_seconds=600, reaction_seconds=120),
    QuickPace.DAYS: Clock(turn_seconds=DAY_SECONDS, reaction_seconds=DAY_SECONDS, away_seconds=DAY_SECONDS),
}
"""The clock of a match by its pace. A pace that has been published keeps its meaning."""


class Wish(NamedTuple):
    """What those at one table have in common."""

    game: GameId
    seats: int
    pace: QuickPace


class Seeker(msgspec.Struct, frozen=True, array_like=True):
    """A player at a table: since when, until when it waits for others, and which bot may sit down then.

    `ticket` tells this waiting from every other one of the same player. `place` is a keyed hash of the address from which it
    asked, empty if that does not count.
    """

    player: PlayerId
    ticket: str
    since_ms: int
    ends_ms: int
    bot: BotName
    place: str = ""


class Absence(msgspec.Struct, frozen=True, array_like=True):
    """How often in a row a player has not come to a seat that was kept for it, and until when none is kept again."""

    times: int
    until_ms: int


class QuickTable(msgspec.Struct, frozen=True, array_like=True):
    """A table that has not begun: whose match `id` leads to, who opened it, and who has a place.

    With `filling` no one joins any more: bots take what is free.
    """

    id: str
    founder: PlayerId
    seekers: tuple[Seeker, ...]
    filling: bool = False

    @property
    def ends_ms(self) -> int:
        """When the patience of the first of them ends."""
        return min((each.ends_ms for each in self.seekers), default=0)

    def seeker(self, player: PlayerId) -> Seeker | None:
        """Return a player's place."""
        return next((each for each in self.seekers if each.player == player), None)


class Waiting(NamedTuple):
    """All tables of one wish, oldest first, and what they are stored as: what `put` compares with."""

    tables: tuple[QuickTable, ...]
    stored: bytes


class QuickStore(Protocol):
    """The tables of quick matches that have not begun. Every method may raise StoreUnavailable."""

    async def read(self, wish: Wish) -> Waiting:
        """Return the tables of a wish."""
        ...

    async def put(self, wish: Wish, before: Waiting, tables: Sequence[QuickTable]) -> bool:
        """Keep *tables* in place of those read *before*; False, and nothing kept, if others are there by now."""
        ...

    async def wishes(self) -> Mapping[Wish, Waiting]:
        """Return all wishes that have tables."""
        ...

    async def absence(self, player: PlayerId) -> Absence | None:
        """Return the absence of a player; None if it came the last time, or that was long ago."""
        ...

    async def put_absence(self, player: PlayerId, absence: Absence) -> None:
        """Keep an absence in place of the one before, for `ABSENCE_MS`."""
        ...

    async def drop_absence(self, player: PlayerId) -> None:
        """Forget the absence of a player; nothing happens if there is none."""
        ...


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(tuple[QuickTable, ...])


ABSENCE = msgspec.msgpack.Decoder(Absence)


def waiting(stored: bytes) -> Waiting:
    """Return the tables that are stored as these bytes; none as no bytes."""
    return Waiting(DECODER.decode(stored) if stored else (), stored)


def packed(tables: Sequence[QuickTable]) -> bytes:
    """Return what tables are stored as."""
    return ENCODER.encode(tuple(tables)) if tables else b""
