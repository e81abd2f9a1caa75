"""Clocks that are moved while matches run: that of the server, and that of a process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.domain.match.events import DecisionOpened, TimedOut
from tafelrunde.service.application import Application
from tafelrunde.service.errors import ClockMoved, StoreUnavailable
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import Written
from tafelrunde.service.redis_store import LOOK_SECONDS, RedisStores
from tafelrunde.service.redis_store.client import Client
from tafelrunde.service.settings import Settings
from tests.service.story import Tale, another
from tests.support.moved_clock import MovedClock
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import run
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
HOUR = 3_600
HOST = PlayerId("p-host")


@pytest.fixture
def clock(short_path: Path) -> MovedClock:
    """The clock of the server."""
    return MovedClock(short_path)


@pytest.fixture
def server(short_path: Path, clock: MovedClock) -> Iterator[Server]:
    """A server whose clock the test moves."""
    server = Server("redis7", short_path)
    server.environment = clock.environment
    with server:
        yield server


@asynccontextmanager
async def tended(server: Server) -> AsyncGenerator[Application]:
    """Give a service whose duties are done in this process."""
    async with await RedisStores.connect(server.url) as stores:
        application = Application(stores, Settings(bot_pause_ms=50))
        tending = asyncio.create_task(application.tend())
        try:
            yield application
        finally:
            tending.cancel()
            await asyncio.gather(tending, return_exceptions=True)


async def opened(application: Application, seconds: int) -> MatchId:
    """Start a match of a person who never answers with a bot."""
    new = NewMatch(
        game=GameId("coup"),
        seats=2,
        seat=Seat(0),
        options={"first_seat": 0},
        bots={Seat(1): BotName("random")},
        clock=Clock(turn_seconds=seconds, reaction_seconds=seconds, stand_in_after=0),
        start=True,
    )
    return (await application.matches.open(HOST, new, f"open-{seconds}")).match


async def reaches(application: Application, match: MatchId, version: int) -> None:
    """Wait until a match has got as far as a version, or is over."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (loaded := await application.repository.load_latest(match)).version < version:
            if loaded.match.status is Status.OVER:
                return
            await asyncio.sleep(0.02)


async def strikes(application: Application, match: MatchId) -> list[tuple[int, int]]:
    """Return when each default was played, and when the time for it was up."""
    loaded = await application.repository.load_latest(match)
    found = list[tuple[int, int]]()
    deadline_ms = 0
    for entry in loaded.entries[: loaded.version]:
        envelope, event = application.repository.codec.decode(entry)
        if isinstance(event, DecisionOpened):
            deadline_ms = event.deadline_ms
        elif isinstance(event, TimedOut):
            found.append((envelope.time_ms, deadline_ms))
    return found


async def test_play_goes_on_when_the_clock_of_the_server_is_set_back_and_forward(server: Server, clock: MovedClock) -> None:
    """Back by an hour, clocks and bots of open matches go on within seconds; forward, open clocks strike at once."""
    async with tended(server) as application:
        match = await opened(application, 2)
        patient = await opened(application, 2 * HOUR)
        await reaches(application, match, (await application.repository.load_latest(match)).version + 1)
        for moved in (-HOUR, 0):
            clock.move(moved)
            version = (await application.repository.load_latest(match)).version
            await reaches(application, match, version + 8)
        assert [late >= due or due - late > 1_800_000 for late, due in await strikes(application, match)].count(False) == 0
        assert not await strikes(application, patient)
        loaded = await application.repository.load_latest(match)
        times = [application.repository.codec.decode(entry)[0].time_ms for entry in loaded.entries[: loaded.version]]
        assert min(times) < time.time_ns() // 1_000_000 - 1_800_000, "the time of events is the server's"
        clock.move(2 * HOUR)
        version = (await application.repository.load_latest(patient)).version
        await reaches(application, patient, version + 1)


async def test_no_deadline_comes_early_when_the_clock_of_a_process_is_ahead(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five seconds ahead on a clock of three: the process works by the server's clock, and its own means nothing."""
    honest = time.time_ns
    async with tended(server) as application:
        monkeypatch.setattr(time, "time_ns", lambda: honest() + 5_000_000_000)
        assert abs(application.now_ms() - honest() // 1_000_000) < 2_000
        match = await opened(application, 3)
        version = (await application.repository.load_latest(match)).version
        await reaches(application, match, version + 1)
        struck = await strikes(application, match)
        assert struck
        assert all(struck_ms >= due_ms for struck_ms, due_ms in struck)
        await application.stores.server_time.follow()
        assert application.clock_ahead_ms() in range(4_000, 5_001)


@pytest.mark.parametrize(("moved", "word"), [(3, "behind"), (-3, "ahead of")])
def test_process_does_not_start_when_its_clock_differs(server: Server, clock: MovedClock, moved: int, word: str) -> None:
    """Over half a second it is refused with one sentence, which says what to do."""
    clock.move(moved)
    ended = run("sweeper", redis_url=server.url)
    assert ended.returncode == 2
    assert f"The clock of this machine is 3.0 s {word} that of the server of the store (REDIS_URL)" in ended.stderr
    assert "NTP" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_child_of_serve_waits_until_the_clocks_agree(server: Server, clock: MovedClock) -> None:
    """It would be refused and started again, over and over: it says so once, and goes on when the clock is right."""
    clock.move(-3)
    with capture_logs() as lines:
        connecting = asyncio.create_task(RedisStores.connect(server.url, patient=True))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not lines and not connecting.done():  # noqa: ASYNC110 - the log sets no event
                await asyncio.sleep(0.02)
        await asyncio.sleep(3 * LOOK_SECONDS)
        assert not connecting.done()
        clock.move(0)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await (await connecting).close()
    waited = [line["reason"] for line in lines if line["event"] == "store cannot be used, waiting"]
    assert len(waited) == 1
    assert waited[0].startswith("The clock of this machine is 3.0 s ahead of that of the server of the store (REDIS_URL)")


async def test_server_that_goes_away_while_clocks_are_compared_is_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at any other step of a patient start."""
    measure = Client.measure
    failures = [StoreUnavailable("gone")]

    async def fail_once(client: Client) -> None:
        if failures:
            raise failures.pop()
        await measure(client)

    monkeypatch.setattr(Client, "measure", fail_once)
    await (await RedisStores.connect(server.url, patient=True)).close()
    assert failures == []


@pytest.mark.parametrize("off_ms", [2_000, -60_000])
async def test_nothing_is_written_at_a_time_that_is_not_the_servers(server: Server, off_ms: int) -> None:
    """A decision made by another clock is refused and decided again; a retry of what was written is answered as before."""
    async with await RedisStores.connect(server.url) as stores:
        batch = another(Tale().batch("k", b"x"), by_the_clock=True, time_ms=stores.server_time.now_ms() + off_ms)
        with pytest.raises(ClockMoved):
            await stores.events.append(batch)
        assert await stores.events.head(batch.match) is None
        written = await stores.events.append(another(batch, time_ms=stores.server_time.now_ms()))
        assert await stores.events.append(batch) == Written(written.first, written.last, replayed=True)


async def test_nothing_is_written_before_plans_have_come_nearer(server: Server, clock: MovedClock) -> None:
    """So no plan of the time after the clock was set back is taken for one of the time before."""
    async with await RedisStores.connect(server.url) as stores:
        now_ms = stores.server_time.now_ms()
        await stores.events.append(another(Tale().batch("k", b"x"), deadline_ms=now_ms + 60_000))
        await stores.server_time.follow()
        clock.move(-HOUR)
        batch = another(Tale(MatchId("m-2")).batch("k", b"y"), by_the_clock=True, time_ms=now_ms - 1_000 * HOUR)
        with pytest.raises(ClockMoved):
            await stores.events.append(batch)
        next_ms = (await stores.agenda.claim(AgendaKind.DEADLINE, None, 1, 1)).next_ms
        assert next_ms is not None
        assert abs(next_ms - (now_ms - 1_000 * HOUR + 60_000)) < 2_000
        assert await stores.server_time.follow() == 0
        await stores.events.append(another(batch, time_ms=stores.server_time.now_ms()))


async def test_lease_of_a_dead_owner_lasts_no_longer_when_the_clock_is_set_back(server: Server, clock: MovedClock) -> None:
    """An expiry is a time of day to the server: a lease of a second would last an hour more."""
    async with await RedisStores.connect(server.url) as stores:
        assert await stores.leases.take("rater", "dead", 1_000)
        clock.move(-HOUR)
        async with asyncio.timeout(PATIENCE_SECONDS):
            taken = False
            while not taken:
                await asyncio.sleep(0.05)
                taken = await stores.leases.take("rater", "alive", 1_000)
