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

Place = TypeVar("Place", bound=Hashable)


class EndWatch(Generic[Place]):
    """Wakes waiters. No wake-up is lost if they enter `moves_of`, clear, read, then wait.

    *ends* returns where some lists end now, in their order; *name* is what the log calls the store while it does not answer.
    """

    def __init__(self, name: str, ends: Callable[[Sequence[Place]], Awaitable[Sequence[int]]]) -> None:
        self._ends = ends
        self._outage = Outage(name)
        self._waiters: dict[Place, set[asyncio.Event]] = {}
        self._known: dict[Place, int] = {}
        self._wanted = asyncio.Event()
        self.draining = False

    @contextmanager
    def moves_of(self, place: Place) -> Generator[asyncio.Event]:
        """Yield an event that is set whenever there may be more."""
        event = asyncio.Event()
        waiters = self._waiters.setdefault(place, set())
        waiters.add(event)
        self._wanted.set()
        try:
            yield event
        finally:
            waiters.discard(event)
            if not waiters:
                self._waiters.pop(place, None)
                self._known.pop(place, None)

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
        places = list(self._waiters)
        ends = await self._ends(places)
        self.wake([place for place, end in zip(places, ends, strict=True) if self._known.get(place) != end])
        self._known = {place: end for place, end in zip(places, ends, strict=True) if place in self._waiters}

    def wake(self, places: Sequence[Place]) -> None:
        """Wake those who wait for something at some places."""
        for place in places:
            for event in self._waiters.get(place, ()):
                event.set()

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self.draining = True
        self.wake(list(self._waiters))
