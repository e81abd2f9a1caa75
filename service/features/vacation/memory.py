"""Vacations in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import PlayerId
from .port import ENCODER, Kept, Stretch, kept


class MemoryVacations:
    """The vacations of each player, as they are stored. They end with the process, long before they are old."""

    def __init__(self) -> None:
        self._kept: dict[PlayerId, bytes] = {}

    async def read(self, player: PlayerId) -> Kept:
        return kept(self._kept.get(player, b""))

    async def put(self, player: PlayerId, before: Kept, stretches: Sequence[Stretch], keep_ms: int) -> bool:
        if self._kept.get(player, b"") != before.stored:
            return False
        self._kept[player] = ENCODER.encode(tuple(stretches))
        return True

    async def forget(self, player: PlayerId) -> None:
        self._kept.pop(player, None)
