"""Heavy work beside the event loop: it leaves at least half of the interpreter to everything else."""

from __future__ import annotations

import pytest

from tafelrunde.service.runtime import threads
from tafelrunde.service.runtime.threads import PIECE_SECONDS, beside, resting

pytestmark = pytest.mark.anyio


class Machine:
    """The processor time of a thread that works, and how long it has slept."""

    def __init__(self) -> None:
        self.worked = 0.0
        self.slept: list[float] = []

    def thread_time(self) -> float:
        """Tell the processor time."""
        return self.worked

    def sleep(self, seconds: float) -> None:
        """Note a rest."""
        self.slept.append(seconds)

    def work(self, pieces: int) -> list[float]:
        """Work for that many tenths of a piece, and return all rests so far."""
        for _ in resting(range(pieces)):
            self.worked += PIECE_SECONDS / 10
        return [*self.slept]


async def test_heavy_thread_rests_for_as_long_as_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each piece; so a request beside it takes less than twice its usual time. No other thread rests."""
    machine = Machine()
    monkeypatch.setattr(threads, "time", machine)
    await beside(threads._rests.begin)
    rests = await beside(lambda: machine.work(100))
    assert 8 <= len(rests) <= 10
    assert all(PIECE_SECONDS <= each < 1.2 * PIECE_SECONDS for each in rests)
    assert sum(rests) >= 0.8 * machine.worked
    assert machine.work(100) == rests
    monkeypatch.undo()
    await beside(threads._rests.begin)
