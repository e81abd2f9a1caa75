"""The sweeper: looks at the agendas and puts jobs into the queues, never before their time.

Any number of sweepers may run: claiming an entry pushes it into the future in one step of the server, so no other
sweeper sees it until the lease has run out, and a job lost on its way is offered again then.
"""

from __future__ import annotations

import asyncio
import signal
import uuid

import structlog
import uvloop
from redis import Redis
from redis.exceptions import RedisError

from ..domain.match import MatchId
from ..service.application import Application
from ..service.deployment import open_application
from ..service.errors import StoreUnavailable
from ..service.ports.agenda import AgendaKind
from ..service.runtime.job_queue import Jobs, QueueName, client_of
from ..service.settings import Settings
from .gc_tuning import calm_collector
from .heartbeat import Heartbeat
from .projector import ShardProjector

AT_ONCE = 500
RETRY_SECONDS = 0.25
BEAT_SECONDS = 2.0
CARE_PAUSE_MS = 50
"""Between two portions of aftercare, so that it never holds up the clocks."""
CARE_RETRY_MS = 1_000
RATER = "rater"
RATE_LEASE_MS = 5_000
RATE_PAUSE_SECONDS = 0.5
RATE_REST_SECONDS = 10.0
HERALD = "herald"
HERALD_LEASE_MS = 5_000
HERALD_PAUSE_SECONDS = 0.2

_QUEUES = ((AgendaKind.DEADLINE, QueueName.TIMEOUTS), (AgendaKind.WORK, QueueName.BOTS_FAST))

log = structlog.get_logger(__name__)


class Sweeper:
    """Looks at the agendas of a house at least every `sweep_ms`, and exactly when the next entry known comes due."""

    def __init__(self, application: Application, jobs: Jobs) -> None:
        self._application = application
        self._jobs = jobs

    async def run(self) -> None:
        """Sweep until cancelled; wait for a server that is away."""
        while True:
            try:
                pause_ms = await self.sweep()
            except (StoreUnavailable, RedisError, OSError) as error:
                log.warning("sweeper: store unavailable", error=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                await asyncio.sleep(pause_ms / 1000)

    async def sweep(self) -> int:
        """Put a job into the queues for everything that is due, and return after how many milliseconds to look again."""
        pauses = [await self._look(kind, name) for kind, name in _QUEUES]
        return min(pauses)

    async def _look(self, kind: AgendaKind, name: QueueName) -> int:
        now_ms, settings = self._application.now_ms(), self._application.settings
        claims = await self._application.stores.agenda.claim(kind, now_ms, settings.lease_ms, AT_ONCE)
        if claims.due:
            await self._put(kind, name, [match for match, _ in claims.due])
        if len(claims.due) == AT_ONCE:
            return 0
        if claims.next_ms is None:
            return settings.sweep_ms
        return max(0, min(settings.sweep_ms, claims.next_ms - self._application.now_ms()))

    async def _put(self, kind: AgendaKind, name: QueueName, matches: list[MatchId]) -> None:
        put = await asyncio.to_thread(self._jobs.put, name, matches)
        log.debug("swept", kind=kind.value, queue=name.value, count=put)


async def care(application: Application) -> None:
    """Tend finished matches until cancelled; wait for a server that is away."""
    while True:
        try:
            pause_ms = await application.finalizer.portion()
        except StoreUnavailable as error:
            log.warning("archiving: store unavailable", error=type(error).__name__)
            pause_ms = CARE_RETRY_MS
        await asyncio.sleep(max(pause_ms, CARE_PAUSE_MS) / 1000)


async def rate(application: Application) -> None:
    """Keep the ratings up to date until cancelled, unless another process does; wait while the store is unavailable."""
    owner = uuid.uuid4().hex
    while True:
        try:
            if await application.stores.leases.take(RATER, owner, RATE_LEASE_MS):
                await application.rating_projector.catch_up()
        except StoreUnavailable as error:
            log.warning("ratings: store unavailable", error=type(error).__name__)
        except Exception as error:
            log.exception("ratings: update failed", error=type(error).__name__)
            await asyncio.sleep(RATE_REST_SECONDS)
        await asyncio.sleep(RATE_PAUSE_SECONDS)


async def announce(application: Application) -> None:
    """Turn events into deliveries until cancelled, unless another process does; wait while the store is unavailable."""
    owner = uuid.uuid4().hex
    while True:
        try:
            while await application.stores.leases.take(HERALD, owner, HERALD_LEASE_MS):
                if not await application.outbox.portion(application.now_ms()):
                    break
        except StoreUnavailable as error:
            log.warning("webhook outbox: store unavailable", error=type(error).__name__)
        except Exception as error:
            log.exception("webhook outbox: round failed", error=type(error).__name__)
            await asyncio.sleep(RATE_REST_SECONDS)
        await asyncio.sleep(HERALD_PAUSE_SECONDS)


def run(settings: Settings) -> None:
    """Sweep, project, send to webhooks, and tend finished matches until a signal asks to stop; raise StartupRefused."""
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
        async with asyncio.TaskGroup() as group:
            duties = (
                Sweeper(application, Jobs(client)).run(),
                ShardProjector(application).run(),
                care(application),
                rate(application),
                announce(application),
                application.dispatcher.run(),
                _beat(Heartbeat(client, "sweeper")),
            )
            tasks = [group.create_task(duty) for duty in duties]
            await stop.wait()
            for task in tasks:
                task.cancel()


async def _beat(heartbeat: Heartbeat) -> None:
    while True:
        try:
            await asyncio.to_thread(heartbeat.beat)
        except (RedisError, OSError) as error:
            log.warning("heartbeat failed", error=type(error).__name__)
        await asyncio.sleep(BEAT_SECONDS)
