"""Backoff: how long to wait before a process that has ended is restarted."""

from __future__ import annotations

import time

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
STEADY_SECONDS = 10.0


class Pauses:
    """Pauses that double while a process keeps ending, and are short again once it has run for a while."""

    def __init__(self) -> None:
        self._pause = FIRST_PAUSE_SECONDS
        self._began: float | None = time.monotonic()

    def began(self) -> None:
        """Record that it is running from now on."""
        self._began = time.monotonic()

    def after_end(self) -> float:
        """Return the seconds to wait, now that it has ended or could not be started."""
        if self._began is not None and time.monotonic() - self._began > STEADY_SECONDS:
            self._pause = FIRST_PAUSE_SECONDS
        self._began = None
        pause = self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        return pause
