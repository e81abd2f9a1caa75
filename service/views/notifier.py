"""The notifier: one follower of the shard logs per process wakes all waiters when a match moves."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress

from ...domain.match import MatchId
from ..errors import StoreUnavailable
from ..ports.events import EventStore, Shard
from ..runtime.outage import Outage

BLOCK_MS = 1_000
RETRY_SECONDS = 0.25
REST_SECONDS = 0.005
"""The pause between two readings, so that a busy store is read a few times and not for each command."""
IDLE_SECONDS = 1.0
"""The same while nothing waits here; the first waiter ends it."""


class Notifier:
    """Wakes waiters. No wake-up is lost if they enter `moves_of`, clear, read, then wait."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._outage = Outage("feeds: store")
        self._waiters: dict[MatchId, set[asyncio.Event]] = {}
        self._wanted = asyncio.Event()
        self.draining = False

    @contextmanager
    def moves_of(self, match: MatchId) -> Generator[asyncio.Event]:
        """Yield an event for this caller that is set whenever the match moves."""
        event = asyncio.Event()
        waiters = self._waiters.setdefault(match, set())
        waiters.add(event)
        self._wanted.set()
        try:
            yield event
        finally:
            waiters.discard(event)
            if not waiters:
                self._waiters.pop(match, None)

    async def run(self) -> None:
        """Follow the shard logs until cancelled; after a gap in the connection wake all waiters."""
        positions = await self._positions()
        while True:
            try:
                pointers = await self._store.follow(positions, BLOCK_MS)
            except StoreUnavailable as error:
                self._outage.met(error)
                await asyncio.sleep(RETRY_SECONDS)
                self.wake_all()
                continue
            self._outage.over()
            for pointer in pointers:
                positions[pointer.shard] = pointer.position
                self.wake(pointer.match)
            await self._rest()

    async def _rest(self) -> None:
        """Let lines come together. Positions stay where they are, so what a waiter must hear of is read after it."""
        if self._waiters:
            await asyncio.sleep(REST_SECONDS)
            return
        self._wanted.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                await self._wanted.wait()

    async def _positions(self) -> dict[Shard, str]:
        while True:
            try:
                return dict(await self._store.ends())
            except StoreUnavailable as error:
                self._outage.met(error)
                await asyncio.sleep(RETRY_SECONDS)

    def wake(self, match: MatchId) -> None:
        """Wake those who wait for this match."""
        for event in self._waiters.get(match, ()):
            event.set()

    def wake_all(self) -> None:
        """Wake all waiters."""
        for match in self._waiters:
            self.wake(match)

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self.draining = True
        self.wake_all()
