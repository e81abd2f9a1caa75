"""The store of inboxes: for each player who listens, what happened in its matches, in one sequence of notices.

An inbox begins when its player first listens, and stays for a while after it last did. Notices are numbered 1, 2, 3 ... and
chained, so that a place in an inbox that is gone, or was lost with the newest moments of the store, is recognised.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from ....domain.match import PlayerId

SEED_BYTES = 16
DIGITS = 8


class InboxLimits(msgspec.Struct, frozen=True):
    """How many notices are kept of one inbox, and of all together; the oldest make room, in all those of the longest inbox."""

    each: int = 2_000
    in_all: int = 200_000


class Spot(NamedTuple):
    """A place in an inbox: after notice *n*, where the chain has these digits."""

    n: int
    chain: str


class Line(NamedTuple):
    """A line of a shard's log, or a part of it, as an order: a line that an inbox has had is not added again."""

    shard: int
    place: str


OF_NO_LOG = Line(0, "")
"""The line of what no log has: it is added whenever it comes."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What one line of a shard's log has for one player: bodies, each one item, which become visible together at `due_ms`."""

    player: PlayerId
    line: Line
    bodies: tuple[bytes, ...]
    due_ms: int


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """What an inbox has after a place: the bodies with the place after each, and where the inbox ends."""

    items: tuple[tuple[Spot, bytes], ...]
    end: Spot


class InboxStore(Protocol):
    """Inboxes. Every method may raise StoreUnavailable."""

    async def read(self, player: PlayerId, after: Spot | None, limit: int, now_ms: int, until_ms: int) -> Notices | None:
        """Return the next notices after a place (None: only where the inbox ends), and keep the inbox until then.

        None if the inbox does not have that place (any more). An inbox that is not there begins now.
        """
        ...

    async def listeners(self, now_ms: int) -> Mapping[PlayerId, int]:
        """Return who has an inbox, and since when (Unix milliseconds). Inboxes that are no longer kept are removed."""
        ...

    async def add(self, notices: Sequence[Notice], now_ms: int, room: InboxLimits) -> None:
        """Add notices, those of one shard in the order of their lines; what an inbox has had of a line is left out.

        One that is due later waits. If more wait than there is room for, all inboxes begin again.
        """
        ...

    async def release(self, now_ms: int, room: InboxLimits) -> None:
        """Move notices that have come due into their inboxes."""
        ...

    async def ends(self, players: Sequence[PlayerId]) -> Sequence[int]:
        """Return how many notices each of those inboxes has had; 0 if there is none."""
        ...

    async def clear(self) -> None:
        """Remove all inboxes: lines were lost, so none is complete."""
        ...

    async def remove(self, player: PlayerId) -> None:
        """Remove an inbox, with what waits for it; nothing happens if there is none."""
        ...

    async def positions(self) -> Mapping[int, str]:
        """Return the line of each shard's log up to which the outbox has read it."""
        ...

    async def advance(self, positions: Mapping[int, str]) -> None:
        """Note new positions."""
        ...


def extend_chain(chain: str, body: bytes) -> str:
    """Return the chain after a notice. It detects loss, not forgery: both sides are the service itself."""
    return hashlib.sha1(chain.encode() + body, usedforsecurity=False).hexdigest()
