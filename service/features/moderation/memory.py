"""Moderation in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import PlayerId
from .port import AT_ONCE, Act


class MemoryActs:
    """Acts by id, oldest first, and addresses by player. They end with the process, long before they are old."""

    def __init__(self) -> None:
        self._acts: dict[str, Act] = {}
        self._addresses: dict[PlayerId, str] = {}

    async def add(self, act: Act) -> Act:
        return self._acts.setdefault(act.id, act)

    async def find(self, act: str) -> Act | None:
        return self._acts.get(act)

    async def replace(self, before: Act, after: Act) -> bool:
        if self._acts.get(before.id) != before:
            return False
        self._acts[before.id] = after
        return True

    async def remove(self, act: Act) -> None:
        self._acts.pop(act.id, None)

    async def newest(self, skip: int, limit: int) -> Sequence[Act]:
        return [*self._acts.values()][::-1][skip : skip + limit]

    async def concerning(self, player: PlayerId) -> Sequence[Act]:
        return [each for each in [*self._acts.values()][::-1] if each.player == player]

    async def lasting(self, now_ms: int) -> Sequence[Act]:
        return [each for each in self._acts.values() if each.lasts(now_ms)]

    async def old(self, before_ms: int) -> Sequence[Act]:
        return [each for each in self._acts.values() if each.ends_ms <= before_ms][:AT_ONCE]

    async def note_address(self, player: PlayerId, address: str) -> None:
        self._addresses[player] = address

    async def address_of(self, player: PlayerId) -> str:
        return self._addresses.get(player, "")

    async def forget_address(self, player: PlayerId) -> None:
        self._addresses.pop(player, None)
