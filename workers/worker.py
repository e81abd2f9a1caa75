"""The worker process: an RQ worker that runs jobs in its own process, one after the other."""

from __future__ import annotations

import os
import signal
import socket
import time
import uuid
from collections.abc import Generator
from contextlib import closing, contextmanager
from types import FrameType

import structlog
from redis import Redis
from redis.exceptions import ConnectionError, RedisError, TimeoutError  # noqa: A004 - the client's own
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from ..service.redis_store.client import refusal_of
from ..service.runtime.job_queue import Jobs, client_of
from ..service.runtime.queue_names import OTHERS_FIRST, QueueName, served
from ..service.settings import Settings
from .gc_tuning import calm_collector
from .heartbeat import Heartbeat
from .jobs import open_context

# An idle worker sends a heartbeat every TTL - 15 seconds: that margin is the library's.
TTL_SECONDS = 20
REPLY_SECONDS = 15.0
MAINTENANCE_SECONDS = 60
REFUSED_SECONDS = 1.0
WAIT_SECONDS = 1
"""So often a worker without work looks whether it was asked to stop."""

log = structlog.get_logger(__name__)


class QuietWorker(SimpleWorker):
    """RQ's worker without forks: JSON jobs only, heartbeats for the health check, and a stop between two jobs.

    The library ends a waiting worker by an exception out of the signal handler, wherever the process happens to be, and lets a
    second thread listen to commands; a crash at the end was seen. Here a signal only leaves a note, and there is one thread.
    """

    log_result_lifespan = False
    max_connection_wait_time = 1.0

    def __init__(self, jobs: Jobs, names: list[QueueName], client: Redis) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - the library leaves some keywords untyped
            [jobs.queue(name) for name in names],
            name=f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}",
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=TTL_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
            log_job_description=False,
        )
        self._life = Heartbeat(client, "worker")
        self._refusal = ""
        self._jobs_taken = 0

    @property
    def asked_to_stop(self) -> bool:
        """Whether a signal asked for the end."""
        return self._stop_requested

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note the wish; a job that runs is finished first."""
        self._stop_requested = True

    def subscribe(self) -> None:
        """Take no commands: the signals are all this worker listens to."""

    def dequeue_job_and_maintain_ttl(self, timeout: int | None, max_idle_time: int | None = None) -> tuple[Job, Queue] | None:
        """Wait for a job; None as soon as the worker is asked to stop, or if nothing came in the given time."""
        if timeout is None or max_idle_time is not None:
            return super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
        while not self.asked_to_stop:
            with self._riding_out(REFUSED_SECONDS):
                if (found := super().dequeue_job_and_maintain_ttl(timeout, WAIT_SECONDS)) is not None:
                    return found
        return None

    @contextmanager
    def _riding_out(self, seconds: float = 0.0) -> Generator[None]:
        """Let it pass, after a while, if the server is silent or refuses (its disk is full): the library would end the worker."""
        try:
            yield
        except RedisError as error:
            refusal = "silent" if isinstance(error, TimeoutError) else refusal_of(error)
            if not refusal:
                raise
            if refusal != self._refusal:
                log.warning("worker: queue server unavailable", error=type(error).__name__, reason=refusal)
                self._refusal = refusal
            time.sleep(seconds)
        else:
            self._refusal = ""

    def register_birth(self) -> None:
        """Enter the library's registry as soon as the server takes that."""
        born = False
        while not born and not self.asked_to_stop:
            with self._riding_out(REFUSED_SECONDS):
                super().register_birth()
                born = True

    def set_state(self, state: str, pipeline: object = None) -> None:
        """Note what this worker does, if the server takes that."""
        with self._riding_out():
            super().set_state(state, pipeline)  # pyright: ignore[reportArgumentType] - whatever the library hands in

    def run_maintenance_tasks(self) -> None:
        """Clean up in the library's registries, if the server takes that."""
        with self._riding_out():
            super().run_maintenance_tasks()

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job; one that cannot be begun is offered again by the agenda."""
        with self._riding_out():
            super().execute_job(job, queue)

    def reorder_queues(self, reference_queue: object) -> None:
        """Let the most urgent queue be first, except for one job in each `OTHERS_FIRST`, which the others have in turn."""
        self._jobs_taken += 1
        turn, rest = divmod(self._jobs_taken, OTHERS_FIRST)
        others = len(self.queues) - 1
        first = 1 + turn % others if others and rest == 0 else 0
        self._ordered_queues = self.queues[first:] + self.queues[:first]

    def heartbeat(self, timeout: int | None = None, pipeline: object = None) -> None:
        """Tell the library's registry and the health check that this worker lives."""
        try:
            with self._riding_out():
                super().heartbeat(timeout, pipeline)  # pyright: ignore[reportArgumentType] - whatever the library hands in
                self._life.beat()
        except ConnectionError:
            if self.asked_to_stop:  # the library would retry forever
                raise StopRequested from None
            raise


def run(settings: Settings, names: list[QueueName]) -> bool:
    """Work until a signal asks to stop; False if the worker ended for another reason. Raises StartupRefused."""
    with closing(client_of(settings, REPLY_SECONDS)) as client, closing(client_of(settings)) as other:
        context = open_context(settings, Jobs(other))
        worker = QuietWorker(Jobs(client), served(names), client)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, worker.request_stop)
        calm_collector()
        log.info("worker is ready", queue=",".join(name.value for name in served(names)))
        try:
            worker.work(logging_level=None)
        except RedisError as error:
            log.error("worker: queue server lost", error=type(error).__name__)
        finally:
            context.close()
    return worker.asked_to_stop
