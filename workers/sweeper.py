"""The sweeper: the process that has all duties of a deployment. What is due in matches it puts into the queues.

Any number of sweepers may run: claiming an entry pushes it into the future in one step of the server, so no other
sweeper sees it until the lease has run out, and a job lost on its way is offered again then.
"""

from __future__ import annotations

import asyncio
import os
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
from ..service.errors import CorruptHistory, StoreUnavailable
from ..service.ports.agenda import AgendaKind
from ..service.redis_store.refusals import refusal_of
from ..service.runtime.consumer import Consumer, run_together
from ..service.runtime.gc_tuning import calm_collector
from ..service.runtime.job_queue import Jobs, QueueName, client_of
from ..service.runtime.presence import BEAT_SECONDS, SWEEPER, Presence
from ..service.settings import Settings
from .heartbeat import Heartbeat
from .parent_watch import is_supervised
from .watchdog import Pulse

Result = TypeVar("Result")

_QUEUES = {AgendaKind.DEADLINE: QueueName.TIMEOUTS, AgendaKind.WORK: QueueName.BOTS_FAST}
_UNLESS_IN = {AgendaKind.DEADLINE: (), AgendaKind.WORK: (QueueName.BOTS_DEEP,)}
"""Where a match may wait for longer than a lease: a job for it elsewhere would only send it back there."""

log = structlog.get_logger(__name__)


def queue_of(jobs: Jobs) -> Work:
    """Return the due work of a process with workers: a job for each match."""

    async def work(kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        name = _QUEUES[kind]
        put = await _beside(lambda: jobs.put(name, matches, _UNLESS_IN[kind]))
        log.debug("swept", kind=kind.value, queue=name.value, count=put)

    return work


def run(settings: Settings) -> None:
    """Run all duties until a signal asks to stop; raise StartupRefused."""
    pulse = Pulse.of(os.environ)
    patient = is_supervised(os.environ)
    client = client_of(settings, while_waiting=pulse.beat if patient else None)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_signal(settings, client, pulse, patient=patient))


async def _until_signal(settings: Settings, client: Redis, pulse: Pulse, *, patient: bool) -> None:
    async with pulse.going_round():
        working = asyncio.create_task(_work(settings, client, patient=patient))
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, working.cancel)
        with suppress(asyncio.CancelledError):
            await working


async def _work(settings: Settings, client: Redis, *, patient: bool) -> None:
    async with open_application(settings, queued=True, patient=patient) as application:
        calm_collector()
        with suppress(StoreUnavailable, CorruptHistory):
            await application.start()
        log.info("sweeper is ready")
        await run_together((*duties(application, queue_of(Jobs(client))), _heartbeat(client)))


def _heartbeat(client: Redis) -> Consumer:
    heartbeat = Heartbeat(client, "sweeper")
    presence = Presence(client, [SWEEPER])

    async def beat() -> float:
        await _beside(heartbeat.beat)
        await _beside(presence.renew)
        return BEAT_SECONDS

    return Consumer("heartbeat", beat)


async def _beside(call: Callable[[], Result]) -> Result:
    """Query the server of the queues off the event loop; raise StoreUnavailable."""
    try:
        return await asyncio.to_thread(call)
    except (RedisError, OSError) as error:
        refusal = refusal_of(error) if isinstance(error, RedisError) else ""
        raise StoreUnavailable(f"the server of the job queues cannot be reached: {error}", refusal) from error
