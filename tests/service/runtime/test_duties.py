"""A house that tends itself, for hosts without workers: nothing ends it, and nobody waits for what fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.runtime.duties import REST_MS
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio

HOST = PlayerId("host")


class Host:
    """A house with a clock in the test's hand, and its duties under way."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.application = Application(memory_stores(), Settings(bot_pause_ms=0, sweep_ms=5), now_ms=lambda: self.now_ms)
        self.tending = asyncio.create_task(self.application.tend())
        self.failing = ""

    async def open(self, key: str, *, bots: int, seconds: int = 600) -> MatchId:
        """Start a match of the host against bots, or of bots alone."""
        seats = {Seat(seat): BotName("random") for seat in range(2 - bots, 2)}
        clock = Clock(turn_seconds=seconds, reaction_seconds=seconds)
        new = NewMatch(game=GameId("coup"), seats=2, seat=None if bots == 2 else Seat(0), bots=seats, clock=clock, start=True)
        return (await self.application.matches.open(HOST, new, key)).match

    async def over(self, match: MatchId) -> bool:
        """Return whether a match is over."""
        return (await self.application.repository.current(match)).match.status is Status.OVER

    async def until(self, truth: Callable[[], object]) -> None:
        """Wait for something to become true while the duties are done."""
        limit = time.monotonic() + PATIENCE_SECONDS
        while True:
            assert not self.tending.done()
            found = truth()
            if await found if asyncio.iscoroutine(found) else found:
                return
            assert time.monotonic() < limit
            await asyncio.sleep(0.005)


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    """A host app without workers."""
    host = Host()
    yield host
    host.tending.cancel()
    await asyncio.wait({host.tending})


async def test_duties_go_on_when_the_store_was_away(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots, clocks and lists wait for it, each by itself, and go on."""
    claim, away = host.application.stores.agenda.claim, list[AgendaKind]()

    async def stay_away(kind: AgendaKind, now_ms: int, lease_ms: int, limit: int) -> Claims:
        if away.count(kind) < 3:
            away.append(kind)
            raise StoreUnavailable("away")
        return await claim(kind, now_ms, lease_ms, limit)

    monkeypatch.setattr(host.application.stores.agenda, "claim", stay_away)
    bots, person = await host.open("bots", bots=2), await host.open("person", bots=1, seconds=1)
    await host.until(lambda: host.over(bots))
    host.now_ms += 2_000
    await host.until(lambda: _moved(host, person))
    assert set(away) >= {AgendaKind.DEADLINE, AgendaKind.WORK}
    await host.until(lambda: _listed(host, bots))


async def _moved(host: Host, match: MatchId) -> bool:
    asked = (await host.application.repository.current(match)).match.asked
    return asked is None or asked.deadline_ms > host.now_ms


async def _listed(host: Host, match: MatchId) -> bool:
    return match in [row.match for row in await host.application.stores.rows.rows(Listing(player=HOST))]


async def test_match_whose_bot_fails_does_not_stop_the_others(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left alone for a rest, then tried again; all other matches have their bots."""
    play, tried, mended = host.application.process_manager.play_bots, list[int](), list[bool]()

    async def fail(match: MatchId, until_ms: int | None = None, **more: Any) -> object:
        nonlocal bad
        bad = bad or match  # the first match: it may be tried before `open` has returned its id
        if match == bad and not mended:
            tried.append(host.now_ms)
            raise ZeroDivisionError
        return await play(match, until_ms, **more)

    bad = MatchId("")
    host.tending.cancel()
    monkeypatch.setattr(host.application.process_manager, "play_bots", fail)
    host.tending = asyncio.create_task(host.application.tend())
    opened = await host.open("bad", bots=2)
    await host.until(lambda: tried)
    assert bad == opened
    good = await host.open("good", bots=2)
    await host.until(lambda: host.over(good))
    host.now_ms += REST_MS - 1
    another = await host.open("another", bots=2)
    await host.until(lambda: host.over(another))
    assert tried == [1_000_000]
    mended.append(True)
    host.now_ms += 1
    await host.until(lambda: host.over(bad))


async def test_duty_that_fails_rests_and_is_tried_again(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings that cannot be kept cost nobody a turn, and fill no log."""
    tried, catch_up = list[int](), host.application.rating_projector.catch_up

    async def fail() -> int:
        tried.append(host.now_ms)
        if len(tried) == 1:
            raise ZeroDivisionError
        return await catch_up()

    host.tending.cancel()
    monkeypatch.setattr(host.application.rating_projector, "catch_up", fail)
    host.tending = asyncio.create_task(host.application.tend())
    match = await host.open("bots", bots=2)
    await host.until(lambda: host.over(match))
    await host.until(lambda: tried)
    assert tried == [1_000_000]
    host.now_ms += REST_MS
    await host.until(lambda: len(tried) > 1)
