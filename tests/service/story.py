"""Batches for the tests of the stores."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import islice

import msgspec

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.ports.events import GENESIS, Batch, Shard, Version, shard_of
from tafelrunde.service.ports.rows import Row

MATCH = MatchId("m-1")
NOON_MS = 1_700_000_000_000


def chain_over(chain: bytes, entries: Sequence[bytes]) -> bytes:
    """Return the chain after some entries."""
    for entry in entries:
        chain = hashlib.sha256(chain + entry).digest()
    return chain


class Tale:
    """One match as a single honest writer knows it: makes the next batch, and takes note of what was written."""

    def __init__(self, match: MatchId = MATCH) -> None:
        self.match = match
        self.entries: list[bytes] = []

    @property
    def chain(self) -> bytes:
        return chain_over(GENESIS, self.entries)

    def batch(self, key: str, *entries: bytes, deadline_ms: int | None = None, work_ms: int | None = None) -> Batch:
        """Return the batch that a command with this key would write."""
        return Batch(
            match=self.match,
            expected=Version(len(self.entries)),
            chain=self.chain,
            next_chain=chain_over(self.chain, entries),
            entries=entries,
            key=key,
            fingerprint=hashlib.sha256(key.encode()).digest(),
            status=Status.RUNNING,
            time_ms=NOON_MS,
            deadline_ms=deadline_ms,
            work_ms=work_ms,
        )

    def note(self, batch: Batch) -> None:
        """Take note of a batch that was written."""
        self.entries.extend(batch.entries)


def another(batch: Batch, **changes: object) -> Batch:
    """Return a batch with some facts changed."""
    return msgspec.structs.replace(batch, **changes)


def matches_of(shard: Shard, count: int) -> list[MatchId]:
    """Return ids that fall into a shard."""
    found = (MatchId(f"m-{number}") for number in range(100_000))
    return list(islice((match for match in found if shard_of(match) == shard), count))


def another_row(row: Row, **changes: object) -> Row:
    """Return a row with some facts changed."""
    return msgspec.structs.replace(row, **changes)
