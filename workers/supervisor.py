"""`tafelrunde serve`: everything in one supervised run.

The supervisor holds the embedded server and the listening socket, and starts api, sweeper and workers as processes of
their own. It forks them, so it has one thread and no event loop. One that crashes, the embedded server included, is started
again after a pause that grows, for as long as it takes. Requests wait in the socket's backlog while there is no api, and get 503
while there is no server: before the first one is there, from `unavailable_responder`.
"""

from __future__ import annotations

import http.client
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from types import FrameType
from typing import IO

import structlog

from ..service.features.registry import FEATURES
from ..service.runtime import siblings
from ..service.runtime.capacity import usable_cores
from ..service.runtime.embedded_valkey import EmbeddedServer
from ..service.runtime.gc_tuning import calm_collector
from ..service.runtime.job_queue import QueueName
from ..service.runtime.siblings import shared_file
from ..service.settings import Settings
from .embedded_child import ServerChild
from .listener import reached_at, url_of
from .parent_watch import PARENT
from .processes import REFUSED, Order, Process, start
from .restart_backoff import Pauses
from .watchdog import HUNG_SECONDS, PIPE, Watch

READY = "/api/v1/health/ready"
LOOK_SECONDS = 0.05
REST_SECONDS = 0.5
"""The pause between two looks at processes that all run. The end of one ends it, so that nothing waits for the next look."""
QUICK = ("--queue", QueueName.TIMEOUTS.value, "--queue", QueueName.BOTS_FAST.value)
DEEP = ("--queue", QueueName.BOTS_DEEP.value, "--queue", QueueName.BOTS_ALONE.value)
"""Long jobs have processes of their own: a running job cannot be interrupted by a clock."""
MOST_OF_A_KIND = 4
"""Default number of processes of a kind: each takes memory even if it has nothing to do."""
CORES_FOR_TWO_SWEEPERS = 4
GRACE_SECONDS = 0.7
"""How much longer than the draining of requests a process may take to end."""

log = structlog.get_logger(__name__)


class Child:
    """One process, started again after a pause that grows while it keeps crashing; `refused` if it said that it cannot start."""

    def __init__(self, order: Order, main: Callable[[], None]) -> None:
        self.name = order.name
        self._order = order
        self._main = main
        self._process: Process | None = None
        self._watch: Watch | None = None
        self._pauses = Pauses()
        self._next = 0.0
        self.refused = False

    def _start(self) -> None:
        """Start the process, in a session of its own: Ctrl-C goes to the supervisor alone."""
        watch = Watch()
        environment = {**self._order.environment, PIPE: str(watch.descriptor)}
        descriptors = (*self._order.descriptors, watch.descriptor)
        try:
            self._process = start(self._order._replace(environment=environment, descriptors=descriptors), self._main)
        except BaseException:
            watch.close()
            raise
        finally:
            watch.close_other_end()
        self._watch = watch
        self._pauses.began()
        log.info("started", child=self.name, pid=self._process.pid)

    def look(self) -> None:
        """Start the process if it does not run yet, or has ended and its pause is over; end it if it hangs."""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._note_end(self._process.pid, status)
        elif self._process is not None and self._watch is not None:
            self._listen(self._process, self._watch)
        if self._process is None and time.monotonic() >= self._next:
            try:
                self._start()
            except OSError as error:  # the machine has no room for another process right now
                self._next = time.monotonic() + (pause := self._pauses.after_end())
                log.error("start failed", child=self.name, reason=str(error), seconds=pause)

    def _listen(self, process: Process, watch: Watch) -> None:
        watch.look(process.pid)
        if watch.silent_seconds > HUNG_SECONDS:
            log.error("not responding, killing it", child=self.name, pid=process.pid, seconds=round(watch.silent_seconds))
            process.send_signal(signal.SIGKILL)
            self._forget_watch()

    def _forget_watch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _note_end(self, pid: int, status: int) -> None:
        self._forget_watch()
        self.refused = status == REFUSED
        pause = self._pauses.after_end()
        log.warning("ended unexpectedly, restarting", child=self.name, pid=pid, status=status, seconds=pause)
        self._process = None
        self._next = time.monotonic() + pause

    @property
    def started(self) -> bool:
        """Whether there is a process, as far as the last look could tell."""
        return self._process is not None

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def ask_to_end(self) -> None:
        """Send SIGTERM."""
        if self._process is not None and self.running:
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process, if it still runs."""
        if self._process is not None and self.running:
            log.warning("did not stop in time, killed", child=self.name, pid=self._process.pid)
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


class Bell:
    """Ends a wait when a signal comes, also that of a child that has ended."""

    def __init__(self) -> None:
        self._hears, self._rings = socket.socketpair()
        for each in (self._hears, self._rings):
            each.setblocking(False)
        self._before = signal.getsignal(signal.SIGCHLD)
        signal.signal(signal.SIGCHLD, self._ring)  # a signal that is ignored would not
        signal.set_wakeup_fd(self._rings.fileno(), warn_on_full_buffer=False)

    def wait(self, seconds: float) -> bool:
        """Wait for that long, or until a signal comes; return whether one came."""
        rung = bool(select.select([self._hears], [], [], seconds)[0])
        if rung:
            self._hears.recv(4096)
        return rung

    def _ring(self, number: int, frame: FrameType | None) -> None:
        """Do nothing: that there is a handler is what counts."""

    def close(self) -> None:
        """Ring no more."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, self._before)
        self._hears.close()
        self._rings.close()


class Supervisor:
    """Runs the children until a signal comes. *server* is the embedded server, if there is one; *main* runs a command line."""

    def __init__(
        self,
        settings: Settings,
        listener: socket.socket,
        server: EmbeddedServer | None,
        say: Callable[[str], None],
        main: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._reached_at = reached_at(listener, settings)
        self._server = server
        self._server_child = ServerChild(server) if server is not None else None
        self._say = say
        apis = settings.apis or min(usable_cores(), MOST_OF_A_KIND)
        self._shared = shared_file(apis) if apis > 1 else None
        self._children = [Child(order, main) for order in _orders(settings, listener, apis, self._shared)]
        self._signals = 0

    def run(self) -> bool:
        """Start everything, print the address once the api answers, restart what crashes, and end it all on a signal.

        False if a process refused to start before all were ready: with the same settings it would do that over and over. One that
        does so later, because a file has gone meanwhile, say, is started again: the others serve on.
        """
        calm_collector()  # the pages that exist now stay shared with the children
        with self._listening_for_signals(), closing(Bell()) as bell:
            try:
                if not self._until_ready():
                    return False
                while not self._signals:
                    self._look()
                    bell.wait(REST_SECONDS if self._whole else LOOK_SECONDS)
            finally:
                self._end()
        return True

    def _until_ready(self) -> bool:
        """Wait until the api answers; False if a process refused to start, whatever answers meanwhile."""
        answers = False
        while not self._signals:
            self._look()
            if any(child.refused for child in self._children):
                return False
            if answers:
                self._say(f"Tafelrunde is ready: {self._settings.public_url or url_of(*self._reached_at)}")
                break
            answers = _answers(self._reached_at)
            time.sleep(LOOK_SECONDS)
        return True

    def _look(self) -> None:
        """Check every child. No check waits: a child that starts slowly does not delay the others."""
        if self._server_child is not None:
            self._server_child.look()
        for child in self._children:
            child.look()

    @property
    def _whole(self) -> bool:
        """Whether every process runs, as far as is known."""
        return all(child.started for child in self._children) and (self._server is None or self._server.running)

    def _end(self) -> None:
        """Let every child finish its work, kill those that do not, then stop the embedded server, which flushes its data."""
        log.info("shutting down")
        self._listener.close()
        until = time.monotonic() + self._settings.drain_seconds + GRACE_SECONDS
        for child in self._children:
            child.ask_to_end()
        while any(child.running for child in self._children) and time.monotonic() < until and self._signals < 2:
            time.sleep(LOOK_SECONDS)
        for child in self._children:
            child.kill()
        if self._server_child is not None:
            self._server_child.close()
        if self._server is not None:
            self._server.stop()
        if self._shared is not None:
            self._shared.close()

    @contextmanager
    def _listening_for_signals(self) -> Generator[None]:
        before = {each: signal.signal(each, self._note) for each in _signals()}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        """Count signals: the second one kills everything at once."""
        self._signals += 1


def _orders(settings: Settings, listener: socket.socket, apis: int, shared: IO[bytes] | None) -> Iterator[Order]:
    """Yield the processes of a deployment; several api processes have a *shared* file."""
    server = {
        "TAFELRUNDE_REDIS_URL": settings.redis_url or "",
        "TAFELRUNDE_RQ_URL": settings.rq_url,
        "TAFELRUNDE_ARCHIVE_URL": settings.archive_url,
        "TAFELRUNDE_SIGNING_KEY": settings.signing_key,
        **_keys_of_features(settings),
        "TAFELRUNDE_REDIS_PASSWORD": "",  # the addresses have it, and the embedded server needs none
        "TAFELRUNDE_STORE_ID": settings.store_id,
    }
    known = {name: value for name, value in server.items() if value is not None}
    environment = {**os.environ, **known, PARENT: str(os.getpid())}
    yield from _apis(environment, listener.fileno(), apis, shared)
    cores = usable_cores()
    for name, count, arguments in (
        ("sweeper", settings.sweepers or (2 if cores >= CORES_FOR_TWO_SWEEPERS else 1), ("sweeper",)),
        ("worker", settings.workers or _one_for_every(4, cores), ("worker", *QUICK)),
        ("thinker", settings.thinkers or _one_for_every(1, cores), ("worker", *DEEP)),
    ):
        for number in range(1, count + 1):
            yield Order(name if count == 1 else f"{name}-{number}", arguments, environment)


def _keys_of_features(settings: Settings) -> Mapping[str, str | None]:
    """Return the variables of the settings that name keys of features."""
    chosen = [(settings.of(each.settings), each.key_files) for each in FEATURES if each.settings is not None]
    return {f"TAFELRUNDE_{field.upper()}": getattr(mine, field) for mine, fields in chosen for field in fields}


def _apis(environment: Mapping[str, str], listener: int, count: int, shared: IO[bytes] | None) -> Iterator[Order]:
    arguments = ("api", "--listener", str(listener))
    if shared is None:
        yield Order("api", arguments, environment, (listener,))
        return
    for own in range(count):
        variables = {**environment, **siblings.environment(shared.fileno(), own, count)}
        yield Order(f"api-{own + 1}", arguments, variables, (listener, shared.fileno()))


def _one_for_every(share: int, cores: int) -> int:
    """Return how many processes of a kind run, one for every *share* cores."""
    return min(max(cores // share, 1), MOST_OF_A_KIND)


def _signals() -> list[signal.Signals]:
    """Return the signals that stop `serve`. An ignored hang-up (nohup) stays ignored; an ignored Ctrl-C (`&`) does not."""
    nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if nohup else [signal.SIGHUP])]


def _answers(address: tuple[str, int]) -> bool:
    """Return whether the api says that it is ready."""
    connection = http.client.HTTPConnection(*address, timeout=1.0)  # directly, whatever proxy the environment names
    try:
        connection.request("GET", READY)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
