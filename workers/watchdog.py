"""The watchdog: a child of `serve` beats once a second on a pipe of its own, and one that has been silent for too long is ended.

Nothing of that needs the store: children live on while it hangs.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

PIPE = "TAFELRUNDE_HEARTBEAT"
"""The variable with the descriptor on which a child of `serve` beats."""
BEAT_SECONDS = 1.0
HUNG_SECONDS = 15.0
"""A child that has been silent for this long is ended."""
LOOK_SECONDS = 1.0
LONGEST_LOOK_SECONDS = 2.0
"""Maximum time that counts between two checks: beyond that `serve` itself, or the whole machine, stood still."""
RUNNABLE, BLOCKED = "R", "Dt"
"""The kernel's states of a process that has or wants a core, and of one that waits for a disk or a debugger."""

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


class Pulse:
    """The heartbeat of this process, for its parent; `beat` may be called at any rate."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor
        self._last = float("-inf")

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Pulse:
        """Return the heartbeat of a child of `serve`; for any other process one without effect."""
        if PIPE not in environment:
            return cls()
        descriptor = int(environment[PIPE])
        os.set_blocking(descriptor, False)
        return cls(descriptor)

    def beat(self) -> None:
        """Beat, at most once a second; never waits, and never fails."""
        now = time.monotonic()
        if self._descriptor is not None and now - self._last >= BEAT_SECONDS:
            self._last = now
            with suppress(OSError):  # the pipe is full, or its other end is closed
                os.write(self._descriptor, b".")

    @asynccontextmanager
    async def going_round(self) -> AsyncGenerator[None]:
        """Beat from the event loop meanwhile: a blocked loop is silent."""
        beating = asyncio.create_task(self._keep_beating(), name="heartbeat")
        try:
            yield
        finally:
            beating.cancel()
            await asyncio.wait({beating})

    async def _keep_beating(self) -> None:
        while True:
            self.beat()
            await asyncio.sleep(BEAT_SECONDS)


class Running(NamedTuple):
    """A process as the kernel reports it: the state of its main thread, and the seconds of processor time of its threads."""

    state: str
    seconds: float


def running(pid: int) -> Running | None:
    """Return a process as the kernel reports it; None if it does not."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return Running(fields[0], (int(fields[11]) + int(fields[12])) / _TICKS)
    except (OSError, ValueError, IndexError):
        return None


class Watch:
    """Counts for how long a process has been silent though it could have run: `silent_seconds`.

    A process that wants a core and gets none is not hung. So of the time in which it is runnable only what it has used counts:
    a busy loop is found after that much work, and no process ends because the machine is starved.
    """

    def __init__(self) -> None:
        self._hearing, self.descriptor = os.pipe()
        os.set_blocking(self._hearing, False)
        self._next = self._looked = time.monotonic()
        self._used = 0.0
        self.silent_seconds = 0.0

    def close_other_end(self) -> None:
        """Close this side's copy of the pipe's other end."""
        os.close(self.descriptor)

    def look(self, pid: int) -> None:
        """Count the time since the last check, if that was a while ago."""
        now = time.monotonic()
        if now < self._next:
            return
        passed = min(now - self._looked, LONGEST_LOOK_SECONDS)
        self._looked = now
        self._next = now + LOOK_SECONDS
        counted = self._count(running(pid), passed)
        self.silent_seconds = 0.0 if self._hear() else self.silent_seconds + counted

    def _count(self, found: Running | None, passed: float) -> float:
        """Return how much of the elapsed time the process could have used for a beat."""
        if found is None:
            return passed
        used = found.seconds - self._used
        self._used = found.seconds
        if found.state in BLOCKED:
            return 0.0
        return min(used, passed) if found.state == RUNNABLE else passed

    def _hear(self) -> bool:
        try:
            return bool(os.read(self._hearing, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._hearing)
