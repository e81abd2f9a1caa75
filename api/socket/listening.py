"""What a session sends of a feature, beside the matches that it follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec
import structlog

from ...service.runtime.connections import ROOM_BYTES

if TYPE_CHECKING:
    from .session import Session

log = structlog.get_logger(__name__)


class Listening:
    """Sends frames as they come. While the client takes nothing, no more is asked for: what was already is sent all the same."""

    __slots__ = ("_events", "_room", "_session", "_task")

    def __init__(self, session: Session, events: AsyncGenerator[msgspec.Struct]) -> None:
        self._session = session
        self._events = events
        self._room = asyncio.Event()
        self._task = asyncio.ensure_future(self._send())

    async def _send(self) -> None:
        try:
            async with aclosing(self._events) as events:
                async for frame in events:
                    self._session.send(frame)
                    while self._session.transport.unsent > ROOM_BYTES:
                        self._room.clear()
                        self._session.wait(self)
                        await self._room.wait()
        except Exception as error:
            log.exception("a socket heard no more", error=type(error).__name__)
            self._session.fail(error)

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
