"""Real processes with an embedded Valkey: what a walk does in memory, done to `tafelrunde serve` in real time.

Time cannot be moved here, so waits are short, and checks are repeated until what was sent has arrived. A restart is a kill.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from tafelrunde.api.socket.frames import PROTOCOL
from tafelrunde.domain.match import MatchId
from tafelrunde.service.deployment import connect as connect_stores
from tafelrunde.service.ports.events import Version
from tafelrunde.service.redis_store import RedisStores
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve
from tests.support.soak.kills import deployment_of
from tests.support.wire import Answer
from tests.walk.connections import Connection, Socket, Stream

LONGEST_WAIT_SECONDS = 2.5
SETTLED_SECONDS = 0.05
VICTIMS = ("api", "sweeper", "worker", "thinker")
CLOCKS: Sequence[Mapping[str, int]] = (
    {"turn_seconds": 3, "reaction_seconds": 2, "stand_in_after": 1, "away_seconds": 1},
    {"turn_seconds": 2, "reaction_seconds": 2, "stand_in_after": 2, "away_seconds": 0},
)


class Processes:
    """A running `serve`. Entered, it runs."""

    patience_seconds = 30.0
    slack_ms = 3_000
    clocks = CLOCKS
    processes = 1

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._said = 0
        self._folder = tempfile.TemporaryDirectory(prefix="tr-")
        self._serve = Serve(
            Path(self._folder.name),
            apis=2,
            bot_pause_ms=50,
            rate_limits="false",
            max_streams=1_000,
            archive_after_seconds=5,
            lease_ms=500,
        )
        self._http = httpx.AsyncClient(timeout=PATIENCE_SECONDS, limits=httpx.Limits(max_connections=200))
        self._open: set[asyncio.Task[None]] = set()
        self._stores: RedisStores
        self._killed = 0

    async def __aenter__(self) -> Processes:
        await asyncio.to_thread(self._serve.start)
        self._stores = await connect_stores(deployment_of(self._serve), anywhere=True)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._open:
            task.cancel()
        await self._stores.close()
        await self._http.aclose()
        await asyncio.to_thread(self._serve.stop)
        self.note_problems()
        self._folder.cleanup()

    def now_ms(self) -> int:
        """Return the time of this machine, which is that of the server."""
        return time.time_ns() // 1_000_000

    def note_problems(self) -> None:
        """Read what was logged since: no error may be among it, but for what a kill causes."""
        lines = self._serve.lines()
        for line in lines[self._said :]:
            if line["level"] in {"error", "critical"} or "exception" in line:
                shown = " ".join(
                    f"{name}={value!r}" for name, value in line.items() if name not in {"event", "level", "timestamp"}
                )
                self.problems.append(f"{line['level']}: {line['event']} {shown}")
        self._said = len(lines)

    async def settle(self) -> None:
        """Give what was sent a moment to arrive."""
        await asyncio.sleep(SETTLED_SECONDS)
        self.note_problems()

    async def wait(self, seconds: float) -> None:
        """Let time pass, but not for long."""
        await asyncio.sleep(min(seconds, LONGEST_WAIT_SECONDS))

    async def restart(self, number: int) -> None:
        """Kill a process of some kind; it is started again by itself."""
        victim = VICTIMS[(number + self._killed) % len(VICTIMS)]
        self._killed += 1
        with suppress(ProcessLookupError, IndexError):
            os.kill(self._serve.pid(victim), signal.SIGKILL)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            await asyncio.sleep(SETTLED_SECONDS)
            with suppress(httpx.HTTPError):
                if (await self._http.get(f"{self._serve.url}/api/v1/health/ready")).status_code == 200:
                    return
        raise TimeoutError("not ready again")

    async def ask(self, number: int, method: str, path: str, **more: Any) -> Answer:
        """Send a request and return its answer; what a kill has cut off is sent again, with the same key."""
        headers = {"Authorization": f"Bearer {more['token']}"} if more.get("token") else {}
        if more.get("key"):
            headers["Idempotency-Key"] = more["key"]
        body = {"json": more["content"]} if more.get("content") is not None else {}
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                found = await self._http.request(method, f"{self._serve.url}/api/v1{path}", headers=headers, **body)
            except httpx.TransportError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(SETTLED_SECONDS)
                continue
            if found.status_code == 503 and time.monotonic() < until:
                await asyncio.sleep(SETTLED_SECONDS)
                continue
            return Answer(found.status_code, tuple(found.headers.raw), found.content)

    def stream(self, number: int, path: str, token: str | None) -> Stream:
        """Open a stream of server-sent events."""
        connection = _Real()
        connection.run(self._open, self._read(connection, path, token))
        return Stream(connection)

    async def _read(self, connection: _Real, path: str, token: str | None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with suppress(httpx.TransportError):
            async with self._http.stream("GET", f"{self._serve.url}/api/v1{path}", headers=headers, timeout=None) as found:
                connection.status = found.status_code
                async for chunk in found.aiter_raw():
                    connection.arrived += chunk

    def socket(self, number: int, token: str | None) -> Socket:
        """Open a two-way socket."""
        connection = _Real()
        connection.run(self._open, self._talk(connection, token))
        return Socket(connection)

    async def _talk(self, connection: _Real, token: str | None) -> None:
        url = f"ws{self._serve.url.removeprefix('http')}/api/v1/socket"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            async with connect(
                url, subprotocols=[Subprotocol(PROTOCOL)], additional_headers=headers, max_size=None, proxy=None
            ) as client:
                saying = asyncio.create_task(_say(client, connection))
                try:
                    while True:
                        frame = str(await client.recv())
                        connection.frames.append(frame)
                finally:
                    saying.cancel()
        except ConnectionClosed as closed:
            connection.code = closed.rcvd.code if closed.rcvd is not None else 1006
        except InvalidStatus as refused:
            connection.code = 4000 + refused.response.status_code if refused.response.status_code != 503 else 1012
        except (OSError, InvalidHandshake):
            connection.code = 1006

    async def entries(self, match: str, after: int) -> Sequence[bytes]:
        """Return the entries of a match's log after a version, as they are stored."""
        log = await self._stores.stores.events.load(MatchId(match), Version(after))
        return log.entries if log is not None else ()


class _Real(Connection):
    """A connection over the network, read by a task."""

    def __init__(self) -> None:
        super().__init__()
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def run(self, tasks: set[asyncio.Task[None]], work: Any) -> None:
        """Read in a task until the connection ends."""
        self._task = asyncio.create_task(work)
        tasks.add(self._task)
        self._task.add_done_callback(tasks.discard)
        self._task.add_done_callback(self._ended)

    def _ended(self, _: asyncio.Task[None]) -> None:
        self.over = True

    def put(self, text: str) -> None:
        """Send a text over a socket."""
        self.said.put_nowait(text)

    def leave(self) -> None:
        """Hang up."""
        if self._task is not None:
            self._task.cancel()


async def _say(client: ClientConnection, connection: _Real) -> None:
    with suppress(ConnectionClosed):
        while True:
            await client.send(await connection.said.get())
