"""What a consumer promises, on a clock that jumps: one owner at a time, nothing lost, pauses that grow, and no end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.features.webhooks.duty import LEASE_MS as DELIVERY_LEASE_MS
from tafelrunde.service.memory_store.agenda import MemoryLeases
from tafelrunde.service.runtime.consumer import (
    LEASE_MS,
    MAX_RETRY_SECONDS,
    RENEW_SECONDS,
    REST_SECONDS,
    RETRY_SECONDS,
    SHORT_REST_SECONDS,
    Consumer,
    Ownership,
    Step,
    run_together,
)
from tests.support.clockwork import run

pytestmark = pytest.mark.usefixtures("lines")
PACE = 0.2
NAME = "work"


@pytest.fixture
def lines() -> Iterator[Sequence[Mapping[str, Any]]]:
    """All lines of the log."""
    with capture_logs() as lines:
        yield lines


def now() -> float:
    """Return the time of the loop, in seconds."""
    return asyncio.get_running_loop().time()


def leases() -> MemoryLeases:
    """Return leases by the clock of the loop."""
    return MemoryLeases(lambda: round(1000 * now()))


class Diary:
    """Notes who did a step and when."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, float]] = []

    def writing(self, who: str) -> Step:
        """Return a step that is noted."""

        async def step() -> float:
            self.lines.append((who, now()))
            return PACE

        return step

    def times(self, who: str) -> list[float]:
        """Return when some process did a step."""
        return [when for name, when in self.lines if name == who]


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks, and wait until they have ended as cancelled."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert all(task.cancelled() for task in tasks)


def test_one_owner_works_when_two_want_to() -> None:
    """However long it lives: it renews its lease in time, and the other one waits."""

    async def main() -> None:
        diary = Diary()
        shared = leases()
        tasks = [
            asyncio.create_task(Consumer("c", diary.writing(who), Ownership(shared, [NAME])).run()) for who in ("first", "second")
        ]
        await asyncio.sleep(20 * LEASE_MS / 1000)
        assert len(diary.times("first")) > 10
        assert diary.times("second") == []
        await end(*tasks)

    run(main())


def test_lease_is_taken_over_when_the_owner_dies() -> None:
    """Not before its time is over, and soon after that."""

    async def main() -> None:
        diary = Diary()
        shared = leases()
        died = now()
        assert await Ownership(shared, [NAME]).renew() == {NAME}
        second = asyncio.create_task(Consumer("c", diary.writing("second"), Ownership(shared, [NAME])).run())
        await asyncio.sleep(2 * LEASE_MS / 1000)
        assert LEASE_MS / 1000 <= diary.times("second")[0] - died <= LEASE_MS / 1000 + RENEW_SECONDS + 0.1
        await end(second)

    run(main())


def test_lease_is_free_at_once_when_the_owner_ends_in_good_order() -> None:
    """A restart costs no lease."""

    async def main() -> None:
        diary = Diary()
        shared = leases()
        first = asyncio.create_task(Consumer("c", diary.writing("first"), Ownership(shared, [NAME])).run())
        await asyncio.sleep(1)
        await end(first)
        assert await shared.take(NAME, "anyone", 1)

    run(main())


def test_owner_that_stood_still_stops_when_it_has_lost_its_lease() -> None:
    """It asks again before its next step, and another process has the work by then."""

    async def main() -> None:
        diary = Diary()
        shared = leases()
        ownership = Ownership(shared, [NAME])
        consumer = Consumer("c", diary.writing("slow"), ownership)
        await consumer.round()
        await asyncio.sleep(2 * LEASE_MS / 1000)
        assert await shared.take(NAME, "another", LEASE_MS)
        assert await consumer.round() == RENEW_SECONDS
        assert (len(diary.lines), ownership.held) == (1, frozenset())

    run(main())


def test_names_are_shared_when_another_process_holds_some() -> None:
    """Each of many leases is taken by itself."""

    async def main() -> None:
        shared = leases()
        assert await shared.take("b", "another", LEASE_MS)
        ownership = Ownership(shared, ["a", "b", "c"])
        assert await ownership.renew() == {"a", "c"}
        await asyncio.sleep(LEASE_MS / 1000)
        assert await ownership.renew() == {"a", "b", "c"}

    run(main())


class Log:
    """A log, and a place to which its lines are copied; copies and position are written in one step, as in the stores."""

    def __init__(self) -> None:
        self.lines = list(range(20))
        self.copies: list[int] = []
        self.position = 0
        self.fates: dict[int, BaseException | None] = {
            3: StoreUnavailable(),
            7: ZeroDivisionError(),
            11: None,
            15: StoreUnavailable(),
        }

    async def step(self) -> float:
        """Copy the next line. At some of them it goes wrong, once: before the copy, or in a process that hangs."""
        position = self.position
        if position in self.fates:
            fate = self.fates.pop(position)
            if fate is None:
                await asyncio.Event().wait()
            else:
                raise fate
        await asyncio.sleep(0)
        if position < len(self.lines) and self.position == position:
            self.copies.append(self.lines[position])
            self.position += 1
        return PACE


def test_position_is_kept_when_steps_fail_and_processes_end() -> None:
    """Interrupted work is repeated by the process that holds the lease, and every line is handled once."""

    async def main() -> None:
        lines = Log()
        shared = leases()
        first = asyncio.create_task(Consumer("c", lines.step, Ownership(shared, [NAME])).run())
        await asyncio.sleep(2 * REST_SECONDS)
        assert lines.copies == lines.lines[:11]
        await end(first)
        second = asyncio.create_task(Consumer("c", lines.step, Ownership(shared, [NAME])).run())
        await asyncio.sleep(2 * REST_SECONDS)
        assert lines.copies == lines.lines
        await end(second)

    run(main())


def test_pauses_grow_when_the_store_is_away_and_begin_again_when_it_was_back() -> None:
    """Up to a bound, so that nothing is late for long afterwards."""

    async def main() -> None:
        away = True

        async def step() -> float:
            if away:
                raise StoreUnavailable
            return PACE

        consumer = Consumer("c", step)
        pauses = [await consumer.round() for _ in range(2_000)]  # half an hour: more doublings than a float can hold
        assert pauses == [RETRY_SECONDS, 2 * RETRY_SECONDS, *[MAX_RETRY_SECONDS] * 1_998]
        away = False
        assert await consumer.round() == PACE
        away = True
        assert await consumer.round() == RETRY_SECONDS

    run(main())


def test_store_that_is_away_when_the_lease_is_taken_ends_nothing() -> None:
    """The lease is asked for under the same rules as the work."""

    class Away(MemoryLeases):
        async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
            raise StoreUnavailable

        async def give_back(self, name: str, owner: str) -> None:
            raise StoreUnavailable

    async def main() -> None:
        diary = Diary()
        ownership = Ownership(Away(), [NAME])
        task = asyncio.create_task(Consumer("c", diary.writing("c"), ownership).run())
        await asyncio.sleep(60)
        assert not task.done()
        await end(task)
        assert diary.lines == []

    run(main())


@pytest.mark.parametrize("error", [ZeroDivisionError, TimeoutError, OSError, asyncio.CancelledError])
def test_consumer_rests_when_a_step_fails(error: type[BaseException]) -> None:
    """Then it goes on, also after what looks like a cancellation but is only that of something it waited for."""

    async def main() -> None:
        tries: list[float] = []

        async def step() -> float:
            tries.append(now())
            if len(tries) < 3:
                raise error
            return PACE

        task = asyncio.create_task(Consumer("c", step).run())
        await asyncio.sleep(2.5 * REST_SECONDS)
        assert [round(after - before, 3) for before, after in pairwise(tries[:4])] == [REST_SECONDS, REST_SECONDS, PACE]
        await end(task)

    run(main())


def test_consumer_rests_as_long_as_it_is_asked() -> None:
    """What others wait for goes on soon, long before a lease of webhooks runs out."""

    async def main() -> None:
        tries: list[float] = []

        async def step() -> float:
            tries.append(now())
            raise ZeroDivisionError

        task = asyncio.create_task(Consumer("c", step, rest_seconds=SHORT_REST_SECONDS).run())
        await asyncio.sleep(2.5 * SHORT_REST_SECONDS)
        assert [round(after - before, 3) for before, after in pairwise(tries)] == [SHORT_REST_SECONDS] * 2
        assert DELIVERY_LEASE_MS / 1000 > 2 * SHORT_REST_SECONDS
        await end(task)

    run(main())


def test_consumer_ends_when_a_step_swallows_the_cancellation() -> None:
    """The library of the store does so now and then; a process must not wait forever for its end."""

    async def main() -> None:
        async def step() -> float:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return PACE
            raise AssertionError

        task = asyncio.create_task(Consumer("c", step).run())
        await asyncio.sleep(1)
        await end(task)

    run(main())


def test_failing_consumer_does_not_stop_the_others_when_run_together() -> None:
    """Each has its own pauses; a cancellation ends all of them."""

    async def main() -> None:
        diary = Diary()

        async def fail() -> float:
            raise ZeroDivisionError

        async def away() -> float:
            raise StoreUnavailable

        async def hang() -> float:
            await asyncio.Event().wait()
            raise AssertionError

        steps: list[Callable[[], Awaitable[float]]] = [fail, away, hang, diary.writing("good")]
        task = asyncio.create_task(run_together([Consumer("c", step) for step in steps]))
        await asyncio.sleep(100)
        assert len(diary.lines) == round(100 / PACE)
        assert not task.done()
        await end(task)

    run(main())
