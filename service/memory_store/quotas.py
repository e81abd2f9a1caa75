"""Quotas in memory."""

from __future__ import annotations

from ..ports.quotas import Grant, Quota
from ..ports.server_time import CLOCK_STEP_MS

_CROWD = 10_000


class MemoryQuotas:
    """When each holder's budget will be full again."""

    def __init__(self) -> None:
        self._full_us: dict[str, int] = {}

    async def take(self, holder: str, budget: Quota, units: int, now_ms: int) -> Grant:
        """Take up to *units* out of a holder's budget. What is unused for a window is forgotten."""
        now = 1000 * now_ms
        step = budget.step_us
        room = budget.room_us
        full = self._full_us.get(holder, now)
        if not now <= full <= now + room + 1000 * CLOCK_STEP_MS:  # over, or from before the clock was set back
            full = now
        full = min(full, now + room)
        given = min(units, (now + room - full) // step)
        if given:
            self._full_us[holder] = full = full + given * step
            self._forget(now)
        return Grant(given, full - now)

    def _forget(self, now: int) -> None:
        if len(self._full_us) > _CROWD:
            self._full_us = {holder: full for holder, full in self._full_us.items() if full > now}
