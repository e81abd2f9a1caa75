"""A loop whose clock jumps to the next timer as soon as nothing is left to do: half a minute of waiting takes no time.

All that happens between two timers happens at the same instant, so times can be compared exactly.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
BEYOND = 1e-6
"""A timer goes off this many seconds after its time, so that no time is left despite rounding."""


class _Skipping(selectors.DefaultSelector):
    """Waits for nothing: what it would have waited is added to `skipped`."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is there; with nothing there and nothing to wait for, wait for a thread."""
        if timeout is None:
            return super().select(None)
        found = super().select(0)
        if not found and timeout > 0:
            self.skipped += timeout + BEYOND
        return found


class Clockwork(asyncio.SelectorEventLoop):
    """The loop."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - the standard library's own
        """Wait for threads without a limit: as nothing else is left to do, its time would be over at once."""
        await super().shutdown_default_executor()

    def time(self) -> float:
        """Return how much waiting there was so far, in seconds."""
        return self._skipping.skipped


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run on such a loop."""
    with asyncio.Runner(loop_factory=Clockwork) as runner:
        return runner.run(main)
