"""A whole deployment in one event loop: several api processes over the same stores in memory, and time that only waiting moves.

Bots, clocks and lists are looked after by the first process, as by a host that has no workers. Work that would go to a thread
is done at once, so a walk with the same seed takes the same course each time.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import traceback
from collections.abc import Callable, Generator, Mapping, MutableMapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar

import structlog

from tafelrunde.api.app import create_app, running
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.registry import without
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import Version
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.clockwork import Clockwork
from tests.support.sockets import scope_of
from tests.support.wire import Answer, request
from tests.walk.connections import Connection, Socket, Stream

Result = TypeVar("Result")

NOW_MS = 1_700_000_000_000
ARCHIVED_AFTER_SECONDS = 40
SETTINGS = Settings(
    bot_pause_ms=200,
    archive_after_seconds=ARCHIVED_AFTER_SECONDS,
    limits=LimitSettings(rate_limits=False, max_streams=1_000, connections_per_address=10_000),
)
PROCESSES = 2
CLOCKS: Sequence[Mapping[str, int]] = (
    {},
    {"turn_seconds": 20, "reaction_seconds": 10, "stand_in_after": 1, "away_seconds": 30},
    {"turn_seconds": 5, "reaction_seconds": 5, "stand_in_after": 2, "away_seconds": 0},
)
PROMPT_SECONDS = 0.001
"""How long those may take who wait for nothing but each other: less than any timer of the service."""


class Loop(Clockwork):
    """The loop of a walk: time passes only while nothing is left to do, and threads are none."""

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Result], *args: Any) -> asyncio.Future[Result]:
        """Do the work now."""
        future: asyncio.Future[Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class Process:
    """One api process: its application and its app, until it is stopped."""

    def __init__(self, deployment: InMemory, *, tends: bool) -> None:
        self.application = Application(
            deployment.stores, SETTINGS, games=GAMES, now_ms=deployment.now_ms, features=deployment.features
        )
        self.app = create_app(SETTINGS, application=self.application, tend=tends)
        self._ready = asyncio.Event()
        self._stopping = asyncio.Event()
        self._life: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Run the lifespan, in a task of its own: several of them may end in any order."""
        self._life = asyncio.create_task(self._live())
        await self._ready.wait()

    async def _live(self) -> None:
        async with running(self.app):
            self._ready.set()
            await self._stopping.wait()

    async def stop(self) -> None:
        """Let all connections end as a stopping server does, then end the lifespan."""
        assert self._life is not None
        self.app.state.running.drain()
        await asyncio.sleep(PROMPT_SECONDS)
        self._stopping.set()
        await self._life


class InMemory:
    """The deployment. Entered, it runs; `problems` are the lines of its log that no walk may cause."""

    patience_seconds = 0.0
    clocks = CLOCKS
    processes = PROCESSES
    slack_ms = 600
    """How much later than a view the feed of a spectator who knows all late may be: it is polled."""

    def __init__(self) -> None:
        self.stores = memory_stores()
        self.features = without("puzzles", "openid", "passkeys", "oauth")
        self.problems: list[str] = []
        self._running: list[Process] = []

    async def __aenter__(self) -> InMemory:
        for number in range(PROCESSES):
            self._running.append(Process(self, tends=number == 0))
            await self._running[-1].start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self._running:
            await process.stop()

    def now_ms(self) -> int:
        """Return the time of the deployment, in Unix milliseconds."""
        return NOW_MS + int(1_000 * asyncio.get_running_loop().time())

    async def settle(self) -> None:
        """Wait until everything has happened that waits for no time to pass."""
        await asyncio.sleep(PROMPT_SECONDS)

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    async def restart(self, number: int) -> None:
        """Stop one process, and start another one in its place."""
        await self._running[number].stop()
        self._running[number] = Process(self, tends=number == 0)
        await self._running[number].start()

    async def ask(self, number: int, method: str, path: str, **more: Any) -> Answer:
        """Send a request to a process and return its answer."""
        scope, body = request(method, f"/api/v1{path}", **more)
        status, headers, parts = 0, (), list[bytes]()

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], tuple(message["headers"])
            else:
                parts.append(message["body"])

        await self._running[number].app(scope, receive, send)  # type: ignore[arg-type]  # the app's types name each message
        return Answer(status, headers, b"".join(parts))

    def stream(self, number: int, path: str, token: str | None) -> Stream:
        """Open a stream of server-sent events at a process."""
        scope, body = request("GET", f"/api/v1{path}", token=token)
        return Stream(
            AsgiConnection(self._running[number].app, scope, {"type": "http.request", "body": body, "more_body": False})
        )

    def socket(self, number: int, token: str | None) -> Socket:
        """Open a two-way socket at a process."""
        return Socket(AsgiConnection(self._running[number].app, scope_of(token), {"type": "websocket.connect"}))

    async def entries(self, match: str, after: int) -> Sequence[bytes]:
        """Return the entries of a match's log after a version, as they are stored."""
        log = await self.stores.events.load(MatchId(match), Version(after))
        return log.entries if log is not None else ()


class AsgiConnection(Connection):
    """A connection to an app in this process: what it sends is there as soon as it is sent."""

    def __init__(self, app: Any, scope: MutableMapping[str, Any], first: Mapping[str, Any]) -> None:
        super().__init__()
        self._said: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self._said.put_nowait(first)
        self._left = False
        self._websocket = scope["type"] == "websocket"
        self._task = asyncio.ensure_future(app(scope, self._said.get, self._send))
        self._task.add_done_callback(self._ended)

    async def _send(self, message: Mapping[str, Any]) -> None:
        match message["type"]:
            case "http.response.start":
                self.status = message["status"]
            case "http.response.body":
                self.arrived += message["body"]
            case "websocket.accept":
                self.status = 101
            case "websocket.send":
                self.frames.append(message["text"])
            case "websocket.close":
                self.code = message["code"]
                self.over = True
            case _:
                self.status = message.get("status", self.status)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.over = True
        if not task.cancelled() and (error := task.exception()) is not None:
            asyncio.get_running_loop().call_exception_handler({"message": "a connection failed", "exception": error})

    def put(self, text: str) -> None:
        """Send a text over a socket."""
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        """Hang up."""
        if not self._left:
            self._left = True
            gone = {"type": "websocket.disconnect", "code": 1001} if self._websocket else {"type": "http.disconnect"}
            self._said.put_nowait(gone)


class _Watch(logging.Handler):
    """Collects what libraries log as a warning or worse."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._found = found

    def emit(self, record: logging.LogRecord) -> None:
        """Note a line."""
        if record.levelno >= logging.ERROR or record.exc_info:
            self._found.append(f"{record.levelname.lower()}: {record.getMessage()}")


@contextmanager
def watching_logs(found: list[str]) -> Generator[None]:
    """Collect the lines of the log that are errors, or warnings with a traceback."""

    def collect(_: object, level: str, line: MutableMapping[str, Any]) -> Mapping[str, Any]:
        error = line.get("exc_info")
        if level in {"error", "critical", "exception"} or error:
            shown = " ".join(f"{name}={value!r}" for name, value in line.items() if name not in {"event", "exc_info"})
            found.append(f"{level}: {line['event']} {shown}{_where(error)}")
        raise structlog.DropEvent

    watch = _Watch(found)
    kept = structlog.get_config()
    structlog.configure(processors=[collect])
    logging.getLogger().addHandler(watch)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(watch)
        structlog.configure(**kept)


def _where(error: object) -> str:
    shown = error if isinstance(error, BaseException) else sys.exc_info()[1]
    return "\n" + "".join(traceback.format_exception(shown)) if error and shown is not None else ""
