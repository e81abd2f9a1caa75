"""The follower of the shard logs: whom it wakes, and how often it asks the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import EventStore, Pointer, Shard, Version, Written
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
        self.asked = 0
        self.fifth = asyncio.Event()

    def __getattr__(self, name: str) -> object:
        """Return what is the same in every store."""
        return getattr(self._events, name)

    async def listen(self, heard: object) -> None:
        """Refuse."""
        self.asked += 1
        raise StoreUnavailable("no", "NOPERM")

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return one more line."""
        await asyncio.sleep(0)
        self.readings += 1
        if self.readings == 5:
            self.fifth.set()
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
        with notifier.move_event(MATCH) as moved:
            await asyncio.wait_for(moved.wait(), PATIENCE_SECONDS / 2)
            assert store.readings == 2


async def test_lines_come_together_while_someone_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a pause after each reading, so a busy store is not read for each command."""
    for name in ("REST_SECONDS", "LISTENING_REST_SECONDS"):
        monkeypatch.setattr(module, name, PATIENCE_SECONDS)
    async with followed() as (notifier, store):
        with notifier.move_event(MATCH) as moved:
            await asyncio.wait_for(moved.wait(), PATIENCE_SECONDS)
            await turn()
            assert store.readings == 1


async def test_store_that_refuses_listeners_is_seldom_asked() -> None:
    """A try to listen that fails is not repeated with each reading."""
    async with followed() as (notifier, store):
        with notifier.move_event(MATCH):
            await asyncio.wait_for(store.fifth.wait(), PATIENCE_SECONDS)
        assert store.asked == 1


def told(version: int) -> Pointer:
    """Return the line of a version."""
    return Pointer(Shard(0), f"0-{version}", MATCH, Version(version))


def wrote(version: int) -> Written:
    """Return what this process has written up to a version."""
    return Written(Version(version), Version(version), replayed=False, position=f"0-{version}")


def test_newest_version_is_known_while_nothing_else_is_heard_of() -> None:
    """Own writing is known here; a line of another process, or a gap, makes it uncertain until the store was asked."""
    notifier = Notifier(memory_stores().events)
    notifier.on_written(MATCH, wrote(1))
    assert notifier.newest(MATCH) is None
    woken: list[Version | None] = []
    with notifier.watch(MATCH):
        end = notifier.on_move(MATCH, lambda: woken.append(notifier.newest(MATCH)))
        notifier.on_written(MATCH, wrote(2))
        notifier.on_line(told(2))
        notifier.on_line(told(1))
        assert woken == [2]
        notifier.on_line(told(3))
        look = notifier.probe(MATCH)
        look.confirm(Version(3))
        assert (woken, notifier.newest(MATCH)) == ([2, None], 3)
        notifier.wake_all()
        end()
        notifier.on_line(told(4))
        assert (woken, notifier.newest(MATCH)) == ([2, None, None], None)
    assert notifier.newest(MATCH) is None


def test_answer_of_the_store_is_not_the_newest_if_more_was_heard_of_meanwhile() -> None:
    """A line that comes while the store is asked may be newer than the answer."""
    notifier = Notifier(memory_stores().events)
    with notifier.watch(MATCH):
        look = notifier.probe(MATCH)
        notifier.on_line(told(5))
        look.confirm(Version(4))
        assert notifier.newest(MATCH) is None


def test_line_that_is_heard_of_before_the_answer_to_its_own_writer_wakes_once() -> None:
    """The answer of the store then only says that this process has the newest version."""
    notifier = Notifier(memory_stores().events)
    woken = list[None]()
    with notifier.watch(MATCH):
        end = notifier.on_move(MATCH, lambda: woken.append(None))
        notifier.on_line(told(1))
        notifier.on_written(MATCH, wrote(1))
        assert (len(woken), notifier.newest(MATCH)) == (1, 1)
        notifier.on_line(told(2))
        notifier.on_written(MATCH, wrote(1))
        assert (len(woken), notifier.newest(MATCH)) == (2, None)
        end()
