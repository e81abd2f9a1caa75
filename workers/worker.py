"""The worker process: an RQ worker that runs jobs in its own process, one after the other."""

from __future__ import annotations

import os
import socket
import uuid

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from ..service.queue import Jobs, QueueName, connect, server_of_queues
from ..service.settings import Settings
from .heartbeat import Heartbeat
from .jobs import open_shop
from .memory import calm_collector

# A worker that waits for jobs gives a sign of life every TTL - 15 seconds: that margin is the library's.
TTL_SECONDS = 20
REPLY_SECONDS = 15.0
MAINTENANCE_SECONDS = 60

log = structlog.get_logger(__name__)


class QuietWorker(SimpleWorker):
    """RQ's worker without forks: JSON jobs only, signs of life for the health check, told whether it was asked to stop."""

    log_result_lifespan = False
    max_connection_wait_time = 2.0

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
        self.asked_to_stop = False
        self._life = Heartbeat(client, "worker")

    def handle_warm_shutdown_request(self) -> None:
        """Note the wish; a job that runs is finished first."""
        self.asked_to_stop = True

    def heartbeat(self, timeout: int | None = None, pipeline: object = None) -> None:
        """Tell the library's registry and the health check that this worker lives."""
        super().heartbeat(timeout, pipeline)  # pyright: ignore[reportArgumentType] - whatever the library hands in
        self._life.beat()


def run(settings: Settings, names: list[QueueName]) -> bool:
    """Work until a signal asks to stop; False if the worker ended for another reason. Raises StartupRefused."""
    url = server_of_queues(settings)
    client = connect(url, REPLY_SECONDS)
    shop = open_shop(settings, Jobs(connect(url)))
    worker = QuietWorker(Jobs(client), names, client)
    calm_collector()
    log.info("worker is ready", queue=",".join(name.value for name in names))
    try:
        worker.work(logging_level=None)
    except RedisError as error:
        log.error("the server of the queues is gone", error=type(error).__name__)
        return worker.asked_to_stop
    finally:
        shop.close()
    return worker.asked_to_stop
