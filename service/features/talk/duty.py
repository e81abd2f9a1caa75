"""Deletes the talk of matches that were over some days ago, and reports that are as old."""

from __future__ import annotations

from collections.abc import Callable

from ....domain.match import MatchId
from ...matches.repository import MatchRepository
from .port import AT_ONCE, LineStore, ReportStore

DAY_MS = 86_400_000
PAUSE_SECONDS = 600.0


class TalkSweep:
    """Looks once a day whether a match with talk is over, and deletes its talk *days* after it has seen that."""

    def __init__(
        self, lines: LineStore, reports: ReportStore, repository: MatchRepository, now_ms: Callable[[], int], days: int
    ) -> None:
        self._lines = lines
        self._reports = reports
        self._repository = repository
        self._now_ms = now_ms
        self._kept_ms = days * DAY_MS

    async def step(self) -> float:
        """Do some of it; return after how many seconds to go on. It may be done twice, or by several processes at once."""
        now_ms = self._now_ms()
        looked_at = await self._lines.to_look_at(now_ms)
        for match_id in looked_at:
            await self._look(match_id, now_ms)
        old = await self._lines.to_delete(now_ms)
        for match_id in old:
            await self._lines.delete(match_id)
        await self._reports.prune(now_ms - self._kept_ms)
        return 0.0 if AT_ONCE in {len(looked_at), len(old)} else PAUSE_SECONDS

    async def _look(self, match_id: MatchId, now_ms: int) -> None:
        if await self._repository.is_finished(match_id):
            await self._lines.let_end(match_id, now_ms + self._kept_ms)
        else:
            await self._lines.put_off(match_id, now_ms + DAY_MS)
