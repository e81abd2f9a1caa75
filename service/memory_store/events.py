"""The logs of all matches in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import msgspec

from ...domain.match import MatchId, Status
from ..errors import ArchiveLost, ArchiveUnavailable, EmptyAppend, HistoryForked, KeyReused, VersionConflict
from ..ports.archive_format import unpack
from ..ports.archives import Contents, Used
from ..ports.blobs import BlobStore, key_of
from ..ports.derived_keys import short_key
from ..ports.events import GENESIS, NO_EVENTS, SHARDS, Batch, Head, Log, Pointer, Shard, Version, Written, shard_of
from ..ports.references import Reference, entries_of, read
from .agenda import MemoryAgenda

LOG_LINES = 10_000
LINES_AT_ONCE = 500
ALL_SHARDS = tuple(Shard(number) for number in range(SHARDS))


class History:
    """One match: its archive or reference if it has one, the entries after that, its head, and the keys that were used."""

    def __init__(self, match_id: MatchId, histories: Mapping[MatchId, History], blobs: BlobStore | None) -> None:
        self.match = match_id
        self.histories = histories
        self.blobs = blobs
        self.outside = ""
        self.reference: Reference | None = None
        self.archive: bytes | None = None
        self.staged: bytes | None = None
        self.archived = NO_EVENTS
        self.rest: list[bytes] = []
        self.chain = GENESIS
        self.status = Status.OPEN
        self.used: dict[bytes, Used] = {}

    @property
    def version(self) -> Version:
        """The version of the newest entry."""
        return Version(self.before + len(self.rest))

    @property
    def before(self) -> int:
        """The number of entries in the archive or reference."""
        return self.reference.count if self.reference is not None else self.archived

    @property
    def head(self) -> Head:
        """Where the log ends."""
        return Head(self.version, self.chain, self.status, self.archived, self.outside)

    async def blob(self) -> bytes | None:
        """Return the archive, wherever it is."""
        if not self.outside:
            return self.archive
        if self.blobs is None:
            raise ArchiveUnavailable("the archive is in another store")
        return await self.blobs.get(key_of(self.match, self.outside))

    async def pack(self) -> Contents | None:
        """Return what the archive holds at the moment when this returns; raise CorruptHistory."""
        while True:
            archived, outside = self.archived, self.outside
            blob = await self.blob()
            if (archived, outside) == (self.archived, self.outside):
                break
        if blob is None and archived:
            raise ArchiveLost(f"the archive of {self.match} is not there")
        return unpack(self.match, blob) if blob is not None else None

    async def entries(self, after: int) -> tuple[bytes, ...]:
        """Return the entries after a version."""
        if after >= self.before:
            return tuple(self.rest[after - self.before :])
        opening = await self.opening()
        packed = await self.pack()
        earlier = packed.entries if packed is not None else opening
        return (*earlier, *self.rest)[after:]

    async def opening(self) -> tuple[bytes, ...]:
        """Return the entries that the reference stands for."""
        if self.reference is None:
            return ()
        reference = self.reference
        origin = self.histories.get(self.reference.origin)
        return entries_of(reference, await origin.entries(0) if origin is not None else ())

    async def contents(self) -> Contents:
        """Return everything stored of the match."""
        opening = await self.opening()
        packed = await self.pack()
        earlier, used = (packed.entries, packed.used) if packed is not None else (opening, ())
        return Contents(self.head, (*earlier, *self.rest), (*used, *self.used.values()))

    async def earlier(self, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under a key; raise KeyReused."""
        digest = short_key(key)
        packed = await self.pack() if digest not in self.used else None
        before = packed.used if packed is not None else ()
        found = self.used.get(digest) or next((used for used in before if used.digest == digest), None)
        if found is None:
            return None
        if found.fingerprint != fingerprint:
            raise KeyReused
        return Written(found.first, found.last, replayed=True)

    def extend(self, batch: Batch) -> Written:
        """Write a batch."""
        first = Version(self.version + 1)
        if batch.reference is None:
            self.rest.extend(batch.entries)
        else:
            self.reference = read(batch.reference)
        self.chain = batch.next_chain
        self.status = batch.status
        digest = short_key(batch.key)
        self.used[digest] = Used(digest, batch.fingerprint, first, self.version)
        return Written(first, self.version, replayed=False)


class _ShardLog:
    """The newest pointers of a shard. Line n has the position `0-<n>`, and `trimmed` lines are gone."""

    def __init__(self) -> None:
        self.lines: list[Pointer] = []
        self.trimmed = 0

    def add(self, shard: Shard, match_id: MatchId, version: Version, keep: int) -> Pointer:
        number = self.trimmed + len(self.lines) + 1
        line = Pointer(shard, f"0-{number}", match_id, version)
        self.lines.append(line)
        if len(self.lines) > keep:
            gone = len(self.lines) - keep
            del self.lines[:gone]
            self.trimmed += gone
        return line

    def after(self, position: str) -> list[Pointer]:
        start = max(0, int(position.partition("-")[2]) - self.trimmed)
        return self.lines[start : start + LINES_AT_ONCE]


class MemoryEvents:
    """The logs of all matches."""

    def __init__(self, agenda: MemoryAgenda, log_lines: int = LOG_LINES, blobs: BlobStore | None = None) -> None:
        self._agenda = agenda
        self._blobs = blobs
        self._log_lines = log_lines
        self.histories: dict[MatchId, History] = {}
        self._logs = {shard: _ShardLog() for shard in ALL_SHARDS}
        self._moved = asyncio.Event()
        self._listeners: dict[asyncio.Future[None], Callable[[Pointer], None]] = {}

    async def require_writable(self) -> None:
        """Do nothing: memory always takes writes."""

    async def memory(self) -> None:
        """Return nothing: there is no server."""

    async def head(self, match_id: MatchId) -> Head | None:
        history = self.histories.get(match_id)
        return history.head if history is not None else None

    async def load(self, match_id: MatchId, after: Version = NO_EVENTS) -> Log | None:
        history = self.histories.get(match_id)
        if history is None:
            return None
        entries = await history.entries(after)
        return Log(history.head, entries)

    async def origin(self, match_id: MatchId) -> MatchId | None:
        history = self.histories.get(match_id)
        return history.reference.origin if history is not None and history.reference is not None else None

    async def append(self, batch: Batch) -> Written:
        if not batch.entries:
            raise EmptyAppend("a batch without entries")
        history = self.histories.get(batch.match) or History(batch.match, self.histories, self._blobs)
        if (earlier := await history.earlier(batch.key, batch.fingerprint)) is not None:
            return earlier
        if batch.expected != history.version:
            raise VersionConflict(batch.expected, history.version)
        if batch.chain != history.chain:
            raise HistoryForked(f"the history of {batch.match} is not the one that was read")
        self.histories[batch.match] = history
        written = history.extend(batch)
        self._agenda.replace(batch)
        shard = shard_of(batch.match)
        line = self._logs[shard].add(shard, batch.match, written.last, self._log_lines)
        self._moved.set()
        self._moved = asyncio.Event()
        for heard in self._listeners.values():
            asyncio.get_running_loop().call_soon(heard, line)  # who writes knows it by then
        return msgspec.structs.replace(written, position=line.position)

    async def find_written(self, match_id: MatchId, key: str, fingerprint: bytes) -> Written | None:
        history = self.histories.get(match_id)
        return await history.earlier(key, fingerprint) if history is not None else None

    async def ends(self) -> Mapping[Shard, str]:
        return {shard: log.lines[-1].position if log.lines else "0-0" for shard, log in self._logs.items()}

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        if block_ms:
            with suppress(TimeoutError):
                async with asyncio.timeout(block_ms / 1000):
                    while not self._after(positions):
                        await self._moved.wait()
        return self._after(positions)

    async def listen(self, heard: Callable[[Pointer], None]) -> asyncio.Future[None]:
        """Have *heard* called with each line as soon as it is written, from now on, until the future is cancelled."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listeners[ended] = heard
        ended.add_done_callback(self._listeners.pop)
        return ended

    async def oldest(self, shard: Shard) -> str | None:
        lines = self._logs[shard].lines
        return lines[0].position if lines else None

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        return [match_id for match_id in self.histories if shard_of(match_id) == shard]

    def _after(self, positions: Mapping[Shard, str]) -> list[Pointer]:
        return [pointer for shard, position in positions.items() for pointer in self._logs[shard].after(position)]
