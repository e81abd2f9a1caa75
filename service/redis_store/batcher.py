"""One round trip for concurrent callers: with many tasks at work, most of a command's cost is its round trip."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from redis.exceptions import TimeoutError as TimedOut

Value: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"
Batch: TypeAlias = "list[tuple[Sequence[Value], asyncio.Future[Reply]]]"
Send: TypeAlias = "Callable[[Sequence[Sequence[Value]]], Awaitable[Sequence[Reply | Exception]]]"

FLIGHTS = 2


class Batcher:
    """Sends commands in batches: a command that arrives while `FLIGHTS` batches are under way joins the next one.

    A lone command leaves at once. The order of commands is kept within a batch only. When a batch times out, what waits for it
    to come back fails with it: it has waited for as long.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: Batch = []
        self._flights = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def reply_to(self, command: Sequence[Value]) -> Reply:
        """Return the reply to one command, or raise what the server or the connection raised."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if self._flights < FLIGHTS:
            self._flights += 1
            flight = asyncio.create_task(self._fly())
            self._tasks.add(flight)
            flight.add_done_callback(self._tasks.discard)
        return await answer

    @property
    def flights(self) -> frozenset[asyncio.Task[None]]:
        """The batches under way, whether a caller still waits for them or not."""
        return frozenset(self._tasks)

    async def _fly(self) -> None:
        """Send batches of waiting commands until none waits.

        The flight counts as ended in the same step in which it finds no command waiting. If it counted until its task is done,
        a command that arrives in between would wait for a flight that never comes.
        """
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._carry(batch)
        finally:
            self._flights -= 1

    async def _carry(self, batch: Batch) -> None:
        try:
            replies = await self._send([command for command, _ in batch])
        except TimedOut as error:
            batch, self._waiting = [*batch, *self._waiting], []
            replies = [error] * len(batch)
        except Exception as error:
            replies = [error] * len(batch)
        except BaseException:  # cancelled: no answer will come
            for _, answer in batch:
                answer.cancel()
            raise
        for (_, answer), reply in zip(batch, replies, strict=True):
            _tell(answer, reply)


def _tell(answer: asyncio.Future[Reply], reply: Reply | Exception) -> None:
    if answer.done():  # the caller has given up
        return
    if isinstance(reply, Exception):
        answer.set_exception(reply)
    else:
        answer.set_result(reply)
