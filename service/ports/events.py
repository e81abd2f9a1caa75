"""The event store: one log for each match, and a log of pointers for each shard.

A match has one log of entries 1, 2, 3 ... whose number is its version. Entries are opaque bytes here; `matches/codec.py` says
what is in them. A match lives in one of 64 shards; every shard has a log of pointers (which match reached which
version), an agenda of deadlines, an agenda of bot work, and the rows of its projections.
"""

from __future__ import annotations

import asyncio
import binascii
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, NewType, Protocol

import msgspec

from ...domain.match import MatchId, Status


def chain_over(chain: bytes, entries: Iterable[bytes]) -> bytes:
    """Return the chain after *entries*, starting from *chain*."""
    for entry in entries:
        chain = hashlib.sha256(chain + entry).digest()
    return chain


Version = NewType("Version", int)


Shard = NewType("Shard", int)


SHARDS = 64


NO_EVENTS = Version(0)


GENESIS = bytes(32)


def shard_of(match_id: MatchId) -> Shard:
    """Return the shard of a match: CRC-16/XMODEM of its id modulo 64. Fixed for the life of a deployment."""
    return Shard(binascii.crc_hqx(match_id.encode(), 0) % SHARDS)


class Head(msgspec.Struct, frozen=True):
    """Where the log of a match ends: its version, the sha256 chain over all entries, and the match's status.

    The entries up to version `archived` are in the match's archive; it makes no difference to who reads them. `outside` is the
    name of the archive's blob in the blob store (see `blobs`); empty if the archive is in the event store.
    """

    version: Version
    chain: bytes
    status: Status
    archived: Version = NO_EVENTS
    outside: str = ""


class Log(msgspec.Struct, frozen=True):
    """A head and the entries after some version, in order, up to that head and never beyond it."""

    head: Head
    entries: tuple[bytes, ...]


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one accepted command writes, in one step.

    `deadline_ms`, `work_ms` (bot work) and `care_ms` are Unix times that replace the match's agenda entries; None clears them.
    `key` and `fingerprint` make it idempotent for the life of the match. The entries that open a branch are stored as their
    `reference` (see `references`) if there is one. `by_the_clock`: `time_ms` must be the time of the store's
    clock.
    """

    match: MatchId
    expected: Version
    chain: bytes
    next_chain: bytes
    entries: tuple[bytes, ...]
    key: str
    fingerprint: bytes
    status: Status
    time_ms: int
    deadline_ms: int | None
    work_ms: int | None
    care_ms: int | None = None
    reference: bytes | None = None
    by_the_clock: bool = False


class Written(msgspec.Struct, frozen=True):
    """The versions `first`..`last` that a batch has, from now on, or (`replayed`) since an earlier try with the same key.

    `position` is that of the batch's line in the log of its shard; empty for a replay.
    """

    first: Version
    last: Version
    replayed: bool
    position: str = ""


class Pointer(msgspec.Struct, frozen=True):
    """One line of a shard's log: this match has reached this version. `position` is opaque and orders one shard's lines."""

    shard: Shard
    position: str
    match: MatchId
    version: Version


def order_of(position: str) -> tuple[int, int]:
    """Return a comparable position of a shard's log: both stores number lines `<a>-<b>`."""
    first, _, second = position.partition("-")
    return int(first), int(second)


class Memory(NamedTuple):
    """How much memory a server uses, and the limit from which on it refuses writes (0: none), in bytes."""

    used: int
    limit: int


class EventStore(Protocol):
    """The logs of all matches. Every method may raise StoreUnavailable."""

    async def require_writable(self) -> None:
        """Raise StoreUnavailable, whose `refusal` says why, unless the store takes writes now. Nothing is written."""
        ...

    async def memory(self) -> Memory | None:
        """Return how much memory the store's server uses; None if it has none of its own, or does not tell."""
        ...

    async def head(self, match_id: MatchId) -> Head | None:
        """Return where the log of a match ends; None if there is no such match."""
        ...

    async def load(self, match_id: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Return the head and the entries after version *after*; None if there is no such match.

        One round trip; cost grows with the number of entries after *after*.
        """
        ...

    async def origin(self, match_id: MatchId) -> MatchId | None:
        """Return the match without which the entries of this one cannot be read; None if they are all its own."""
        ...

    async def append(self, batch: Batch) -> Written:
        """Write a batch as one atomic step, or return what an earlier try with the same key wrote.

        Raises EmptyAppend; KeyReused (same key, other fingerprint); ClockMoved; VersionConflict; HistoryForked (right version,
        wrong chain). After StoreUnavailable it is unknown whether it was written: try again with the same key.
        A replay is recognised before versions are compared.
        """
        ...

    async def find_written(self, match_id: MatchId, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under *key*, None if nothing was. Raises KeyReused."""
        ...

    async def ends(self) -> Mapping[Shard, str]:
        """Return the position of the newest line of every shard log ("0-0" for an empty one)."""
        ...

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return the lines after *positions* of those shards, waiting up to *block_ms* (0: not at all) for the first."""
        ...

    async def listen(self, heard: Callable[[Pointer], None]) -> asyncio.Future[None] | None:
        """Have *heard* called with each line as soon as it is written, from now on; None if the store cannot.

        It calls until the future ends: cancel it to stop. What comes after that, and what is written through this store itself,
        may never be heard of, so follow the logs besides.
        """
        ...

    async def oldest(self, shard: Shard) -> str | None:
        """Return the oldest position that a shard's trimmed log still has; None if it is empty."""
        ...

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        """Return the ids of all matches of a shard, oldest first."""
        ...
