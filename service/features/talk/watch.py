"""Wakes those who wait for the next line of a room: at once for what this process has written, else by looking at the store."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ...errors import StoreUnavailable
from ...runtime.outage import Outage
from .port import LineStore, Place

LOOK_SECONDS = 0.25
"""How often the rooms are looked at for which someone waits here: one command for all of them."""
RETRY_SECONDS = 0.25


class TalkWatch:
    """Wakes waiters. No wake-up is lost if they enter `moves_of`, clear, read, then wait."""

    def __init__(self, store: LineStore) -> None:
        self._store = store
        self._outage = Outage("talk: store")
        self._waiters: dict[Place, set[asyncio.Event]] = {}
        self._known: dict[Place, int] = {}
        self._wanted = asyncio.Event()
        self.draining = False

    @contextmanager
    def moves_of(self, place: Place) -> Generator[asyncio.Event]:
        """Yield an event that is set whenever there may be another line."""
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
        ends = await self._store.ends(places)
        self.wake([place for place, end in zip(places, ends, strict=True) if self._known.get(place) != end])
        self._known = {place: end for place, end in zip(places, ends, strict=True) if place in self._waiters}

    def wake(self, places: Sequence[Place]) -> None:
        """Wake those who wait for some rooms."""
        for place in places:
            for event in self._waiters.get(place, ()):
                event.set()

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self.draining = True
        self.wake(list(self._waiters))
