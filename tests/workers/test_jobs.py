"""The jobs, run by a real RQ worker in this process: late, doubled and failing ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Unreachable
from rq import SimpleWorker
from structlog.testing import capture_logs

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, Status
from tafelrunde.service import slices
from tafelrunde.service.application import Application
from tafelrunde.service.errors import CorruptHistory
from tafelrunde.service.features.bots.service import Bots
from tafelrunde.service.features.coaching import coach as coaching
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.coaching.findings import Findings
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.job_queue import Jobs, QueueName
from tafelrunde.service.runtime.match_task import REST_MS
from tafelrunde.service.runtime.presence import Presence
from tafelrunde.service.settings import Settings
from tafelrunde.workers.heartbeat import Heartbeat, alive
from tafelrunde.workers.jobs import WorkerContext, coach, open_context
from tafelrunde.workers.watchdog import Pulse
from tafelrunde.workers.worker import QuietWorker
from tests.support.own import GAMES
from tests.workers.conftest import Tables

pytestmark = pytest.mark.real
COUP = GameId("coup")
LATER_MS = 20_000
"""Longer than a thought may take, and short enough that an answer that is due so late counts as one."""


@pytest.fixture
def context(settings: Settings, jobs: Jobs) -> Iterator[WorkerContext]:
    """A worker's shop that knows Duel."""
    context = open_context(settings, jobs, GAMES)
    yield context
    context.close()


@pytest.fixture
def worker(context: WorkerContext, jobs: Jobs, client: Redis) -> QuietWorker:
    """A worker for all queues."""
    return QuietWorker(jobs, list(QueueName), client)


def opened(settings: Settings, *, bots: int, seats: int = 2) -> MatchId:
    """Open a match from another process's point of view."""

    async def run() -> MatchId:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            application = Application(stores, settings, games=GAMES, post_job=lambda *_: None)
            return await Tables(application).open(bots=bots, seats=seats)

    return asyncio.run(run())


def version_and_status(settings: Settings, match: MatchId) -> tuple[int, Status]:
    """Return where a match stands."""

    async def run() -> tuple[int, Status]:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            head = await stores.events.head(match)
            assert head is not None
            return head.version, head.status

    return asyncio.run(run())


def test_bots_play_to_the_end_and_leave_no_job_behind(worker: QuietWorker, jobs: Jobs, settings: Settings) -> None:
    """A match of bots alone goes to the queue for it, and plays there."""
    match = opened(settings, bots=4, seats=4)
    jobs.put(QueueName.BOTS_FAST, [match])
    worker.work(burst=True, max_jobs=1)
    assert {name: jobs.waiting(name) for name in QueueName if jobs.waiting(name)} == {QueueName.BOTS_ALONE: 1}
    worker.work(burst=True)
    assert version_and_status(settings, match)[1] is Status.OVER
    assert [jobs.waiting(name) for name in QueueName] == [0, 0, 0, 0, 0]


def test_bots_share_the_worker_when_their_time_is_up(
    worker: QuietWorker, jobs: Jobs, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long match goes to the end of the queue between two decisions, and still ends."""
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    match = opened(settings, bots=2)
    jobs.put(QueueName.BOTS_ALONE, [match])
    worker.work(burst=True, max_jobs=1)
    assert jobs.queue(QueueName.BOTS_ALONE).jobs[0].args == [match]
    monkeypatch.undo()
    worker.work(burst=True)
    assert version_and_status(settings, match)[1] is Status.OVER


def test_coach_goes_on_until_it_has_found_everything(settings: Settings, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is a slice of it; what is left goes to the end of its queue, and a job for nothing does nothing."""
    monkeypatch.setattr(coaching, "SLICE_SECONDS", 0)
    match = over(settings)
    context = open_context(settings, jobs)
    context.coach(match)
    assert jobs.waiting(QueueName.COACHING) == 0
    asked(settings, match)
    coach(match)
    assert [job.args for job in jobs.queue(QueueName.COACHING).jobs] == [[match]]
    jobs.queue(QueueName.COACHING).empty()
    slices = 1
    while not asked(settings, match).whole:
        context.coach(match)
        slices += 1
    assert slices > 1
    context.close()


def over(settings: Settings) -> MatchId:
    """Play a match of Coup between bots to its end, as another process."""

    async def run() -> MatchId:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            application = Application(stores, settings, post_job=lambda *_: None)
            player = (await application.accounts.register("Ada"))[0].id
            bots = {Seat(seat): BotName("random") for seat in range(2)}
            new = NewMatch(game=COUP, seats=2, seat=None, bots=bots, start=True)
            match = (await application.matches.open(player, new, "key")).match
            await application.process_manager.play_bots(match, alone=True, deep=True)
            return match

    return asyncio.run(run())


def asked(settings: Settings, match: MatchId) -> Findings:
    """Ask for coaching on the first seat, as another process, and return what there is."""

    async def run() -> Findings:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            return await Application(stores, settings).get(Coach).ask(match, Seat(0))

    return asyncio.run(run())


def thinking(settings: Settings, *, people: int) -> MatchId:
    """Open a match of Coup in which a bot that thinks for long is asked first, at a table of bots or of people besides."""

    async def run() -> MatchId:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            application = Application(stores, settings, post_job=lambda *_: None)
            host = (await application.accounts.register("Host"))[0].id
            bots = {Seat(seat): BotName("search-large") for seat in range(2 - people)}
            new = NewMatch(game=COUP, seats=2, options={"first_seat": 0}, bots=bots, start=True, seat=Seat(1) if people else None)
            return (await application.matches.open(host, new, "open")).match

    return asyncio.run(run())


def due(settings: Settings, ahead_ms: int) -> set[MatchId]:
    """Return the matches that are offered to workers after that time."""

    async def run() -> set[MatchId]:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            now_ms = Application(stores, settings).now_ms()
            return {match for match, _ in (await stores.agenda.claim(AgendaKind.WORK, now_ms + ahead_ms, 1, 10)).due}

    return asyncio.run(run())


@pytest.mark.parametrize(("people", "queue"), [(1, QueueName.BOTS_DEEP), (0, QueueName.BOTS_ALONE)])
def test_match_waits_once_in_a_queue_of_its_own_however_often_it_is_offered(
    settings: Settings, jobs: Jobs, monkeypatch: pytest.MonkeyPatch, people: int, queue: QueueName
) -> None:
    """A fast job leaves it to that queue, and it is not offered again at once: otherwise fast jobs would never end."""
    lease_ms = 600_000
    monkeypatch.setattr(slices, "LEASES_MS", dict.fromkeys(slices.LEASES_MS, lease_ms))
    context = open_context(settings, jobs)
    match = thinking(settings, people=people)
    for _ in range(3):
        context.play_bots(match)
    context.close()
    assert {name: jobs.waiting(name) for name in QueueName if jobs.waiting(name)} == {queue: 1}
    assert due(settings, lease_ms // 2) == set()
    assert due(settings, 2 * lease_ms) == {match}


def test_bots_alone_go_to_the_end_of_their_own_queue(settings: Settings, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two decisions another match gets its turn, without a fast job in between."""
    monkeypatch.setattr(slices, "SLICE_MS", 0)
    context = open_context(settings, jobs)
    match = thinking(settings, people=0)
    context.play_bots(match, QueueName.BOTS_ALONE)
    context.close()
    assert [jobs.waiting(name) for name in QueueName] == [0, 0, 0, 1, 0]


def test_answer_for_a_person_is_thought_of_in_one_job_and_given_in_another(settings: Settings, jobs: Jobs) -> None:
    """The worker does not wait until the answer is due; the agenda offers the match again then."""
    match = thinking(settings, people=1)
    version = version_and_status(settings, match)
    context = open_context(settings, jobs)
    bots, now_ms = context.application.get(Bots), context.application.now_ms()
    bots._now_ms = lambda: now_ms
    context.play_bots(match, QueueName.BOTS_DEEP)
    assert version_and_status(settings, match) == version
    assert [jobs.waiting(name) for name in QueueName] == [0, 0, 0, 0, 0]
    assert due(settings, LATER_MS) == {match}
    bots._now_ms = lambda: now_ms + LATER_MS
    context.play_bots(match)
    assert version_and_status(settings, match) != version
    context.close()


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[QueueName]:
    """The queues of the jobs that were done, in order; a job does nothing else."""
    done: list[QueueName] = []

    def play_bots(*job: WorkerContext | MatchId | QueueName) -> None:
        done.append(next((part for part in job if isinstance(part, QueueName)), QueueName.BOTS_FAST))

    def time_out(*job: WorkerContext | MatchId) -> None:
        done.append(QueueName.TIMEOUTS)

    def look_back(*job: WorkerContext | MatchId) -> None:
        done.append(QueueName.COACHING)

    monkeypatch.setattr(WorkerContext, "coach", look_back)
    monkeypatch.setattr(WorkerContext, "play_bots", play_bots)
    monkeypatch.setattr(WorkerContext, "time_out", time_out)
    return done


def test_work_comes_in_the_order_of_its_urgency(worker: QuietWorker, jobs: Jobs, done: list[QueueName]) -> None:
    """People do not wait for bot-only matches, whichever came first."""
    for name in reversed(QueueName):
        jobs.put(name, [MatchId("m1")])
    worker.work(burst=True)
    assert done == list(QueueName)


def test_no_queue_is_left_out_forever(worker: QuietWorker, jobs: Jobs, done: list[QueueName]) -> None:
    """However many jobs the most urgent queue has, each other one has a job done now and then, and most are still urgent."""
    for name in QueueName:
        jobs.put(name, [MatchId(f"m{number}") for number in range(80 if name is QueueName.TIMEOUTS else 3)])
    worker.work(burst=True, max_jobs=80)
    assert set(done) == set(QueueName)
    assert done.count(QueueName.TIMEOUTS) > 0.8 * len(done)


def test_job_takes_few_commands_of_the_server(worker: QuietWorker, jobs: Jobs, client: Redis, done: list[QueueName]) -> None:
    """One takes it, two read and delete it: with the library's own notes of each job it was ten times as much work."""
    count = 100
    jobs.put(QueueName.TIMEOUTS, [MatchId(f"m{number}") for number in range(count)])
    client.config_resetstat()
    worker.work(burst=True)
    assert len(done) == count
    assert msgspec.convert(client.info("stats"), dict[str, object])["total_commands_processed"] < 5 * count  # pyright: ignore[reportOperatorIssue] - a number at run time


def test_what_is_no_job_is_passed_over(worker: QuietWorker, jobs: Jobs, client: Redis, done: list[QueueName]) -> None:
    """One that has expired, or of which only a part is left, does not end the worker."""
    jobs.put(QueueName.TIMEOUTS, [MatchId("m1")])
    client.hset("rq:job:rest", "last_heartbeat", "")
    client.lpush(jobs.queue(QueueName.TIMEOUTS).key, "rest", "expired")
    worker.work(burst=True)
    assert done == [QueueName.TIMEOUTS]
    assert client.keys("rq:job:*") == []


def test_job_that_fails_is_logged_and_the_next_one_is_done(
    worker: QuietWorker, jobs: Jobs, client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves nothing behind: the agenda offers its match again."""
    done: list[MatchId] = []

    def play_bots(_: WorkerContext, match: MatchId) -> None:
        done.append(match)
        if len(done) == 1:
            raise LookupError

    monkeypatch.setattr(WorkerContext, "play_bots", play_bots)
    jobs.put(QueueName.BOTS_FAST, [MatchId("m1"), MatchId("m2")])
    with capture_logs() as lines:
        worker.work(burst=True)
    assert done == ["m1", "m2"]
    assert [(line["event"], line["error"]) for line in lines if line["log_level"] == "error"] == [("job failed", "LookupError")]
    assert client.keys("rq:job:*") == []


def test_job_that_comes_early_or_twice_changes_nothing(worker: QuietWorker, jobs: Jobs, settings: Settings) -> None:
    """The work is read from the match: nothing yet, or nothing any more."""
    match = opened(settings, bots=0)
    before = version_and_status(settings, match)
    jobs.put(QueueName.TIMEOUTS, [match, match])
    jobs.put(QueueName.BOTS_FAST, [match, match])
    worker.work(burst=True)
    assert version_and_status(settings, match) == before


def test_deadline_is_answered_once_when_its_job_comes_twice(context: WorkerContext, settings: Settings) -> None:
    """The second job finds the decision closed."""
    match = opened(settings, bots=0)
    later = context.application.now_ms() + 3_600_000
    context.application.handler._now_ms = context.application.now_ms = lambda: later
    context.application.handler._by_the_clock = False
    context.time_out(match)
    once = version_and_status(settings, match)
    context.application.handler._now_ms = context.application.now_ms = lambda: later + 1
    context.time_out(match)
    assert version_and_status(settings, match) == once


def test_bots_after_a_deadline_get_a_job(context: WorkerContext, jobs: Jobs, settings: Settings) -> None:
    """A default that makes it a bot's turn asks for the bots at once."""
    match = opened(settings, bots=1)
    later = context.application.now_ms() + 3_600_000
    context.application.handler._now_ms = context.application.now_ms = lambda: later
    context.application.handler._by_the_clock = False
    while asyncio.run(_bots_asked(settings, match)):
        context.play_bots(match)
    jobs.queue(QueueName.BOTS_FAST).empty()
    context.time_out(match)
    asked = asyncio.run(_bots_asked(settings, match))
    assert [job.args[0] for job in jobs.queue(QueueName.BOTS_FAST).jobs] == [match] * asked


async def _bots_asked(settings: Settings, match: MatchId) -> bool:
    async with await RedisStores.connect(settings.redis_url or "") as stores:
        loaded = await Application(stores, settings, games=GAMES).repository.load_latest(match)
        return bool(loaded.match.bots_asked())


def test_job_of_unknown_match_is_no_failure(worker: QuietWorker, jobs: Jobs) -> None:
    """A job that makes no sense is dropped."""
    jobs.put(QueueName.TIMEOUTS, [MatchId("nowhere")])
    with capture_logs() as lines:
        worker.work(burst=True)
    assert [line for line in lines if line["log_level"] == "error"] == []
    assert jobs.waiting(QueueName.TIMEOUTS) == 0


def test_match_that_fails_is_left_alone_for_a_while(
    context: WorkerContext, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that cannot be played must not occupy the workers over and over."""
    match = opened(settings, bots=2)

    async def corrupt(*arguments: object) -> bool:
        raise CorruptHistory

    monkeypatch.setattr(context.application.process_manager, "play_bots", corrupt)
    before_ms = context.application.now_ms()
    context.play_bots(match)

    async def due() -> int:
        async with await RedisStores.connect(settings.redis_url or "") as stores:
            return len((await stores.agenda.claim(AgendaKind.WORK, before_ms + REST_MS - 1, 1, 10)).due)

    assert asyncio.run(due()) == 0


def test_worker_is_registered_once_when_the_answer_is_lost(
    worker: QuietWorker, client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds itself there at the next attempt, and works: no other worker has its name."""
    monkeypatch.setattr("tafelrunde.workers.worker.REFUSED_SECONDS", 0.0)
    register = SimpleWorker.register_birth
    asked: list[str] = []

    def register_unheard(self: SimpleWorker) -> None:
        asked.append(self.name)
        register(self)
        raise Unreachable("the answer is lost")

    monkeypatch.setattr(SimpleWorker, "register_birth", register_unheard)
    worker.register_birth()
    assert asked == [worker.name]
    assert client.exists(worker.key)


def test_worker_gives_signs_of_life(worker: QuietWorker, client: Redis) -> None:
    """The health check sees a worker that runs, and none before."""
    assert not alive(client, "worker")
    worker.work(burst=True)
    assert alive(client, "worker")
    assert not alive(client, "sweeper")


def test_worker_beats_between_its_commands_when_the_server_is_slow(worker: QuietWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take five seconds, and a worker that is silent for fifteen is killed. While it waits for a reply it is silent."""
    done = list[str]()

    def note(owner: type, name: str) -> None:
        monkeypatch.setattr(owner, name, lambda *_, **__: done.append(owner.__name__))

    for owner, name in ((Pulse, "beat"), (SimpleWorker, "heartbeat"), (Heartbeat, "beat"), (Presence, "renew")):
        note(owner, name)
    worker._say_alive()
    assert done == ["Pulse", "SimpleWorker", "Pulse", "Heartbeat", "Pulse", "Presence", "Pulse"]
