"""Heavy work beside the event loop: it leaves at least half of the interpreter to everything else, and what has time more."""

from __future__ import annotations

import asyncio
import threading
from functools import partial

import pytest

from tafelrunde.service.runtime import threads
from tafelrunde.service.runtime.threads import PATIENT_RESTS, PIECE_SECONDS, beside, patiently, resting
from tests.support.patience import PATIENCE_SECONDS

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


def test_sparing_thread_takes_its_share_of_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it took before counts as well, as that of starting a process."""
    machine = Machine()
    machine.worked = PIECE_SECONDS
    monkeypatch.setattr(threads, "time", machine)
    slept: list[float] = []

    def work() -> None:
        threads.work_sparingly(0.1, PIECE_SECONDS / 2, slept.append)
        machine.work(100)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert sum(slept) >= 9 * (machine.worked - PIECE_SECONDS / 2)
    assert slept[0] >= 9 * PIECE_SECONDS
    assert not machine.slept


async def test_patient_thread_rests_for_three_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a quarter of the interpreter at most, however much it has to do."""
    machine = Machine()
    monkeypatch.setattr(threads, "time", machine)
    await patiently(partial(threads._rests.begin, PATIENT_RESTS))
    rests = await patiently(lambda: machine.work(100))
    monkeypatch.undo()
    await patiently(partial(threads._rests.begin, PATIENT_RESTS))
    assert PATIENT_RESTS == 3
    assert sum(rests) >= 3 * 0.8 * machine.worked
    assert all(3 * PIECE_SECONDS <= each < 3 * 1.2 * PIECE_SECONDS for each in rests)


async def test_hint_is_computed_while_records_and_verifications_wait_for_each_other() -> None:
    """What has time is done one piece after the other, and what a player waits for at the table beside it."""
    going = threading.Event()
    done = list[str]()

    def slow(name: str) -> None:
        assert going.wait(PATIENCE_SECONDS)
        done.append(name)

    waiting = [asyncio.ensure_future(patiently(partial(slow, name))) for name in ("first", "second")]
    await beside(partial(done.append, "hint"))
    assert done == ["hint"]
    going.set()
    await asyncio.gather(*waiting)
    assert done == ["hint", "first", "second"]
