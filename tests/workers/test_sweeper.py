"""The sweeper: in time, never early, and again when a job was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.duties import duties, sweep
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime.consumer import run_together
from tafelrunde.service.runtime.job_queue import Jobs, QueueName
from tafelrunde.service.settings import Settings
from tafelrunde.workers.sweeper import queue_of
from tests.support.own import GAMES
from tests.support.patience import PATIENCE_SECONDS
from tests.workers.conftest import Tables

pytestmark = [pytest.mark.anyio, pytest.mark.real]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Settings with a lease that does not run out by itself here."""
    return msgspec.structs.replace(settings, lease_ms=60_000)


class Sweeper:
    """Looks at both agendas, as the two consumers of a sweeper do."""

    def __init__(self, application: Application, jobs: Jobs) -> None:
        self._steps = [sweep(application, kind, queue_of(jobs)) for kind in (AgendaKind.DEADLINE, AgendaKind.WORK)]

    async def sweep(self) -> float:
        """Put jobs into the queues, and return after how many milliseconds to look again."""
        return 1000 * min([await step() for step in self._steps])


@pytest.fixture
def sweeper(application: Application, jobs: Jobs) -> Sweeper:
    """A sweeper."""
    return Sweeper(application, jobs)


def waiting(jobs: Jobs, name: QueueName) -> list[str]:
    """Return the matches that have a job in a queue."""
    return [job.args[0] for job in jobs.queue(name).jobs]


async def test_deadline_is_not_swept_before_its_time(sweeper: Sweeper, tables: Tables, jobs: Jobs) -> None:
    """A look before the deadline finds nothing and says when to look again: at the deadline, or sooner."""
    match = await tables.open(bots=0, seconds=1)
    asked = (await tables.application.repository.load_latest(match)).match.asked
    assert asked is not None
    while (left_ms := asked.deadline_ms - tables.application.now_ms()) > 0:
        pause_ms = await sweeper.sweep()
        if tables.application.now_ms() < asked.deadline_ms:
            assert waiting(jobs, QueueName.TIMEOUTS) == []
            assert pause_ms <= min(20, left_ms)
        await asyncio.sleep(pause_ms / 1000)
    await sweeper.sweep()
    assert waiting(jobs, QueueName.TIMEOUTS) == [match]


async def test_bots_are_swept_when_no_one_asked_for_them(sweeper: Sweeper, tables: Tables, jobs: Jobs) -> None:
    """The agenda is the safety net of the fast way."""
    match = await tables.open(bots=2)
    await sweeper.sweep()
    assert waiting(jobs, QueueName.BOTS_FAST) == [match]


async def test_two_sweepers_give_one_job(sweeper: Sweeper, tables: Tables, jobs: Jobs, redis_stores: Stores) -> None:
    """What one sweeper has claimed no other sees until the lease has run out."""
    match = await tables.open(bots=2)
    other = Sweeper(Application(redis_stores, tables.application.settings, games=GAMES), jobs)
    await asyncio.gather(sweeper.sweep(), other.sweep())
    assert waiting(jobs, QueueName.BOTS_FAST) == [match]


async def test_lost_job_is_offered_again_after_the_lease(
    application: Application, sweeper: Sweeper, tables: Tables, jobs: Jobs
) -> None:
    """A worker that dies with a job costs a lease, not the match."""
    match = await tables.open(bots=2)
    now_ms = application.now_ms()
    application.now_ms = lambda: now_ms
    application.by_the_clock = False
    await sweeper.sweep()
    jobs.queue(QueueName.BOTS_FAST).empty()
    now_ms += application.settings.lease_ms - 1
    await sweeper.sweep()
    assert waiting(jobs, QueueName.BOTS_FAST) == []
    now_ms += 1
    await sweeper.sweep()
    assert waiting(jobs, QueueName.BOTS_FAST) == [match]


async def test_sweeper_goes_on_when_the_server_was_away(
    settings: Settings, redis_stores: Stores, tables: Tables, jobs: Jobs
) -> None:
    """An outage ends nothing: the sweeper looks again, and what it could not put is there again after the lease."""
    application = Application(redis_stores, msgspec.structs.replace(settings, lease_ms=100), games=GAMES)
    put = jobs.put
    failures = [ConnectionError(), OSError()]

    def failing(name: QueueName, matches: list[MatchId], unless_in: Sequence[QueueName]) -> int:
        if failures:
            raise failures.pop()
        return put(name, matches, unless_in)

    jobs.put = failing  # type: ignore[method-assign]  # a server that fails twice
    match = await tables.open(bots=2)
    running = asyncio.create_task(run_together(duties(application, queue_of(jobs))))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while match not in waiting(jobs, QueueName.BOTS_FAST):  # noqa: ASYNC110 - the queue is on a server and sets no event
            await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.wait({running})
    assert (failures, running.cancelled()) == ([], True)
