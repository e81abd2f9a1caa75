"""Gathered commands: every one gets its answer, whenever it is asked for, and in as few round trips as can be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tafelrunde.service.redis_store.batcher import FLIGHTS, Batcher, Reply, Value
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio


class Line:
    """A server that answers each command with its number, when the test lets it."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.open = asyncio.Event()
        self.open.set()

    async def send(self, commands: Sequence[Sequence[Value]]) -> Sequence[Reply | Exception]:
        """Answer a batch."""
        self.batches.append(len(commands))
        await self.open.wait()
        return [int(command[0]) for command in commands]


async def _steps(count: int) -> None:
    """Let all other tasks run that many times."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_every_command_is_answered_when_many_ask_over_and_over() -> None:
    """No answer is lost, however tasks and flights interleave: even a command that arrives just as the last flight lands."""
    line = Line()
    batcher = Batcher(line.send)

    async def ask(task: int) -> None:
        for number in range(task, task + 50):
            assert await batcher.reply_to((number,)) == number
            await _steps(number % 4)

    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.gather(*(ask(task) for task in range(64)))


async def test_commands_asked_for_together_share_a_round_trip() -> None:
    """While the flights are under way, all others wait for one batch."""
    line = Line()
    batcher = Batcher(line.send)
    line.open.clear()
    asking = [asyncio.create_task(batcher.reply_to((number,))) for number in range(10)]
    await _steps(5)
    asking += [asyncio.create_task(batcher.reply_to((number,))) for number in range(10, 20)]
    await _steps(5)
    line.open.set()
    assert await asyncio.gather(*asking) == list(range(20))
    assert len(line.batches) <= FLIGHTS + 1


async def test_error_of_a_batch_is_told_to_everybody_in_it() -> None:
    """A connection that breaks leaves no caller waiting, and the next command flies again."""
    failing = True

    async def send(commands: Sequence[Sequence[Value]]) -> Sequence[Reply | Exception]:
        if failing:
            raise ConnectionError
        return [1 for _ in commands]

    batcher = Batcher(send)
    told = await asyncio.gather(*(batcher.reply_to((number,)) for number in range(3)), return_exceptions=True)
    assert [type(each) for each in told] == [ConnectionError] * 3
    failing = False
    assert await batcher.reply_to((1,)) == 1


async def test_flight_that_is_cancelled_leaves_nobody_waiting() -> None:
    """At the end of a process all waiting callers are cancelled, too."""
    line = Line()
    batcher = Batcher(line.send)
    line.open.clear()
    asking = asyncio.create_task(batcher.reply_to((1,)))
    await _steps(5)
    assert line.batches == [1]
    for flight in set(batcher._tasks):
        flight.cancel()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.wait({asking})
    assert asking.cancelled()
