"""The follower of the shard logs: whom it wakes, and how often it asks the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import EventStore, Pointer, Shard, Version
from tafelrunde.service.views import notifier as module
from tafelrunde.service.views.notifier import Notifier
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio

MATCH = MatchId("m")
TURNS = 100
"""Turns of the event loop: more than any step between two readings takes."""


class Busy:
    """Events of a store in which a match moves all the time, with a count of the readings."""

    def __init__(self, events: EventStore) -> None:
        self._events = events
        self.readings = 0

    def __getattr__(self, name: str) -> object:
        """Return what is the same in every store."""
        return getattr(self._events, name)

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return one more line."""
        await asyncio.sleep(0)
        self.readings += 1
        return [Pointer(Shard(0), f"{self.readings}-0", MATCH, Version(self.readings))]


@asynccontextmanager
async def followed() -> AsyncGenerator[tuple[Notifier, Busy]]:
    """Run a notifier over a busy store."""
    store = Busy(memory_stores().events)
    notifier = Notifier(store)  # type: ignore[arg-type]  # it has all methods
    running = asyncio.create_task(notifier.run())
    try:
        yield notifier, store
    finally:
        running.cancel()
        await asyncio.wait({running})


async def turn() -> None:
    """Let everything else go on as far as it can without waiting."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def test_busy_store_is_left_alone_while_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much happens, nothing is read for no one; the first who waits hears at once of what came meanwhile."""
    monkeypatch.setattr(module, "IDLE_SECONDS", PATIENCE_SECONDS)
    async with followed() as (notifier, store):
        await turn()
        assert store.readings == 1
        with notifier.moves_of(MATCH) as moved:
            await asyncio.wait_for(moved.wait(), PATIENCE_SECONDS / 2)
            assert store.readings == 2


async def test_lines_come_together_while_someone_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a pause after each reading, so a busy store is not read for each command."""
    monkeypatch.setattr(module, "REST_SECONDS", PATIENCE_SECONDS)
    async with followed() as (notifier, store):
        with notifier.moves_of(MATCH) as moved:
            await asyncio.wait_for(moved.wait(), PATIENCE_SECONDS)
            await turn()
            assert store.readings == 1
