"""Warns before the store's server has used up its memory: at the limit it refuses writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from ..ports.events import Memory

WARNING, WELL = 0.80, 0.75
"""The share of its limit from which the log warns, and below which that is over."""
LOOK_SECONDS = 15.0

log = structlog.get_logger(__name__)


class MemoryWatch:
    """Checks the memory of the store's server regularly, and warns once when it runs low."""

    def __init__(self, memory: Callable[[], Awaitable[Memory | None]]) -> None:
        self._memory = memory
        self._short = False

    async def step(self) -> float:
        """Check once; return after how many seconds to check again. Raises StoreUnavailable."""
        memory = await self._memory()
        if memory is not None and memory.limit:
            self._compare(memory.used / memory.limit)
        return LOOK_SECONDS

    def _compare(self, share: float) -> None:
        if not self._short and share >= WARNING:
            self._short = True
            log.warning("store memory is running out", reason=f"{share:.0%} of maxmemory used")
        elif self._short and share < WELL:
            self._short = False
            log.info("store memory is sufficient again", reason=f"{share:.0%} of maxmemory used")
