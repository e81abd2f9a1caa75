"""The worker process: an RQ worker that runs jobs in its own process, one after the other."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
import uuid
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from types import FrameType
from typing import cast

import structlog
from redis import Redis
from redis.exceptions import ConnectionError, RedisError, TimeoutError  # noqa: A004 - the client's own
from rq import Queue, SimpleWorker
from rq.exceptions import DequeueTimeout, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException
from rq.utils import as_text

from ..service.redis_store.refusals import refusal_of
from ..service.runtime.gc_tuning import calm_collector
from ..service.runtime.job_queue import JOB_SECONDS, SERVER, Jobs, client_of
from ..service.runtime.outage import Outage
from ..service.runtime.presence import BEAT_SECONDS, Presence
from ..service.runtime.queue_names import OTHERS_FIRST, QueueName, queues_served
from ..service.settings import Settings
from .heartbeat import LEAST_SECONDS, Heartbeat
from .jobs import open_context
from .parent_watch import is_supervised
from .watchdog import Pulse

TTL_SECONDS = 20
REPLY_SECONDS = 5.0
"""Timeout for a reply: longer than an idle worker waits at the server, shorter than it may be silent."""
MAINTENANCE_SECONDS = 60
REFUSED_SECONDS = 1.0
WAIT_SECONDS = 1
"""How often an idle worker checks whether it was asked to stop."""

THINKERS_NICENESS = 2
"""How much processes that only think yield to the others, which people wait for and which need a core for moments."""
_QUICK = {QueueName.TIMEOUTS, QueueName.BOTS_FAST}

log = structlog.get_logger(__name__)


class QuietWorker(SimpleWorker):
    """RQ's worker without forks: JSON jobs only, heartbeats for the health check, and a stop between two jobs.

    The library ends a waiting worker by an exception out of the signal handler, wherever the process happens to be, and lets a
    second thread listen to commands; a crash at the end was seen. Here a signal only leaves a note, and there is one thread.
    """

    log_result_lifespan = False

    def __init__(self, jobs: Jobs, names: list[QueueName], client: Redis, pulse: Pulse | None = None) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - the library leaves some keywords untyped
            [jobs.queue(name) for name in names],
            name=f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}",
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=TTL_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
            log_job_description=False,
        )
        self._pulse = pulse or Pulse()
        self._life = Heartbeat(client, "worker")
        self._presence = Presence(client, [name.value for name in names])
        self._outage = Outage(f"worker: {SERVER}")
        self._said_alive = float("-inf")
        self._jobs_taken = 0

    @property
    def connection_timeout(self) -> float:  # pyright: ignore[reportIncompatibleMethodOverride] - it is a time like any other
        """The timeout for a reply, in seconds: the library would wait for longer than a worker may be silent."""
        return REPLY_SECONDS

    @property
    def asked_to_stop(self) -> bool:
        """Whether a signal has asked it to stop."""
        return self._stop_requested

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Record the request; a running job is finished first."""
        self._stop_requested = True

    def subscribe(self) -> None:
        """Take no commands: the worker obeys signals only."""

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> tuple[Job, Queue] | None:
        """Wait for a job; None as soon as the worker is asked to stop, or, without a *timeout*, if there is none now."""
        waiting = timeout is not None
        while not self.asked_to_stop:
            with self._riding_out(REFUSED_SECONDS):
                self._say_alive()
                if (found := self._take(WAIT_SECONDS if waiting else None)) is not None:
                    return found
            if not waiting:
                break
        return None

    def _take(self, seconds: int | None) -> tuple[Job, Queue] | None:
        """Take the next job off the server; None if there is none, or none came in time."""
        queues = {queue.key: queue for queue in self._ordered_queues}
        with suppress(DequeueTimeout):
            while (found := Queue.lpop([*queues], seconds, connection=self.connection)) is not None:
                queue, job = map(as_text, cast("tuple[bytes | str, bytes]", found))
                if (taken := self._fetch(job)) is not None:
                    self.reorder_queues(None)
                    return taken, queues[queue]
        return None

    def _fetch(self, name: str) -> Job | None:
        """Return a job, and delete it on the server; None if it has expired, or is none."""
        job = Job(name, connection=self.connection, serializer=JSONSerializer)
        with self.connection.pipeline(transaction=False) as pipeline:  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
            pipeline.hgetall(job.key)
            pipeline.delete(job.key)
            stored, _ = pipeline.execute()
        with suppress(NoSuchJobError):
            job.restore(stored)  # pyright: ignore[reportUnknownMemberType] - its parameter is untyped
            return job
        return None

    @contextmanager
    def _riding_out(self, seconds: float = 0.0) -> Generator[None]:
        """Wait out an error if the server is down or refuses (its disk is full): the library would end the worker."""
        self._pulse.beat()
        try:
            yield
        except RedisError as error:
            if not (isinstance(error, (ConnectionError, TimeoutError)) or refusal_of(error)):
                raise
            self._outage.note(error)
            if not self.asked_to_stop:
                time.sleep(seconds)
        else:
            self._outage.over()

    def check_for_suspension(self, burst: bool) -> None:
        """Do without the library's switch that suspends all workers: it would have to be queried before each job."""

    def register_birth(self) -> None:
        """Register with the library as soon as the server accepts that; it may have done so without an answer."""
        tried = born = False
        while not born and not self.asked_to_stop:
            with self._riding_out(REFUSED_SECONDS):
                if not tried or not self.connection.exists(self.key):
                    tried = True
                    super().register_birth()
                born = True

    def set_state(self, state: str, pipeline: object = None) -> None:
        """Record this worker's state, if the server accepts that."""
        with self._riding_out():
            super().set_state(state, pipeline)  # pyright: ignore[reportArgumentType] - whatever the library hands in

    def run_maintenance_tasks(self) -> None:
        """Clean up the library's registries, if the server accepts that."""
        with self._riding_out():
            super().run_maintenance_tasks()

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job, unrecorded in the library's registries: the agenda offers again what fails or dies with this process."""
        self._pulse.beat()
        try:
            with self.death_penalty_class(job.timeout or JOB_SECONDS, JobTimeoutException, job_id=job.id):
                do = job.func
                matches = cast("Sequence[str]", job.args)  # pyright: ignore[reportUnknownMemberType] - they are untyped
                assert do is not None, "a job names its function"
                do(*matches)
        except Exception as error:
            log.exception("job failed", queue=queue.name, job=job.id, error=type(error).__name__)

    def reorder_queues(self, reference_queue: object) -> None:
        """Put the most urgent queue first, except for one job in each `OTHERS_FIRST`, which the others take in turn."""
        self._jobs_taken += 1
        turn, rest = divmod(self._jobs_taken, OTHERS_FIRST)
        others = len(self.queues) - 1
        first = 1 + turn % others if others and rest == 0 else 0
        self._ordered_queues = self.queues[first:] + self.queues[:first]

    def heartbeat(self, timeout: int | None = None, pipeline: object = None) -> None:
        """Do nothing after a job: `_say_alive` runs before the next one is fetched."""

    def _say_alive(self) -> None:
        """Renew this worker's heartbeat for the library, the health check and the api, every two seconds. Raises RedisError.

        It beats in between, so that a server that answers slowly does not make this worker look hung.
        """
        now = time.monotonic()
        if now - self._said_alive >= LEAST_SECONDS:
            for say in (super().heartbeat, self._life.beat, self._presence.renew):
                self._pulse.beat()
                say()
            self._pulse.beat()
            self._said_alive = now

    @asynccontextmanager
    async def living(self) -> AsyncGenerator[None]:
        """Beat, and renew the presence, from the event loop during a job."""
        renewing = asyncio.create_task(self._keep_renewing(), name="presence")
        try:
            async with self._pulse.going_round():
                yield
        finally:
            renewing.cancel()
            await asyncio.wait({renewing})

    async def _keep_renewing(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with suppress(RedisError):  # between two jobs that error is handled as well
                await asyncio.to_thread(self._presence.renew)


def run(settings: Settings, names: list[QueueName]) -> bool:
    """Work until a signal asks to stop; False if the worker ended for another reason. Raises StartupRefused."""
    if _QUICK.isdisjoint(names):
        os.nice(THINKERS_NICENESS)  # before there is another thread, which would keep its own
    pulse = Pulse.of(os.environ)
    patient = is_supervised(os.environ)
    waiting = pulse.beat if patient else None
    reading = client_of(settings, REPLY_SECONDS, 0, waiting)
    putting = client_of(settings, while_waiting=waiting)
    with closing(reading) as client, closing(putting) as other:
        worker = QuietWorker(Jobs(client), queues_served(names), client, pulse)
        context = open_context(settings, Jobs(other), life=worker.living, patient=patient)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, worker.request_stop)
        calm_collector()
        log.info("worker is ready", queue=",".join(name.value for name in queues_served(names)))
        try:
            worker.work(logging_level=None)
        except RedisError as error:
            log.error("worker: queue server lost", error=type(error).__name__)
        finally:
            context.close()
    return worker.asked_to_stop
