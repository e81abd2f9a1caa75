"""The tables of quick matches in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .port import QuickTable, Waiting, Wish, packed, waiting


class MemoryQuick:
    """For each wish its tables, as they are stored."""

    def __init__(self) -> None:
        self._kept: dict[Wish, bytes] = {}

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
