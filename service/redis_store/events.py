"""The logs of all matches on a server."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache

from ...domain.match import MatchId
from ..errors import (
    ArchiveLost,
    ClockMoved,
    CorruptHistory,
    EmptyAppend,
    HistoryForked,
    KeyReused,
    StoreError,
    StoreUnavailable,
    VersionConflict,
)
from ..ports.agenda import AgendaKind
from ..ports.archives import Used
from ..ports.blobs import BlobStore
from ..ports.derived_keys import short_key
from ..ports.events import NO_EVENTS, Batch, Head, Log, Memory, Pointer, Shard, Version, Written, shard_of
from ..ports.references import entries_of, read
from ..ports.server_time import CLOCK_STEP_MS
from . import keys
from .client import items, number, text
from .link import Reply
from .packed import ArchivePlace, Packed
from .replies import ask_head, read_entries, read_head, read_used
from .script import Script
from .server_time import RedisServerTime
from .store_client import StoreClient

LOG_LINES = 10_000
LINES_AT_ONCE = 500
MOST_LATE_MS = 10_000
"""How long after its decision a batch may be written; longer than a responsive server delays it."""
NAMED = 2_000
"""For how many matches the names of their keys are remembered."""
TRIES = 3
"""A read that an archiver interfered with is repeated."""
_SHARDS = {keys.log(shard): shard for shard in keys.ALL_SHARDS}
_APPEND = Script("time", "append")
_WRITTEN = Script("written")
_WRITABLE = Script("writable")


class RedisEvents:
    """The logs, on a server. With *wait_ms* every append waits until one replica has it."""

    def __init__(
        self, client: StoreClient, wait_ms: int | None = None, log_lines: int = LOG_LINES, blobs: BlobStore | None = None
    ) -> None:
        self._client = client
        self._wait_ms = wait_ms
        self._log_lines = log_lines
        self._packed = Packed(client, blobs)
        self._origin = secrets.token_hex(8)
        self._listening = 0

    async def require_writable(self) -> None:
        """Raise StoreUnavailable unless the server takes writes now."""
        await self._client.run_everywhere(_WRITABLE)

    async def memory(self) -> Memory | None:
        """Return how much memory the server uses, in a cluster the fullest primary; None if it does not report it."""
        try:
            found = [_memory(text(each)) for each in await self._client.everywhere("INFO", "memory")]
        except StoreUnavailable as error:
            if error.refusal == "NOPERM":
                return None
            raise
        return max((each for each in found if each is not None), key=_share, default=None)

    async def head(self, match_id: MatchId) -> Head | None:
        return read_head(await self._client.call(*ask_head(match_id)))

    async def load(self, match_id: MatchId, after: Version = NO_EVENTS) -> Log | None:
        head: Head | None = None
        for _ in range(TRIES):
            head_reply, found = await self._client.together(
                (ask_head(match_id), ("XRANGE", keys.entries(match_id), f"0-{after + 1}", "+"))
            )
            if (head := read_head(head_reply)) is None:
                return None
            if (entries := await self._entries(match_id, head, after, items(found))) is not None:
                return Log(head, entries)
        raise incomplete(match_id, head)

    async def _entries(self, match_id: MatchId, head: Head, after: Version, found: list[Reply]) -> tuple[bytes, ...] | None:
        """Return the entries of a log up to its head: those of its archive, then those found. Later ones are ignored."""
        start = max(after, head.archived)
        rest = read_entries(found, start, max(0, head.version - start))
        if rest is None and not head.archived:
            return await self._branch(match_id, head, after, found)
        if after >= head.archived or rest is None:
            return rest
        packed = await self._packed.entries(match_id, ArchivePlace(head.archived, head.outside))
        return packed[after:] + rest if packed is not None else None

    async def _branch(self, match_id: MatchId, head: Head, after: Version, found: list[Reply]) -> tuple[bytes, ...] | None:
        """Return the entries of a branch: those of its reference, then those found; None if it has no reference (any more)."""
        blob = await self._client.call("GET", keys.reference(match_id))
        if not isinstance(blob, bytes):
            return None
        reference = read(blob)
        origin = await self.load(reference.origin)
        opening = entries_of(reference, origin.entries if origin is not None else ())
        rest = read_entries(found, reference.count, head.version - reference.count)
        return opening[after:] + rest if rest is not None else None

    async def origin(self, match_id: MatchId) -> MatchId | None:
        blob = await self._client.call("GET", keys.reference(match_id))
        return read(blob).origin if isinstance(blob, bytes) else None

    async def append(self, batch: Batch) -> Written:
        looked: Version | None = None
        for _ in range(TRIES):
            reply = items(
                await self._run(
                    _APPEND,
                    (
                        *_names(batch.match),
                        self._client.clock_of(shard_of(batch.match)),
                        keys.agenda(AgendaKind.OPENING, shard_of(batch.match)),
                    ),
                    (*self._facts(batch, looked), *_stored_entries(batch)),
                )
            )
            outcome = text(reply[0])
            if outcome == "appended":
                return Written(Version(number(reply[1])), Version(number(reply[2])), replayed=False, position=text(reply[3]))
            if outcome == "replayed":
                return Written(Version(number(reply[1])), Version(number(reply[2])), replayed=True)
            if outcome == "clock":
                await RedisServerTime(self._client).follow()
                await self._client.measure()
                raise ClockMoved(f"the time of a batch of {batch.match} is not the server's")
            if outcome != "archived":
                raise _refusal(outcome, reply, batch)
            looked, used = await self._find_used(batch.match, batch.key)
            if used is not None:
                return _replay(used, batch.fingerprint)
        raise HistoryForked(f"the archive of {batch.match} keeps changing")

    def _facts(self, batch: Batch, looked: Version | None) -> tuple[bytes | str | int, ...]:
        return (
            batch.expected,
            batch.chain,
            batch.next_chain,
            short_key(batch.key),
            batch.fingerprint,
            batch.match,
            batch.status.value,
            *("" if at_ms is None else at_ms for at_ms in (batch.deadline_ms, batch.work_ms, batch.care_ms)),
            self._log_lines,
            "" if self._wait_ms is None else "1",
            looked or "",
            batch.reference or "",
            batch.time_ms if batch.by_the_clock else "",
            CLOCK_STEP_MS,
            MOST_LATE_MS,
            self._client.channel,
            self._origin,
            self._listening,
        )

    async def _find_used(self, match_id: MatchId, key: str) -> tuple[Version | None, Used | None]:
        """Return up to which version a match is archived, and what its log or its archive has for a key."""
        digest = short_key(key)
        for _ in range(TRIES):
            names = (keys.written(match_id), keys.head(match_id))
            earlier, archived, outside = items(await self._run(_WRITTEN, names, (digest, "" if self._wait_ms is None else "1")))
            version = Version(int(text(archived))) if archived is not None else None
            if earlier is not None or version is None:
                return version, read_used(digest, earlier)
            place = ArchivePlace(version, "" if outside is None else text(outside))
            if (contents := await self._packed.contents(match_id, place)) is not None:
                return version, next((used for used in contents.used if used.digest == digest), None)
        raise ArchiveLost(f"the archive of {match_id} is not there, or does not reach up to where its head says")

    async def find_written(self, match_id: MatchId, key: str, fingerprint: bytes) -> Written | None:
        _, used = await self._find_used(match_id, key)
        return _replay(used, fingerprint) if used is not None else None

    async def ends(self) -> Mapping[Shard, str]:
        found = await self._client.together(("XREVRANGE", keys.log(shard), "+", "-", "COUNT", 1) for shard in keys.ALL_SHARDS)
        return {shard: _position(lines) or "0-0" for shard, lines in zip(keys.ALL_SHARDS, found, strict=True)}

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        if not positions:
            return ()
        logs = {keys.log(shard): shard for shard in positions}
        found = await self._client.read(dict(zip(logs, positions.values(), strict=True)), LINES_AT_ONCE, block_ms)
        return [pointer for log in found for pointer in _pointers(log, logs)]

    async def listen(self, heard: Callable[[Pointer], None]) -> asyncio.Future[None] | None:
        """Have *heard* called with each line that others write, as soon as it is written, from now on; None on a cluster."""

        def hear(message: bytes) -> None:
            log, position, match, version, origin = message.decode().split(" ")
            if origin != self._origin:
                heard(Pointer(_SHARDS[log], position, MatchId(match), Version(int(version))))

        listening = await self._client.listen(hear)
        if listening is not None:
            self._listening += 1
            listening.add_done_callback(self._listens_no_more)
        return listening

    def _listens_no_more(self, _: asyncio.Future[None]) -> None:
        self._listening -= 1

    async def oldest(self, shard: Shard) -> str | None:
        return _position(await self._client.call("XRANGE", keys.log(shard), "-", "+", "COUNT", 1))

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        return [MatchId(text(each)) for each in items(await self._client.call("LRANGE", keys.matches(shard), 0, -1))]

    def _run(self, script: Script, names: Sequence[str], arguments: Sequence[bytes | str | int]) -> Awaitable[Reply]:
        if self._wait_ms is None:
            return self._client.run(script, names, arguments)
        return self._client.run_and_wait(script, names, arguments, 1, self._wait_ms)


@lru_cache(NAMED)
def _names(match_id: MatchId) -> tuple[str, ...]:
    shard = shard_of(match_id)
    return (
        keys.entries(match_id),
        keys.head(match_id),
        keys.written(match_id),
        keys.log(shard),
        *(keys.agenda(kind, shard) for kind in (AgendaKind.DEADLINE, AgendaKind.WORK, AgendaKind.CARE)),
        keys.matches(shard),
        keys.reference(match_id),
    )


def incomplete(match_id: MatchId, head: Head | None) -> CorruptHistory:
    """Return the error for a match of which something is missing: a blob of the archives, if it has one outside."""
    if head is not None and head.outside:
        return ArchiveLost(f"the archive of {match_id} is not there, or does not reach up to where its head says")
    return CorruptHistory(f"the entries of {match_id} are not all there")


def _memory(info: str) -> Memory | None:
    values = {name: value for name, _, value in (line.partition(":") for line in info.splitlines())}
    return Memory(int(values["used_memory"]), int(values["maxmemory"])) if {"used_memory", "maxmemory"} <= values.keys() else None


def _share(memory: Memory) -> float:
    """Return how full a server is; one without a limit never is."""
    return memory.used / memory.limit if memory.limit else 0.0


def _stored_entries(batch: Batch) -> Sequence[bytes | int]:
    """Return the entries of a batch, or their number if a reference stands for them."""
    return batch.entries if batch.reference is None else (len(batch.entries),)


def _replay(used: Used, fingerprint: bytes) -> Written:
    """Return the answer to a key that was used."""
    if used.fingerprint != fingerprint:
        raise KeyReused
    return Written(used.first, used.last, replayed=True)


def _refusal(outcome: str, reply: list[Reply], batch: Batch) -> StoreError | KeyReused:
    match outcome:
        case "conflict":
            return VersionConflict(batch.expected, number(reply[1]))
        case "reused":
            return KeyReused()
        case "empty":
            return EmptyAppend("a batch without entries")
        case _:
            return HistoryForked(f"the history of {batch.match} is not the one that was read")


def _position(lines: Reply) -> str | None:
    found = items(lines)
    return text(items(found[0])[0]) if found else None


def _pointers(log: Reply, shards: Mapping[str, Shard]) -> list[Pointer]:
    name, lines = items(log)
    shard = shards[text(name)]
    return [_pointer(shard, line) for line in items(lines)]


def _pointer(shard: Shard, line: Reply) -> Pointer:
    position, fields = items(line)
    _, match, _, version = items(fields)
    return Pointer(shard, text(position), MatchId(text(match)), Version(int(text(version))))
