"""What vacations need of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from ....domain.match import PlayerId

DAY_MS = 86_400_000
YEAR_MS = 365 * DAY_MS


class Stretch(msgspec.Struct, frozen=True, array_like=True):
    """A vacation: since when, and until when it lasts or lasted (Unix milliseconds)."""

    since_ms: int
    until_ms: int


class Kept(NamedTuple):
    """The vacations of a player, oldest first, and what they are stored as: what `put` compares with."""

    stretches: tuple[Stretch, ...]
    stored: bytes


class VacationStore(Protocol):
    """The vacations of players, each kept until a year after the last of them. Every method may raise StoreUnavailable."""

    async def read(self, player: PlayerId) -> Kept:
        """Return a player's vacations."""
        ...

    async def put(self, player: PlayerId, before: Kept, stretches: Sequence[Stretch], keep_ms: int) -> bool:
        """Keep vacations in place of those read *before*, for that long; False, and nothing kept, if others are there by now."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete a player's vacations."""
        ...


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(tuple[Stretch, ...])


def kept(stored: bytes) -> Kept:
    """Return the vacations that are stored as these bytes; none as no bytes."""
    return Kept(DECODER.decode(stored) if stored else (), stored)
