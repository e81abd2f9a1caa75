"""One round trip for all who ask at the same time: with many tasks at work, most of a command's cost is its round trip."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

Value: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"
Send: TypeAlias = "Callable[[Sequence[Sequence[Value]]], Awaitable[Sequence[Reply | Exception]]]"

FLIGHTS = 2


class Gathering:
    """Sends commands in batches: whoever asks while `FLIGHTS` batches are under way goes with the next one.

    A lone command leaves at once. The order of commands is kept within a batch only.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: list[tuple[Sequence[Value], asyncio.Future[Reply]]] = []
        self._flights: set[asyncio.Task[None]] = set()

    async def reply_to(self, command: Sequence[Value]) -> Reply:
        """Return the reply to one command, or raise what the server or the connection raised."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        if len(self._flights) < FLIGHTS:
            flight = asyncio.create_task(self._fly())
            self._flights.add(flight)
            flight.add_done_callback(self._flights.discard)
        return await answer

    async def _fly(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                replies = await self._send([command for command, _ in batch])
            except Exception as error:
                replies = [error] * len(batch)
            for (_, answer), reply in zip(batch, replies, strict=True):
                _tell(answer, reply)


def _tell(answer: asyncio.Future[Reply], reply: Reply | Exception) -> None:
    if answer.done():  # whoever asked has given up
        return
    if isinstance(reply, Exception):
        answer.set_exception(reply)
    else:
        answer.set_result(reply)
