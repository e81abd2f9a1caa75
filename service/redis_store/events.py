"""The logs of all matches on a server."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from ...domain.match import MatchId, Status
from ..errors import CorruptHistory, EmptyAppend, HistoryForked, KeyReused, StoreError, VersionConflict
from ..store import NO_EVENTS, AgendaKind, Batch, Head, Log, Pointer, Shard, Version, Written, shard_of
from . import keys
from .wire import Reply, Script, Wire, items, number, text

LOG_LINES = 10_000
LINES_AT_ONCE = 500
_KEY_BYTES = 16
_APPEND = Script("append")
_WRITTEN = Script("written")
_HEAD_FIELDS = ("version", "chain", "status")


class RedisEvents:
    """The logs, on a server. With *wait_ms* every append waits until one replica has it."""

    def __init__(self, wire: Wire, wait_ms: int | None = None, log_lines: int = LOG_LINES) -> None:
        self._wire = wire
        self._wait_ms = wait_ms
        self._log_lines = log_lines

    async def head(self, match: MatchId) -> Head | None:
        """Return where the log of a match ends; None if there is no such match."""
        return _head(await self._wire.call("HMGET", keys.head(match), *_HEAD_FIELDS))

    async def load(self, match: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Return the head and the entries after version *after*; None if there is no such match."""
        head, found = await self._wire.together(
            (
                ("HMGET", keys.head(match), *_HEAD_FIELDS),
                ("XRANGE", keys.entries(match), f"0-{after + 1}", "+"),
            )
        )
        return _log(head, items(found), after)

    async def append(self, batch: Batch) -> Written:
        """Write a batch as one atomic step, or return what an earlier try with the same key wrote."""
        names = _names(batch.match)
        reply = items(await self._run(_APPEND, names, (*_facts(batch, self._log_lines, self._wait_ms), *batch.entries)))
        outcome = text(reply[0])
        if outcome in {"appended", "replayed"}:
            return Written(Version(number(reply[1])), Version(number(reply[2])), outcome == "replayed")
        raise _refusal(outcome, reply, batch)

    async def written(self, match: MatchId, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under *key*, None if nothing was."""
        earlier = await self._earlier(keys.written(match), _short(key))
        if earlier is None:
            return None
        assert isinstance(earlier, bytes)
        first, last, found = earlier.split(b" ", 2)
        if found != fingerprint:
            raise KeyReused
        return Written(Version(int(first)), Version(int(last)), replayed=True)

    async def ends(self) -> Mapping[Shard, str]:
        """Return the position of the newest line of every shard log."""
        found = await self._wire.together(("XREVRANGE", keys.log(shard), "+", "-", "COUNT", 1) for shard in keys.ALL_SHARDS)
        return {shard: _position(lines) or "0-0" for shard, lines in zip(keys.ALL_SHARDS, found, strict=True)}

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return the lines after *positions* of those shards, waiting up to *block_ms* (0: not at all) for the first."""
        if not positions:
            return ()
        logs = {keys.log(shard): shard for shard in positions}
        streams = ("STREAMS", *logs, *positions.values())
        if block_ms == 0:  # to the server BLOCK 0 means for ever
            found = await self._wire.call("XREAD", "COUNT", LINES_AT_ONCE, *streams)
        else:
            found = await self._wire.block(block_ms, "XREAD", "COUNT", LINES_AT_ONCE, "BLOCK", block_ms, *streams)
        return [pointer for log in items(found) for pointer in _pointers(log, logs)]

    async def oldest(self, shard: Shard) -> str | None:
        """Return the oldest position that a shard's trimmed log still has; None if it is empty."""
        return _position(await self._wire.call("XRANGE", keys.log(shard), "-", "+", "COUNT", 1))

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        """Return the ids of all matches of a shard, oldest first."""
        return [MatchId(text(each)) for each in items(await self._wire.call("LRANGE", keys.matches(shard), 0, -1))]

    async def _run(self, script: Script, names: Sequence[str], arguments: Sequence[bytes | str | int]) -> Reply:
        if self._wait_ms is None:
            return await self._wire.run(script, names, arguments)
        return await self._wire.run_and_wait(script, names, arguments, 1, self._wait_ms)

    async def _earlier(self, name: str, short: bytes) -> Reply:
        if self._wait_ms is None:
            return await self._wire.call("HGET", name, short)
        return await self._run(_WRITTEN, (name,), (short,))


def _names(match: MatchId) -> tuple[str, ...]:
    shard = shard_of(match)
    return (
        keys.entries(match),
        keys.head(match),
        keys.written(match),
        keys.log(shard),
        keys.agenda(AgendaKind.DEADLINE, shard),
        keys.agenda(AgendaKind.WORK, shard),
        keys.matches(shard),
    )


def _facts(batch: Batch, log_lines: int, wait_ms: int | None) -> tuple[bytes | str | int, ...]:
    return (
        batch.expected,
        batch.chain,
        batch.next_chain,
        _short(batch.key),
        batch.fingerprint,
        batch.match,
        batch.status.value,
        "" if batch.deadline_ms is None else batch.deadline_ms,
        "" if batch.work_ms is None else batch.work_ms,
        log_lines,
        "" if wait_ms is None else "1",
    )


def _short(key: str) -> bytes:
    """Return what stands for an idempotency key: short enough to keep the hash of all keys of a match compact."""
    return hashlib.sha256(key.encode()).digest()[:_KEY_BYTES]


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


def _head(reply: Reply) -> Head | None:
    version, chain, status = items(reply)
    if version is None:
        return None
    assert isinstance(chain, bytes)
    return Head(Version(int(text(version))), chain, Status(text(status)))


def _log(reply: Reply, found: list[Reply], after: Version) -> Log | None:
    """Cut off what was appended between the reading of the head and of the entries."""
    head = _head(reply)
    if head is None:
        return None
    count = max(0, head.version - after)
    if len(found) < count:
        raise CorruptHistory(f"{len(found)} entries after version {after}, but the head is at {head.version}")
    return Log(head, tuple(_entry(each) for each in found[:count]))


def _entry(line: Reply) -> bytes:
    _, fields = items(line)
    entry = items(fields)[1]
    assert isinstance(entry, bytes)
    return entry


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
