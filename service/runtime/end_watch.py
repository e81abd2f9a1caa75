"""Wakes those who wait for what comes to an end of a list: at once for what this process adds, else by looking at the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from ..errors import StoreUnavailable
from .outage import Outage

LOOK_SECONDS = 0.25
"""How often the ends are looked at for which someone waits here: one command for all of them."""
RETRY_SECONDS = 0.25

Topic = TypeVar("Topic", bound=Hashable)


class EndWatch(Generic[Topic]):
    """Wakes waiters. No wake-up is lost if they enter `moves_of`, clear, read, then wait.

    *ends* returns where some lists end now, in their order; *name* is what the log calls the store while it does not answer.
    """

    def __init__(self, name: str, ends: Callable[[Sequence[Topic]], Awaitable[Sequence[int]]]) -> None:
        self._ends = ends
        self._outage = Outage(name)
        self._waiters: dict[Topic, set[asyncio.Event]] = {}
        self._known: dict[Topic, int] = {}
        self._wanted = asyncio.Event()
        self.draining = False

    @contextmanager
    def moves_of(self, topic: Topic) -> Generator[asyncio.Event]:
        """Yield an event that is set whenever there may be more."""
        event = asyncio.Event()
        waiters = self._waiters.setdefault(topic, set())
        waiters.add(event)
        self._wanted.set()
        try:
            yield event
        finally:
            waiters.discard(event)
            if not waiters:
                self._waiters.pop(topic, None)
                self._known.pop(topic, None)

    async def run(self) -> None:
        """Look, and wake, until cancelled."""
        while True:
            if not self._waiters:
                self._wanted.clear()
                await self._wanted.wait()
            try:
                await self._look()
            except StoreUnavailable as error:
                self._outage.note(error)
                self.wake(list(self._waiters))
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._outage.over()
                await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        topics = list(self._waiters)
        ends = await self._ends(topics)
        self.wake([topic for topic, end in zip(topics, ends, strict=True) if self._known.get(topic) != end])
        self._known = {topic: end for topic, end in zip(topics, ends, strict=True) if topic in self._waiters}

    def wake(self, topics: Sequence[Topic]) -> None:
        """Wake those who wait for something at some topics."""
        for topic in topics:
            for event in self._waiters.get(topic, ()):
                event.set()

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self.draining = True
        self.wake(list(self._waiters))
