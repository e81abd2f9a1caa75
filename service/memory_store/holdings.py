"""Holdings in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.match import MatchId
from ..ports.holdings import Holding

_CROWD = 10_000
"""Expired holders are looked for when there are this many, then each time that those left have doubled."""


class MemoryHoldings:
    """For each holder its matches with their times, and when they are forgotten."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[int, dict[MatchId, int]]] = {}
        self._crowd = _CROWD

    async def hold(self, holder: str, match_id: MatchId, limit: int, now_ms: int, keep_ms: int) -> Sequence[Holding]:
        until_ms, held = self._held.get(holder, (now_ms, {}))
        if until_ms < now_ms:
            held = {}
        if match_id not in held and len(held) >= limit:
            return sorted((Holding(each, since) for each, since in held.items()), key=lambda each: (each.since_ms, each.match))
        self._held[holder] = (now_ms + keep_ms, {**held, match_id: now_ms})
        self._forget(now_ms)
        return ()

    async def release(self, holder: str, holdings: Sequence[Holding]) -> None:
        held = self._held.get(holder, (0, {}))[1]
        for each in holdings:
            if held.get(each.match) == each.since_ms:
                del held[each.match]

    def _forget(self, now_ms: int) -> None:
        if len(self._held) > self._crowd:
            self._held = {holder: kept for holder, kept in self._held.items() if kept[0] >= now_ms and kept[1]}
            self._crowd = max(_CROWD, 2 * len(self._held))
