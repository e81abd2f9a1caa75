"""Findings of the coach in memory."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.game import Seat
from ....domain.match import MatchId


class MemoryCoaching:
    """For each match the findings by seat."""

    def __init__(self) -> None:
        self._kept: dict[MatchId, dict[Seat, bytes]] = {}

    async def keep(self, match_id: MatchId, seat: Seat, findings: bytes, before: bytes | None) -> bool:
        kept = self._kept.setdefault(match_id, {})
        if kept.get(seat) != before:
            return False
        kept[seat] = findings
        return True

    async def read(self, match_id: MatchId) -> Mapping[Seat, bytes]:
        return dict(self._kept.get(match_id, {}))
