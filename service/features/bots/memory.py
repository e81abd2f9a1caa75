"""The thoughts of bots in memory."""

from __future__ import annotations

import time
from collections.abc import Callable

from ....domain.match import MatchId


class MemoryThoughts:
    """What bots will answer. `now_ms` is any clock that never goes back."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._kept: dict[MatchId, tuple[int, bytes]] = {}
        self._alarms = 0

    async def keep(self, match_id: MatchId, thought: bytes, ttl_ms: int) -> None:
        now = self._now_ms()
        self._kept = {match_id: (until_ms, kept) for match_id, (until_ms, kept) in self._kept.items() if until_ms > now}
        self._kept[match_id] = now + ttl_ms, thought

    async def read(self, match_id: MatchId) -> bytes | None:
        until_ms, thought = self._kept.get(match_id, (0, b""))
        return thought if until_ms > self._now_ms() else None

    async def note_alarm(self) -> None:
        self._alarms += 1

    async def alarms(self) -> int:
        return self._alarms
