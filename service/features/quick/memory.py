"""The tables of quick matches in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.match import PlayerId
from .port import ABSENCE_MS, Absence, QuickTable, Waiting, Wish, packed, waiting


class MemoryQuick:
    """For each wish its tables, as they are stored."""

    def __init__(self) -> None:
        self._kept: dict[Wish, bytes] = {}
        self._absences: dict[PlayerId, Absence] = {}

    async def read(self, wish: Wish) -> Waiting:
        return waiting(self._kept.get(wish, b""))

    async def put(self, wish: Wish, before: Waiting, tables: Sequence[QuickTable]) -> bool:
        if self._kept.get(wish, b"") != before.stored:
            return False
        self._kept[wish] = packed(tables)
        if not tables:
            del self._kept[wish]
        return True

    async def wishes(self) -> Mapping[Wish, Waiting]:
        return {wish: waiting(stored) for wish, stored in self._kept.items()}

    async def absence(self, player: PlayerId) -> Absence | None:
        return self._absences.get(player)

    async def put_absence(self, player: PlayerId, absence: Absence) -> None:
        oldest = absence.until_ms - ABSENCE_MS
        self._absences = {each: kept for each, kept in self._absences.items() if kept.until_ms > oldest}
        self._absences[player] = absence

    async def drop_absence(self, player: PlayerId) -> None:
        self._absences.pop(player, None)
