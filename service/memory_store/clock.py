"""The clock of the stores in memory: that of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..ports.server_time import CLOCK_STEP_MS
from .agenda import MemoryAgenda
from .rows import MemoryRows


def unix_ms() -> int:
    """Return the time of this machine in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class MemoryClock:
    """The clock of one process."""

    def __init__(self, agenda: MemoryAgenda, rows: MemoryRows, now_ms: Callable[[], int] = unix_ms) -> None:
        self._agenda = agenda
        self._rows = rows
        self._unix_ms = now_ms
        self._last_ms: int | None = None

    def now_ms(self) -> int:
        """Return the time in Unix milliseconds; it goes back if the clock of this machine is set back."""
        return self._unix_ms()

    def ahead_ms(self) -> int:
        """Return 0: there is no other clock."""
        return 0

    async def follow(self, now_ms: int | None = None) -> int:
        """Return by how many milliseconds the clock was set back since the last call, and move everything planned closer."""
        now = self._unix_ms() if now_ms is None else now_ms
        back_ms = (now if self._last_ms is None else self._last_ms) - now
        if back_ms <= CLOCK_STEP_MS:
            self._last_ms = max(now, self._last_ms or now)
            return 0
        self._agenda.bring_nearer(back_ms)
        self._rows.bring_nearer(back_ms)
        self._last_ms = now
        return back_ms
