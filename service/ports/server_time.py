"""The one clock of a deployment."""

from __future__ import annotations

from typing import Protocol

from ...domain.match.terms import CLOCK_STEP_MS

MOST_AHEAD_MS = CLOCK_STEP_MS
"""How far the clock of a machine may be from the deployment's when a process starts."""

__all__ = ["CLOCK_STEP_MS", "MOST_AHEAD_MS", "ServerTime"]


class ServerTime(Protocol):
    """The time of the store, which all processes of a deployment share."""

    def now_ms(self) -> int:
        """Return the time in Unix milliseconds; it goes back if the clock of the store is set back."""
        ...

    def ahead_ms(self) -> int:
        """Return by how many milliseconds the clock of this machine is ahead of it for certain (negative: behind)."""
        ...

    async def follow(self, now_ms: int | None = None) -> int:
        """Return by how many milliseconds the clock was set back since the last call, and bring all that is planned nearer.

        Any number of processes may ask: what one has brought nearer, no other one does. *now_ms* stands in for the time.
        """
        ...
