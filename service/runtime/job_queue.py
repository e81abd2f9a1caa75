"""The job queues, from the side of the processes that enqueue: the api after a command, and the sweeper.

A job names a match and nothing else, as JSON: what there is to do is read from the match itself, so a job that comes late
or twice changes nothing, and write access to the server does not allow running code in a worker.
"""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

from redis import Redis
from redis.backoff import ConstantBackoff, NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool
from rq import Queue
from rq.queue import EnqueueData
from rq.serializers import JSONSerializer

from ...domain.match import MatchId
from ..errors import StartupRefused, StoreUnavailable
from ..redis_store.address import Cluster, Sentinels, parse, require_alone
from ..redis_store.client import DRIVER
from ..redis_store.refusals import PASSING, REFUSED, refusal_of
from ..settings import Settings
from .outage import Outage
from .presence import GONE_SECONDS, SWEEPER, unattended_roles
from .queue_names import QueueName

SERVER = "queue server"
TRY_SECONDS = 2.0
RETRIES = 2
PAUSE_SECONDS = 0.05
LOOK_SECONDS = 0.25
WAITING_SECONDS = 60
JOB_SECONDS = 60
FAILURE_SECONDS = 60
CROWDED = 1_000
"""Maximum number of waiting jobs in a queue; the agenda offers the rest again."""
WRONG = {"NOAUTH", "NOPERM", REFUSED}
"""Refusals that do not pass: the setting has a wrong password or number, or a user with too few rights."""

_JOBS = {
    QueueName.TIMEOUTS: "tafelrunde.workers.jobs.time_out",
    QueueName.BOTS_FAST: "tafelrunde.workers.jobs.play_bots",
    QueueName.BOTS_DEEP: "tafelrunde.workers.jobs.play_deep_bots",
    QueueName.BOTS_ALONE: "tafelrunde.workers.jobs.play_bots_alone",
    QueueName.COACHING: "tafelrunde.workers.jobs.coach",
}


def client_of(
    settings: Settings, try_seconds: float = TRY_SECONDS, retries: int = RETRIES, while_waiting: Callable[[], None] | None = None
) -> Redis:
    """Return a client of the deployment's server of the queues; raise StartupRefused. See `connect`."""
    url, variable = address_of(settings)
    return connect(url, try_seconds, variable, retries, while_waiting)


def address_of(settings: Settings) -> tuple[str, str]:
    """Return the URL of the deployment's queue server, and the variable that sets it; raise StartupRefused."""
    url, variable = (settings.rq_url, "TAFELRUNDE_RQ_URL") if settings.rq_url else (settings.redis_url, "REDIS_URL")
    if url is None:
        raise StartupRefused("There is no server for the job queues: set REDIS_URL, or use `tafelrunde serve`.")
    return url, variable


def connect(
    url: str,
    try_seconds: float = TRY_SECONDS,
    variable: str = "REDIS_URL",
    retries: int = RETRIES,
    while_waiting: Callable[[], None] | None = None,
) -> Redis:
    """Return a client for queues with this timeout for a reply; its server must answer. Raises StartupRefused.

    It waits for a server that is loading its data, and accepts one that temporarily refuses writes. With *while_waiting*, which
    is called now and then, it also waits for a server that is down. *variable* is the setting that names the server.
    """
    client = unchecked_client(url, try_seconds, variable, retries)
    outage = Outage(SERVER)
    while True:
        try:
            require_usable(client, variable)
        except StoreUnavailable as error:
            if while_waiting is None or error.refusal in WRONG:
                require_passing(error, variable)
            else:
                while_waiting()
            outage.note(error)
            time.sleep(LOOK_SECONDS)
        else:
            outage.over()
            return client


def unchecked_client(url: str, try_seconds: float = TRY_SECONDS, variable: str = "REDIS_URL", retries: int = RETRIES) -> Redis:
    """Return a client for queues, whether or not there is a server; raise StartupRefused for an invalid address."""
    address = parse(url, variable)
    if isinstance(address, Cluster):
        raise StartupRefused(
            f"{variable} leads to a Redis Cluster, which cannot hold the job queues: name a Redis or Valkey server for them by "
            "TAFELRUNDE_RQ_URL."
        )
    patience = {"socket_timeout": try_seconds, "socket_connect_timeout": TRY_SECONDS}
    retry = Retry(ConstantBackoff(PAUSE_SECONDS), retries)
    try:
        if isinstance(address, Sentinels):
            return _behind(address, patience, retry)
        return Redis.from_url(url, protocol=2, retry=retry, driver_info=DRIVER, **patience)  # pyright: ignore[reportUnknownMemberType] - the library leaves keywords untyped
    except (RedisError, ValueError) as error:
        raise _refuse(error, variable) from error


class _SentinelPool(SentinelConnectionPool):
    """Connections to the primary that Sentinels name. Those to the Sentinels end with them, which the library forgets."""

    def disconnect(self, inuse_connections: bool = True) -> None:
        super().disconnect(inuse_connections)
        if inuse_connections:
            self.sentinel_manager.close()  # pyright: ignore[reportUnknownMemberType] - the library leaves it untyped


def _behind(address: Sentinels, patience: Mapping[str, float], retry: Retry) -> Redis:
    """Return a client of the primary that Sentinels name."""
    tls = {"ssl": True} if address.tls else {}
    brief = {"socket_timeout": TRY_SECONDS, "socket_connect_timeout": TRY_SECONDS, "retry": Retry(NoBackoff(), 0)}
    asked = Sentinel(list(address.hosts), sentinel_kwargs={**brief, **tls, **address.login})
    options: dict[str, Any] = {
        "db": address.database,
        "username": address.username,
        "password": address.password,
        **patience,
        **tls,
    }
    pool = _SentinelPool(address.name, asked, protocol=2, retry=retry, driver_info=DRIVER, **options)
    return Redis.from_pool(pool)


def require_usable(client: Redis, variable: str) -> None:
    """Raise StartupRefused for a server that can never be used, StoreUnavailable for one that does not answer reads now."""
    try:
        require_alone(_info(client), variable)
        client.exists("rq:workers")
    except (RedisError, OSError) as error:
        refusal = refusal_of(error) if isinstance(error, RedisError) else ""
        if refusal or isinstance(error, (OSError, Disconnected, TimedOut)):
            raise StoreUnavailable(str(error), refusal) from error
        raise _refuse(error, variable) from error  # there is no such database, or this is no Sentinel


def require_passing(error: StoreUnavailable, variable: str) -> None:
    """Raise StartupRefused unless the server says that it will soon be available by itself."""
    if error.refusal not in PASSING:
        raise _refuse(error, variable) from error


def _refuse(error: Exception, variable: str) -> StartupRefused:
    return StartupRefused(f"The server of the job queues ({variable}) does not work: {str(error).rstrip('.')}.")


def missing(client: Redis) -> str:
    """Return a sentence naming the sweepers and workers that have not been seen for a while; nothing if all have been."""
    try:
        names = unattended_roles(client)
    except (RedisError, OSError):
        return "The server of the job queues does not answer."
    if not names:
        return ""
    if SWEEPER in names:
        return f"No sweeper has been seen for {GONE_SECONDS} s."
    return f"No worker for {' and '.join(names)} has been seen for {GONE_SECONDS} s."


def _info(client: Redis) -> Mapping[str, object]:
    """Return the server's INFO, nothing if it may not be read, or not now."""
    try:
        return cast("Mapping[str, object]", client.info("server", "cluster"))  # pyright: ignore[reportUnknownMemberType] - untyped keywords
    except RedisError as error:
        if refusal_of(error):
            return {}
        raise


class Jobs:
    """Puts jobs into the queues of one server. Waits for the server, so keep it out of event loops."""

    def __init__(self, client: Redis) -> None:
        self._queues = {name: Queue(name.value, connection=client, serializer=JSONSerializer) for name in QueueName}

    def queue(self, name: QueueName) -> Queue:
        """Return one queue."""
        return self._queues[name]

    def waiting(self, name: QueueName) -> int:
        """Return how many jobs wait in a queue. Raises RedisError."""
        return self._queues[name].count

    def put(self, name: QueueName, matches: Sequence[MatchId], unless_in: Sequence[QueueName] = ()) -> int:
        """Put one job for each match into a queue and return how many; none if it is crowded. Raises RedisError.

        A match that waits there already, or in one of *unless_in*, is left out: what is offered over and over must not pile up.
        """
        chosen = self._queues[name]
        waiting = chosen.job_ids if matches else []
        if len(waiting) >= CROWDED:
            return 0
        elsewhere = [job for other in unless_in if matches for job in self._queues[other].job_ids]
        there = {each.rpartition("-")[0] for each in (*waiting, *elsewhere)}
        fresh = [match_id for match_id in matches if match_id not in there]
        if fresh:
            chosen.enqueue_many([_job(name, match_id) for match_id in fresh])
        return len(fresh)


def _job(name: QueueName, match_id: MatchId) -> EnqueueData:
    return Queue.prepare_data(  # pyright: ignore[reportUnknownMemberType] - the library leaves some keywords untyped
        _JOBS[name],
        (match_id,),
        job_id=f"{match_id}-{secrets.token_hex(8)}",
        timeout=JOB_SECONDS,
        result_ttl=0,
        ttl=WAITING_SECONDS,
        failure_ttl=FAILURE_SECONDS,
        description=name.value,
    )


class Postbox:
    """Takes matches and puts jobs for them into queues from a thread of its own, so `post` never waits.

    What cannot be put is dropped: the agenda offers bots again within the lease, and those who wait for coaching ask again.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._outage = Outage(SERVER)
        self._inbox: queue.SimpleQueue[tuple[QueueName, MatchId] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="postbox", daemon=True)
        self._thread.start()

    def post(self, name: QueueName, match_id: MatchId) -> None:
        """Ask for a job for a match in a queue."""
        self._inbox.put((name, match_id))

    def close(self) -> None:
        """Put what is left, and end the thread."""
        self._inbox.put(None)
        self._thread.join(TRY_SECONDS)

    def _run(self) -> None:
        while (first := self._inbox.get()) is not None:
            batch, last = self._rest(first)
            self._put(batch)
            if last:
                return

    def _rest(self, first: tuple[QueueName, MatchId]) -> tuple[Mapping[QueueName, Collection[MatchId]], bool]:
        """Return the match and all others that are waiting already, each once, and whether the end marker was among them."""
        found: dict[QueueName, dict[MatchId, None]] = {}
        taken: tuple[QueueName, MatchId] | None = first
        while taken is not None:
            name, match_id = taken
            found.setdefault(name, {})[match_id] = None
            if self._inbox.empty():
                return found, False
            taken = self._inbox.get()
        return found, True

    def _put(self, batch: Mapping[QueueName, Collection[MatchId]]) -> None:
        try:
            for name, matches in batch.items():
                self._jobs.put(name, list(matches))
        except (RedisError, OSError) as error:
            self._outage.note(error)  # they will be offered again
        else:
            self._outage.over()
