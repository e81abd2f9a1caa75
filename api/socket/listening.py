"""What a session sends of a feature, beside the matches that it follows."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import structlog

from ...service.runtime.connections import ROOM_BYTES
from ..http.asking import Source

if TYPE_CHECKING:
    from .session import Session

log = structlog.get_logger(__name__)


class Listening:
    """Sends frames as they come, and asks for no more while the client takes nothing.

    It is the gate behind which its source reads: of all that a session hears, one reads at a time, and only what there is room
    for. The others wait with nothing in their hands, the oldest first. *reading* is held by who reads.
    """

    __slots__ = ("_entered", "_reading", "_room", "_session", "_source", "_task")

    def __init__(self, session: Session, reading: asyncio.Lock, source: Source) -> None:
        self._session = session
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
                    self._session.send(frame)
                    self.leave()
                    await self._find_room()
        except Exception as error:
            log.exception("a socket heard no more", error=type(error).__name__)
            self._session.fail(error)
        finally:
            self.leave()

    async def _find_room(self) -> None:
        """Wait until the client has taken what it was sent."""
        while self._session.transport.unsent > ROOM_BYTES:
            self._room.clear()
            self._session.wait(self)
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
