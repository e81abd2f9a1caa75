"""What a session sends of a feature, beside the matches that it follows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import structlog

from ..http.asking import Source
from .backpressure import Backpressure

log = structlog.get_logger(__name__)


class Listening:
    """Sends frames as they come, and asks for no more while the client takes nothing.

    It is the gate behind which its source reads: of all that a session hears, one reads at a time, and only what there is room
    for. The others wait with nothing in their hands, the oldest first. *reading* is held by who reads;
    *fail* ends the connection.
    """

    __slots__ = ("_entered", "_fail", "_flow", "_reading", "_room", "_source", "_task")

    def __init__(self, flow: Backpressure, fail: Callable[[Exception], None], reading: asyncio.Lock, source: Source) -> None:
        self._flow = flow
        self._fail = fail
        self._reading = reading
        self._source = source
        self._entered = False
        self._room = asyncio.Event()
        self._task = asyncio.ensure_future(self._send())

    async def enter(self) -> None:
        """Wait until this one may read."""
        if not self._entered:
            await self._reading.acquire()
            self._entered = True
        await self._find_room()

    def leave(self) -> None:
        """Let the next one read, if this one did."""
        if self._entered:
            self._entered = False
            self._reading.release()

    async def _send(self) -> None:
        try:
            async with aclosing(self._source(self)) as events:
                async for frame in events:
                    self._flow.send(frame)
                    self.leave()
                    await self._find_room()
        except Exception as error:
            log.exception("a socket heard no more", error=type(error).__name__)
            self._fail(error)
        finally:
            self.leave()

    async def _find_room(self) -> None:
        """Wait until the client has taken what it was sent."""
        while self._flow.is_full:
            self._room.clear()
            self._flow.wait(self)
            await self._room.wait()

    def follow(self) -> None:
        """Go on: the client has taken what it was sent."""
        self._room.set()

    @property
    def over(self) -> bool:
        """Whether nothing more comes."""
        return self._task.done()

    def stop(self) -> None:
        """End, and send nothing more."""
        self._task.cancel()
        self._flow.forget(self)
