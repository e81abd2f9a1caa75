"""The duties of a deployment under a sweeper and in the process of a host: nothing ends them."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.game import Command, GameId, Rng, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.search import Budget
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.duties import InProcess, duties
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.failures import Failures
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.ratings.feature import STORE as RATINGS
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.webhooks.duty import Dispatcher
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import AttemptOutcome
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.outgoing.http_sender import Result
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.consumer import REST_SECONDS, RETRY_SECONDS, Consumer, run_together
from tafelrunde.service.runtime.match_task import REST_MS, attempt, run_limited
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Durability, LimitSettings, Settings
from tests.support.clockwork import run
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server
from tests.support.wrapped import wrapped

HOST, UNLUCKY = PlayerId("host"), PlayerId("unlucky")
SETTINGS = Settings(bot_pause_ms=0, archive_after_seconds=0, limits=LimitSettings(bot_matches_per_host=100))
TURN_SECONDS = 30
ALL_DUTIES = {
    "memory",
    "deletions",
    "clocks",
    "time",
    "bots",
    "projector",
    "archiving",
    "expiry",
    "ratings",
    "outbox",
    "webhook sender",
    "webhook sender: lease renewal",
    "moderation",
    "webhook sender: expiry",
    "notices",
    "notice mail",
    "quick matches",
    "tournaments",
}
SELDOM = {"bots that think", "puzzles"}
"""Duties that need not query the store while it is away for 90 seconds."""


class Style(Enum):
    """Who has the duties: a sweeper beside a worker that takes jobs from a queue, or a host that has neither."""

    SWEEPER = "sweeper"
    HOST = "host"


class Store:
    """A store that can be away: then every call is refused."""

    def __init__(self, store: object, deployment: Deployment) -> None:
        self._store = store
        self._deployment = deployment

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **named: Any) -> object:
            if self._deployment.away:
                raise StoreUnavailable
            return await found(*args, **named)

        return call


class Accepting:
    """A receiver of webhooks that says yes to everything, and counts the types of what it got."""

    def __init__(self) -> None:
        self.got: Counter[str] = Counter()

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return that it went well."""
        self.got[msgspec.json.decode(body)["type"]] += 1
        return Result(AttemptOutcome.DELIVERED, 204)


class Deployment:
    """A service whose duties are under way. `working` is the task of the duties."""

    def __init__(self, style: Style, stores: Stores, now_ms: Callable[[], int]) -> None:
        self.away = False
        self.added_ms = 0
        self.now_ms = lambda: now_ms() + self.added_ms
        stores = wrapped(stores, lambda _, store: Store(store, self))
        self.application = Application(stores, SETTINGS, now_ms=self.now_ms)
        self.stores = stores
        self.receiver = Accepting()
        self.jobs: asyncio.Queue[tuple[AgendaKind, MatchId]] = asyncio.Queue()
        self.style = style
        self._count = 0

    async def work(self) -> None:
        """Do the duties until cancelled."""
        application = self.application if self.style is Style.HOST else Application(self.stores, SETTINGS, now_ms=self.now_ms)
        application.provide(Dispatcher, Dispatcher(WEBHOOKS.of(self.stores), self.receiver, self.now_ms))
        if self.style is Style.HOST:
            await application.tend()
        else:
            await run_together(duties(application, self._put))

    async def _put(self, kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        for match in matches:
            self.jobs.put_nowait((kind, match))

    async def take_jobs(self) -> None:
        """Do the jobs of the queue, as a worker does."""
        manager = self.application.process_manager
        while True:
            kind, match = await self.jobs.get()
            task = manager.time_out(match) if kind is AgendaKind.DEADLINE else manager.play_bots(match)
            await attempt(task, match, kind, self.stores.agenda, self.now_ms, self.application.failures)

    async def open(self, host: PlayerId, *, people: int = 0, seconds: int = TURN_SECONDS) -> MatchId:
        """Start a match of bots alone, or of one bot and a person who never answers."""
        self._count += 1
        bots = {Seat(seat): BotName(name) for seat, name in enumerate(("random", "honest")) if seat >= people}
        clock = Clock(turn_seconds=seconds, reaction_seconds=seconds)
        new = NewMatch(game=GameId("coup"), seats=2, seat=Seat(0) if people else None, bots=bots, clock=clock, start=True)
        return (await self.application.matches.open(host, new, f"open-{self._count}")).match

    async def state(self, match: MatchId) -> Match:
        """Return a match as it is."""
        return (await self.application.repository.load_latest(match)).match

    async def over(self, match: MatchId) -> bool:
        """Return whether a match is over."""
        return (await self.state(match)).status is Status.OVER

    async def followed(self, match: MatchId, ended: int) -> bool:
        """Return whether all has been done for a match that is over, the last of that number of matches that ended."""
        rows = await self.stores.rows.rows(Listing(player=HOST, status=Status.OVER))
        head = await self.stores.events.head(match)
        (leaves,) = await TREE.of(self.stores).indexes([match])
        return (
            match in [row.match for row in rows]
            and bool(leaves)
            and await RATINGS.of(self.stores).position() >= ended
            and head is not None
            and head.archived == head.version
            and self.receiver.got["match.ended"] >= ended
        )


@asynccontextmanager
async def deployed(style: Style, stores: Stores, now_ms: Callable[[], int]) -> AsyncGenerator[Deployment]:
    """Give a deployment at work. At its end nothing has ended by itself, and a cancellation ends all."""
    deployment = Deployment(style, stores, now_ms)
    before = asyncio.all_tasks()
    working = asyncio.create_task(deployment.work())
    taking = asyncio.create_task(deployment.take_jobs())
    try:
        yield deployment
        assert not working.done()
        assert not taking.done()
    finally:
        for task in (working, taking):
            task.cancel()
        await asyncio.wait({working, taking})
    assert working.cancelled()
    assert asyncio.all_tasks() == before


async def until(truth: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something to become true."""
    limit = time.monotonic() + PATIENCE_SECONDS
    loop = asyncio.get_running_loop()
    until_time = loop.time() + 3_600
    while not await truth():
        assert time.monotonic() < limit
        assert loop.time() < until_time
        await asyncio.sleep(0.05)


@pytest.fixture(params=Style)
def style(request: pytest.FixtureRequest) -> Style:
    """Each style in turn."""
    found = request.param
    assert isinstance(found, Style)
    return found


class Bug:
    """What the bots of one host's matches raise; None once it is mended."""

    error: type[BaseException] | None = ZeroDivisionError


@pytest.fixture
def lines() -> Iterator[Sequence[Mapping[str, Any]]]:
    """All lines of the log; to write them out would take longer than all else here."""
    with capture_logs() as lines:
        yield lines


@pytest.fixture
def bug(lines: Sequence[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch) -> Bug:
    """Plant a bug."""
    honest = turns.choose
    bug = Bug()

    def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
        if bug.error is not None and match.host == UNLUCKY:
            raise bug.error
        return honest(match, seat, rng, budget)

    monkeypatch.setattr(turns, "choose", choose)
    return bug


def clock_of_the_loop() -> int:
    """Return the time of the loop in milliseconds, from a day on."""
    return 86_400_000 + round(1000 * asyncio.get_running_loop().time())


async def outage(deployment: Deployment, kill: Callable[[], Awaitable[None]], back: Callable[[], Awaitable[None]]) -> None:
    """Let the store die in the middle of things, and check that everything goes on once it is back."""
    await deployment.application.get(PlayerWebhooks).make(HOST, "https://example.com/hook", TYPES, None, None)
    unlucky = await deployment.open(UNLUCKY, seconds=3_600)
    early = await deployment.open(HOST)
    person = await deployment.open(HOST, people=1)
    await until(lambda: deployment.over(early))
    asked = (await deployment.state(person)).asked
    assert asked is not None
    await kill()
    with pytest.raises(StoreUnavailable):
        await deployment.stores.events.head(person)
    await back()
    deployment.added_ms += 1000 * TURN_SECONDS
    late = await deployment.open(HOST)
    await until(lambda: deployment.over(late))
    await until(lambda: deployment.followed(late, ended=2))

    async def moved() -> bool:
        now_asked = (await deployment.state(person)).asked
        return now_asked is None or now_asked.deadline_ms > asked.deadline_ms

    await until(moved)
    assert not await deployment.over(unlucky)


def test_all_duties_go_on_when_the_store_was_away(
    style: Style, bug: Bug, lines: Sequence[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For 90 seconds, while a bot raises in one match: all else goes on, and that match as well once the bot is mended."""
    good: set[str] = set()
    honest = Consumer.round

    async def round_(consumer: Consumer) -> float:
        pause = await honest(consumer)
        if consumer._retry_seconds == RETRY_SECONDS and pause != REST_SECONDS:
            good.add(consumer.name)
        return pause

    monkeypatch.setattr(Consumer, "round", round_)

    async def main() -> None:
        async with deployed(style, memory_stores(), clock_of_the_loop) as deployment:

            async def kill() -> None:
                deployment.away = True
                await asyncio.sleep(1)
                good.clear()
                await asyncio.sleep(90)
                assert not good

            async def back() -> None:
                deployment.away = False

            await outage(deployment, kill, back)
            bug.error = None
            await until(lambda: _all_over(deployment, UNLUCKY))
            await asyncio.sleep(100)
            assert good - SELDOM == ALL_DUTIES

    run(main())
    away = {line["event"].removesuffix(": store unavailable") for line in lines if line["event"].endswith(": store unavailable")}
    assert away - SELDOM == ALL_DUTIES


async def _all_over(deployment: Deployment, host: PlayerId) -> bool:
    rows = await deployment.stores.rows.rows(Listing(player=host))
    return bool(rows) and all(row.status is Status.OVER for row in rows)


@pytest.mark.real
@pytest.mark.anyio
async def test_all_duties_go_on_when_the_server_was_killed(style: Style, bug: Bug, short_path: Path) -> None:
    """A server that dies and comes back costs what it was away for."""
    with Server("valkey", short_path, appendfsync="always") as server:
        async with (
            await RedisStores.connect(server.url, Durability.UNCHECKED) as stores,
            deployed(style, stores, unix_ms) as deployment,
        ):

            async def kill() -> None:
                server.kill()

            async def back() -> None:
                await asyncio.to_thread(server.start)

            await outage(deployment, kill, back)
            bug.error = None
            deployment.added_ms += REST_MS
            await until(lambda: _all_over(deployment, UNLUCKY))


def test_match_task_that_takes_too_long_is_one_line_in_the_log() -> None:
    """As when the store hangs in the middle of it: no trace, as that is no fault of this code."""

    async def main() -> None:
        stores = memory_stores()
        work = run_limited(asyncio.Event().wait())
        failures = Failures(stores.failures, clock_of_the_loop)
        await attempt(work, MatchId("m"), AgendaKind.WORK, stores.agenda, clock_of_the_loop, failures)

    with capture_logs() as lines:
        run(main())
    assert [(line["log_level"], line["event"], "exc_info" in line) for line in lines] == [
        ("warning", "match task took too long", False)
    ]


@pytest.mark.parametrize("error", [ZeroDivisionError, asyncio.CancelledError])
def test_match_whose_bot_raises_rests_alone(
    style: Style, bug: Bug, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again after each rest, no sooner; all other matches have their bots."""
    bug.error = error
    tried: list[int] = []
    planted = turns.choose

    def noted(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
        if match.host == UNLUCKY:
            tried.append(clock_of_the_loop())
        return planted(match, seat, rng, budget)

    async def main() -> None:
        async with deployed(style, memory_stores(), clock_of_the_loop) as deployment:
            unlucky = await deployment.open(UNLUCKY, seconds=600)
            for _ in range(4):
                good = await deployment.open(HOST)
                await until(lambda match=good: deployment.over(match))
                await asyncio.sleep(REST_MS / 1000)
            assert all(later - earlier >= REST_MS for earlier, later in pairwise(tried))
            assert len(tried) >= 3
            bug.error = None
            await until(lambda: deployment.over(unlucky))

    monkeypatch.setattr(turns, "choose", noted)
    run(main())


def test_duty_that_fails_rests_and_goes_on(style: Style, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings that cannot be kept cost no match its bots, and do not fill the log."""
    tried: list[float] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        async with deployed(style, memory_stores(), clock_of_the_loop) as deployment:
            position = RATINGS.of(deployment.stores).position
            ratings = RATINGS.of(deployment.stores)

            async def fail() -> int:
                tried.append(loop.time())
                if len(tried) < 4:
                    raise ZeroDivisionError
                return await position()

            monkeypatch.setattr(ratings, "position", fail, raising=False)
            match = await deployment.open(HOST)
            await until(lambda: deployment.over(match))
            assert len(tried) <= 1
            await asyncio.sleep(4 * REST_SECONDS)
            assert [round(later - earlier) for earlier, later in pairwise(tried[:4])] == [REST_SECONDS] * 3
            monkeypatch.undo()
            assert await RATINGS.of(deployment.stores).position() == 5  # the signing key, two days, the opening, the end

    run(main())


def test_people_wait_for_no_thought_about_other_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the process of a host, too: while bots think in one match, those of others answer whatever takes no time."""
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def think(match: Match, seats: Sequence[Seat], alarm: turns.Alarm) -> Mapping[Seat, Command]:
        thinking.set()
        await go_on.wait()
        return {seat: match.game.legal(match.table, seat)[0] for seat in seats}

    async def main() -> None:
        monkeypatch.setattr(turns, "search", think)
        async with deployed(Style.HOST, memory_stores(), clock_of_the_loop) as deployment:
            bots = {Seat(seat): BotName("search-large") for seat in range(2)}
            slow = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
            await deployment.application.matches.open(UNLUCKY, slow, "slow")
            await thinking.wait()
            week = Clock(turn_seconds=604_800, reaction_seconds=604_800)  # so that no clock answers instead
            new = NewMatch(
                game=GameId("coup"), seats=2, options={"first_seat": 1}, bots={Seat(1): BotName("honest")}, clock=week, start=True
            )
            match = (await deployment.application.matches.open(HOST, new, "quick")).match
            first = (await deployment.state(match)).open_decision()

            async def answered() -> bool:
                return (await deployment.state(match)).open_decision() != first

            await until(answered)
            assert not go_on.is_set()
            go_on.set()

    run(main())


def test_thoughts_for_people_come_first_in_the_process_of_a_host() -> None:
    """Regardless of what was queued before; but bot-only matches get a turn now and then."""
    application = Application(memory_stores(), SETTINGS)
    here = InProcess(application)
    for queue in (QueueName.BOTS_ALONE, QueueName.BOTS_DEEP):
        here._waiting[queue].update({MatchId(f"{queue.value}-{number}"): None for number in range(20)})
    order = [here._next()[0] for _ in range(40)]
    assert order[:8] == [QueueName.BOTS_DEEP] * 7 + [QueueName.BOTS_ALONE]
    assert order[:20].count(QueueName.BOTS_DEEP) == 18
    assert order.count(QueueName.BOTS_ALONE) == 20


def test_clocks_run_when_a_bot_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the process of a host, which does the work itself."""

    async def hang(*_: object) -> Mapping[Seat, Command]:
        await asyncio.Event().wait()
        raise AssertionError

    async def main() -> None:
        async with deployed(Style.HOST, memory_stores(), clock_of_the_loop) as deployment:
            person = await deployment.open(HOST, people=1)
            monkeypatch.setattr(turns, "search", hang)
            await deployment.open(UNLUCKY)
            asked = (await deployment.state(person)).asked
            assert asked is not None

            async def moved() -> bool:
                now_asked = (await deployment.state(person)).asked
                return now_asked is None or now_asked.deadline_ms > asked.deadline_ms

            await until(moved)

    run(main())


def test_connections_are_closed_when_a_host_ends_its_duties(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last message was cut off."""

    async def main() -> None:
        application = Application(memory_stores(), SETTINGS, now_ms=clock_of_the_loop)
        closed = list[bool]()
        close = application.post.close

        async def noted() -> None:
            closed.append(len(asyncio.all_tasks()) > 2)
            await close()

        monkeypatch.setattr(application.post, "close", noted)
        tending = asyncio.create_task(application.tend())
        await asyncio.sleep(10)
        tending.cancel()
        await asyncio.wait({tending})
        assert (tending.cancelled(), closed) == (True, [False])

    run(main())
