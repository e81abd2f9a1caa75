"""The sweeper: the process that has all duties of a deployment. What is due in matches it puts into the queues.

Any number of sweepers may run: claiming an entry pushes it into the future in one step of the server, so no other
sweeper sees it until the lease has run out, and a job lost on its way is offered again then.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import structlog
import uvloop
from redis import Redis
from redis.exceptions import RedisError

from ..domain.match import MatchId
from ..service.deployment import open_application
from ..service.duties import Work, duties
from ..service.errors import StoreUnavailable
from ..service.ports.agenda import AgendaKind
from ..service.runtime.consumer import Consumer, run_together
from ..service.runtime.job_queue import Jobs, QueueName, client_of
from ..service.settings import Settings
from .gc_tuning import calm_collector
from .heartbeat import Heartbeat

BEAT_SECONDS = 2.0

Result = TypeVar("Result")

_QUEUES = {AgendaKind.DEADLINE: QueueName.TIMEOUTS, AgendaKind.WORK: QueueName.BOTS_FAST}

log = structlog.get_logger(__name__)


def queued(jobs: Jobs) -> Work:
    """Return the work of a process that leaves it to workers: a job for each match."""

    async def work(kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        name = _QUEUES[kind]
        put = await _beside(lambda: jobs.put(name, matches))
        log.debug("swept", kind=kind.value, queue=name.value, count=put)

    return work


def run(settings: Settings) -> None:
    """Do all duties until a signal asks to stop; raise StartupRefused."""
    client = client_of(settings)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_signal(settings, client))


async def _until_signal(settings: Settings, client: Redis) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    async with open_application(settings) as application:
        calm_collector()
        log.info("sweeper is ready")
        everything = (*duties(application, queued(Jobs(client))), _heartbeat(client))
        working = asyncio.create_task(run_together(everything))
        working.add_done_callback(lambda _: stop.set())
        await stop.wait()
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working


def _heartbeat(client: Redis) -> Consumer:
    heartbeat = Heartbeat(client, "sweeper")

    async def beat() -> float:
        await _beside(heartbeat.beat)
        return BEAT_SECONDS

    return Consumer("heartbeat", beat)


async def _beside(call: Callable[[], Result]) -> Result:
    """Ask the server of the queues beside the event loop; raise StoreUnavailable."""
    try:
        return await asyncio.to_thread(call)
    except (RedisError, OSError) as error:
        raise StoreUnavailable(f"the server of the job queues cannot be reached: {error}") from error
