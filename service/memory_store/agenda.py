"""Deadlines, bot work, care, and leases in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind, Claims
from ..ports.events import Batch, Shard, shard_of


class MemoryAgenda:
    """Deadlines, bot work and care."""

    def __init__(self, unix_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._unix_ms = unix_ms
        self._entries: dict[AgendaKind, dict[MatchId, int]] = {kind: {} for kind in AgendaKind}

    def replace(self, batch: Batch) -> None:
        """Set or clear the entries of a batch's match."""
        self.put(AgendaKind.DEADLINE, batch.match, batch.deadline_ms)
        self.put(AgendaKind.WORK, batch.match, batch.work_ms)
        self.put(AgendaKind.CARE, batch.match, batch.care_ms)
        if not batch.expected:
            self.put(AgendaKind.OPENING, batch.match, 0)

    def put(self, kind: AgendaKind, match_id: MatchId, at_ms: int | None) -> None:
        """Set or clear one entry."""
        if at_ms is None:
            self._entries[kind].pop(match_id, None)
        else:
            self._entries[kind][match_id] = at_ms

    def bring_nearer(self, by_ms: int) -> None:
        """Let all entries be due earlier."""
        for entries in self._entries.values():
            entries.update({match_id: at_ms - by_ms for match_id, at_ms in entries.items()})

    async def claim(
        self, kind: AgendaKind, now_ms: int | None, lease_ms: int, limit: int, shards: Collection[Shard] | None = None
    ) -> Claims:
        """Return what is due and push those entries to now + lease; it is now by the store's clock, or *now_ms*."""
        now_ms = self._unix_ms() if now_ms is None else now_ms
        entries = self._entries[kind]
        here = {match_id: at_ms for match_id, at_ms in entries.items() if shards is None or shard_of(match_id) in shards}
        due = sorted((each for each in here.items() if each[1] <= now_ms), key=lambda each: each[1])[:limit]
        later = dict.fromkeys((match_id for match_id, _ in due), now_ms + lease_ms)
        entries.update(later)
        return Claims(tuple(due), min((here | later).values(), default=None))

    async def postpone(self, kind: AgendaKind, match_id: MatchId, until_ms: int) -> None:
        entries = self._entries[kind]
        if match_id in entries:
            entries[match_id] = max(entries[match_id], until_ms)

    async def remove(self, kind: AgendaKind, match_id: MatchId) -> None:
        self.put(kind, match_id, None)

    async def move(self, kind: AgendaKind, match_id: MatchId, at_ms: int) -> None:
        if match_id in self._entries[kind]:
            self._entries[kind][match_id] = at_ms


class MemoryLeases:
    """Ownership for a while: one owner per name. `now_ms` is any clock that never goes back."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._held: dict[str, tuple[str, int]] = {}
        self._groups: dict[str, dict[str, int]] = {}

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        now = self._now_ms()
        holder, until_ms = self._held.get(name, (owner, now))
        if holder != owner and until_ms > now:
            return False
        self._held[name] = (owner, now + ttl_ms)
        return True

    async def take_each(self, names: Sequence[str], owner: str, ttl_ms: int, most: int) -> Collection[str]:
        taken: list[str] = []
        for name in names:
            if len(taken) < most and await self.take(name, owner, ttl_ms):
                taken.append(name)
        return taken

    async def give_back(self, name: str, owner: str) -> None:
        if self._held.get(name, ("", 0))[0] == owner:
            del self._held[name]

    async def join(self, group: str, owner: str, ttl_ms: int) -> int:
        now = self._now_ms()
        members = {each: until_ms for each, until_ms in self._groups.get(group, {}).items() if until_ms > now}
        self._groups[group] = {**members, owner: now + ttl_ms}
        return len(self._groups[group])

    async def leave(self, group: str, owner: str) -> None:
        self._groups.get(group, {}).pop(owner, None)
