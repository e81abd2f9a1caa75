"""The logs of all matches in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...domain.match import MatchId, Status
from ..errors import EmptyAppend, HistoryForked, KeyReused, VersionConflict
from ..store import (
    GENESIS,
    NO_EVENTS,
    SHARDS,
    Batch,
    Head,
    Log,
    Pointer,
    Shard,
    Version,
    Written,
    shard_of,
)
from .agenda import MemoryAgenda

LOG_LINES = 10_000
LINES_AT_ONCE = 500
ALL_SHARDS = tuple(Shard(number) for number in range(SHARDS))


class _History:
    """One match: its entries, its head, and what was written under which key."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.chain = GENESIS
        self.status = Status.OPEN
        self.written: dict[str, tuple[bytes, Version, Version]] = {}

    @property
    def version(self) -> Version:
        return Version(len(self.entries))

    @property
    def head(self) -> Head:
        return Head(self.version, self.chain, self.status)

    def earlier(self, key: str, fingerprint: bytes) -> Written | None:
        if key not in self.written:
            return None
        found, first, last = self.written[key]
        if found != fingerprint:
            raise KeyReused
        return Written(first, last, replayed=True)

    def extend(self, batch: Batch) -> Written:
        first = Version(self.version + 1)
        self.entries.extend(batch.entries)
        self.chain, self.status = batch.next_chain, batch.status
        self.written[batch.key] = (batch.fingerprint, first, self.version)
        return Written(first, self.version, replayed=False)


class _ShardLog:
    """The newest pointers of a shard. Line n has the position `0-<n>`, and `trimmed` lines are gone."""

    def __init__(self) -> None:
        self.lines: list[Pointer] = []
        self.trimmed = 0

    def add(self, shard: Shard, match: MatchId, version: Version, keep: int) -> None:
        number = self.trimmed + len(self.lines) + 1
        self.lines.append(Pointer(shard, f"0-{number}", match, version))
        if len(self.lines) > keep:
            gone = len(self.lines) - keep
            del self.lines[:gone]
            self.trimmed += gone

    def after(self, position: str) -> list[Pointer]:
        start = max(0, int(position.partition("-")[2]) - self.trimmed)
        return self.lines[start : start + LINES_AT_ONCE]


class MemoryEvents:
    """The logs of all matches."""

    def __init__(self, agenda: MemoryAgenda, log_lines: int = LOG_LINES) -> None:
        self._agenda = agenda
        self._log_lines = log_lines
        self._histories: dict[MatchId, _History] = {}
        self._logs = {shard: _ShardLog() for shard in ALL_SHARDS}
        self._news = asyncio.Event()

    async def head(self, match: MatchId) -> Head | None:
        """Return where the log of a match ends; None if there is no such match."""
        history = self._histories.get(match)
        return history.head if history is not None else None

    async def load(self, match: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Return the head and the entries after version *after*; None if there is no such match."""
        history = self._histories.get(match)
        return Log(history.head, tuple(history.entries[after:])) if history is not None else None

    async def append(self, batch: Batch) -> Written:
        """Write a batch as one atomic step, or return what an earlier try with the same key wrote."""
        if not batch.entries:
            raise EmptyAppend("a batch without entries")
        history = self._histories.get(batch.match) or _History()
        if (earlier := history.earlier(batch.key, batch.fingerprint)) is not None:
            return earlier
        if batch.expected != history.version:
            raise VersionConflict(batch.expected, history.version)
        if batch.chain != history.chain:
            raise HistoryForked(f"the history of {batch.match} is not the one that was read")
        self._histories[batch.match] = history
        written = history.extend(batch)
        self._agenda.replace(batch)
        shard = shard_of(batch.match)
        self._logs[shard].add(shard, batch.match, written.last, self._log_lines)
        self._news.set()
        self._news = asyncio.Event()
        return written

    async def written(self, match: MatchId, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under *key*, None if nothing was."""
        history = self._histories.get(match)
        return history.earlier(key, fingerprint) if history is not None else None

    async def ends(self) -> Mapping[Shard, str]:
        """Return the position of the newest line of every shard log."""
        return {shard: log.lines[-1].position if log.lines else "0-0" for shard, log in self._logs.items()}

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return the lines after *positions* of those shards, waiting up to *block_ms* (0: not at all) for the first."""
        if block_ms:
            with suppress(TimeoutError):
                async with asyncio.timeout(block_ms / 1000):
                    while not self._after(positions):
                        await self._news.wait()
        return self._after(positions)

    async def oldest(self, shard: Shard) -> str | None:
        """Return the oldest position that a shard's trimmed log still has; None if it is empty."""
        lines = self._logs[shard].lines
        return lines[0].position if lines else None

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        """Return the ids of all matches of a shard, oldest first."""
        return [match for match in self._histories if shard_of(match) == shard]

    def _after(self, positions: Mapping[Shard, str]) -> list[Pointer]:
        return [pointer for shard, position in positions.items() for pointer in self._logs[shard].after(position)]
