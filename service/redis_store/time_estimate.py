"""The server's time, measured against this process's monotonic clock.

A reply to TIME was made between the question and its arrival. So each reply bounds the difference between the two clocks from
below and above, and several replies bound it more closely. The lower bound counts: a process is never ahead of the server.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from ..ports.server_time import CLOCK_STEP_MS, MOST_AHEAD_MS

MEASURE_MS = 1_000.0
"""Age of a measurement after which the next commands include another one."""
DRIFT = 0.001
"""The maximum drift between two clocks; ten times that of a bad quartz."""

log = structlog.get_logger(__name__)


def _steady_ms() -> float:
    return time.monotonic_ns() / 1_000_000


def _own_ms() -> float:
    return time.time_ns() / 1_000_000


class TimeEstimate:
    """The time of a server. Before the first measurement it is the time of this machine."""

    def __init__(self, steady_ms: Callable[[], float] = _steady_ms, own_ms: Callable[[], float] = _own_ms) -> None:
        self.steady_ms = steady_ms
        self._own_ms = own_ms
        self._low = self._high = own_ms() - steady_ms()
        self._measured: float | None = None
        self._wanted = True
        self._warned = False

    @property
    def stale(self) -> bool:
        """Whether it is time to measure."""
        return self._wanted or self._measured is None or self.steady_ms() - self._measured >= MEASURE_MS

    def now_ms(self) -> int:
        """Return the server's time in Unix milliseconds: its lower bound."""
        return int(self.steady_ms() + self._low)

    def ahead_ms(self) -> int:
        """Return by how many milliseconds the clock of this machine is ahead for certain (negative: behind)."""
        difference = self._own_ms() - self.steady_ms()
        return int(max(difference - self._high, 0) + min(difference - self._low, 0))

    def forget(self) -> None:
        """Measure with the next commands."""
        self._wanted = True

    def note(self, server_ms: float, asked_ms: float) -> None:
        """Record the server's reply to a TIME sent at *asked_ms* of the steady clock."""
        answered_ms = self.steady_ms()
        low, high = server_ms - answered_ms, server_ms - asked_ms
        drift = DRIFT * (answered_ms - self._measured) if self._measured is not None else float("inf")
        jump = max(low - self._high - drift, 0) + min(high - self._low + drift, 0)
        if jump:
            if abs(jump) > CLOCK_STEP_MS:
                log.warning("clock of the store was set", seconds=round(jump / 1000, 1))
            self._low, self._high = low, high
        else:
            self._low, self._high = max(low, self._low - drift), min(high, self._high + drift)
        self._measured = answered_ms
        self._wanted = False
        self._compare()

    def _compare(self) -> None:
        """Log once when the clock of this machine starts or stops differing."""
        if (differs := abs(self.ahead_ms()) > MOST_AHEAD_MS) is not self._warned:
            self._warned = differs
            if differs:
                log.warning("clock of this machine differs from the store's", seconds=round(self.ahead_ms() / 1000, 1))
            else:
                log.info("clock of this machine agrees with the store's again")
