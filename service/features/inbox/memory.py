"""Inboxes in memory."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Mapping, Sequence

from ....domain.match import PlayerId
from .port import DIGITS, OF_NO_LOG, SEED_BYTES, InboxLimits, Line, Notice, Notices, Spot, extend_chain


class _Inbox:
    """The notices of one player that are kept, and the place before the first of them."""

    def __init__(self, now_ms: int) -> None:
        self.since_ms = now_ms
        self.until_ms = now_ms
        self.chain = extend_chain(secrets.token_hex(SEED_BYTES), b"")
        self.floor = Spot(0, self.chain[:DIGITS])
        self.items: deque[tuple[Spot, bytes]] = deque()
        self.lines: dict[int, str] = {}

    @property
    def end(self) -> Spot:
        return self.items[-1][0] if self.items else self.floor

    def takes(self, line: Line) -> bool:
        """Return whether a line is new here, and note it."""
        if line == OF_NO_LOG:
            return True
        new = line.place > self.lines.get(line.shard, "")
        if new:
            self.lines[line.shard] = line.place
        return new

    def append(self, body: bytes) -> None:
        self.chain = extend_chain(self.chain, body)
        self.items.append((Spot(self.end.n + 1, self.chain[:DIGITS]), body))

    def drop_first(self) -> None:
        self.floor = self.items.popleft()[0]

    def after(self, spot: Spot, limit: int) -> tuple[tuple[Spot, bytes], ...] | None:
        skipped = spot.n - self.floor.n
        if not 0 <= skipped <= len(self.items):
            return None
        known = self.items[skipped - 1][0] if skipped else self.floor
        return tuple(self.items)[skipped : skipped + limit] if known == spot else None


class MemoryInboxes:
    """Inboxes, and the notices that wait for their time."""

    def __init__(self) -> None:
        self._inboxes: dict[PlayerId, _Inbox] = {}
        self._late: list[Notice] = []
        self._positions: dict[int, str] = {}

    async def read(self, player: PlayerId, after: Spot | None, limit: int, now_ms: int, until_ms: int) -> Notices | None:
        inbox = self._inboxes.setdefault(player, _Inbox(now_ms))
        inbox.until_ms = until_ms
        items = inbox.after(after or inbox.end, limit)
        return None if items is None else Notices(items=items, end=inbox.end)

    async def listeners(self, now_ms: int) -> Mapping[PlayerId, int]:
        for player in [player for player, inbox in self._inboxes.items() if inbox.until_ms < now_ms]:
            await self.remove(player)
        return {player: inbox.since_ms for player, inbox in self._inboxes.items()}

    async def add(self, notices: Sequence[Notice], now_ms: int, room: InboxLimits) -> None:
        for notice in notices:
            inbox = self._inboxes.get(notice.player)
            if inbox is None or not inbox.takes(notice.line):
                continue
            if notice.due_ms > now_ms:
                self._late.append(notice)
            else:
                self._put(notice, room)
        if len(self._late) > room.in_all:
            await self.clear()

    def _put(self, notice: Notice, room: InboxLimits) -> None:
        inbox = self._inboxes[notice.player]
        for body in notice.bodies:
            inbox.append(body)
        while len(inbox.items) > room.each:
            inbox.drop_first()
        while sum(len(each.items) for each in self._inboxes.values()) > room.in_all:
            max(self._inboxes.values(), key=lambda each: len(each.items)).drop_first()

    async def release(self, now_ms: int, room: InboxLimits) -> None:
        self._late.sort(key=lambda notice: notice.due_ms)
        while self._late and self._late[0].due_ms <= now_ms:
            self._put(self._late.pop(0), room)

    async def ends(self, players: Sequence[PlayerId]) -> Sequence[int]:
        return [self._inboxes[player].end.n if player in self._inboxes else 0 for player in players]

    async def clear(self) -> None:
        self._inboxes.clear()
        self._late.clear()

    async def remove(self, player: PlayerId) -> None:
        self._inboxes.pop(player, None)
        self._late = [notice for notice in self._late if notice.player != player]

    async def positions(self) -> Mapping[int, str]:
        return dict(self._positions)

    async def advance(self, positions: Mapping[int, str]) -> None:
        self._positions.update(positions)
