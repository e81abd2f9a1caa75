"""The warning before the server of the store has used up its memory."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.ports.events import Memory
from tafelrunde.service.runtime.memory_watch import LOOK_SECONDS, MemoryWatch

RUNNING_OUT, SUFFICIENT = "store memory is running out", "store memory is sufficient again"


@pytest.mark.parametrize(
    ("used", "limit", "events"),
    [
        pytest.param([10, 79, 80, 81, 99, 100], 100, [RUNNING_OUT], id="once"),
        pytest.param([80, 79, 81, 76, 80], 100, [RUNNING_OUT], id="not-for-each-crossing"),
        pytest.param([80, 74, 76, 90], 100, [RUNNING_OUT, SUFFICIENT, RUNNING_OUT], id="again-after-it-was-well"),
        pytest.param([80, 10**12], 0, [], id="no-limit"),
        pytest.param([None, 80, None], 100, [RUNNING_OUT], id="a-server-that-does-not-tell"),
    ],
)
def test_log_warns_once_when_memory_runs_out(used: list[int | None], limit: int, events: list[str]) -> None:
    """From four fifths of the limit on, and says when it is over."""

    async def memory() -> Memory | None:
        now = used.pop(0)
        return Memory(now, limit) if now is not None else None

    async def main() -> None:
        watch = MemoryWatch(memory)
        while used:
            assert await watch.step() == LOOK_SECONDS

    with capture_logs() as lines:
        asyncio.run(main())
    assert [line["event"] for line in lines] == events
