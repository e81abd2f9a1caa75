"""What a process keeps of records: packed ones, verdicts, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import TypeAlias
from weakref import WeakValueDictionary

from ....domain.match import MatchId

RecordKey: TypeAlias = tuple[MatchId, bytes, str]
"""A match, its chain, and the media type."""


class Verdicts:
    """Verdicts on matches, as bodies, the oldest dropped first. A match that continues has another chain.

    A key also has of how many answers of bots one was computed again.
    """

    def __init__(self, limit: int = 1_000) -> None:
        self._limit = limit
        self._bodies: dict[tuple[MatchId, bytes, int], bytes] = {}

    def get(self, key: tuple[MatchId, bytes, int]) -> bytes | None:
        """Return a verdict, if it is cached."""
        return self._bodies.get(key)

    def put(self, key: tuple[MatchId, bytes, int], body: bytes) -> None:
        """Cache a verdict."""
        self._bodies[key] = body
        if len(self._bodies) > self._limit:
            del self._bodies[next(iter(self._bodies))]


class Records:
    """Records of finished matches, packed, the least recently asked for dropped first; each is written once at a time."""

    def __init__(self, limit_bytes: int = 32 * 1024 * 1024) -> None:
        self._limit = limit_bytes
        self._size = 0
        self._kept: OrderedDict[RecordKey, bytes] = OrderedDict()
        self._writing: dict[RecordKey, asyncio.Task[bytes]] = {}

    def __contains__(self, key: RecordKey) -> bool:
        """Return whether a record is cached, or being written."""
        return key in self._kept or key in self._writing

    async def get(self, key: RecordKey, write: Callable[[], Coroutine[None, None, bytes]]) -> bytes:
        """Return a record, written by *write* if it is not cached. A caller that gives up does not stop other waiting callers."""
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        task = self._writing.get(key)
        if task is None:
            task = self._writing[key] = asyncio.ensure_future(self._write(key, write))
        return await asyncio.shield(task)

    async def _write(self, key: RecordKey, write: Callable[[], Coroutine[None, None, bytes]]) -> bytes:
        try:
            body = await write()
        finally:
            del self._writing[key]
        self._kept[key] = body
        self._size += len(body)
        while self._size > self._limit:
            self._size -= len(self._kept.popitem(last=False)[1])
        return body


class Turns:
    """Costly work, one piece at a time for each who pays: so no one takes more than one share of the process from others."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, payer: str) -> asyncio.Lock:
        """Return the lock to hold while working for a payer."""
        lock = self._locks.get(payer)
        if lock is None:
            lock = self._locks[payer] = asyncio.Lock()
        return lock
