"""The wire between a test and the app: every byte of an answer, and streams as they come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from litestar import Litestar

from tests.support.patience import PATIENCE_SECONDS

REQUEST_ID = b"x-request-id"
FAR = ("203.0.113.7", 40_000)
"""An address that is not this machine."""


class Answer(NamedTuple):
    """An answer, byte for byte but for its request id, which differs each time: two answers can be compared."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def json(self) -> Any:
        """The body read as JSON."""
        return msgspec.json.decode(self.body)

    def header(self, name: str) -> str | None:
        """Return a header."""
        return next((value.decode() for key, value in self.headers if key == name.lower().encode()), None)


def without_request_id(headers: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of an answer that can be compared with those of another one."""
    return tuple(each for each in headers if each[0] != REQUEST_ID)


class Exchange:
    """One request under way."""

    def __init__(self, app: Litestar, scope: dict[str, Any], body: bytes) -> None:
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._body: bytes | None = body
        self._task = asyncio.ensure_future(app(scope, self._receive, self._sent.put))  # type: ignore[arg-type]  # the app's types name each message
        self.heard = b""
        self.request_id = ""

    async def _receive(self) -> Any:
        if self._body is not None:
            body = self._body
            self._body = None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def begin(self) -> Answer:
        """Return status and headers."""
        start = await self.next()
        self.request_id = dict(start["headers"]).get(REQUEST_ID, b"").decode()
        return Answer(start["status"], without_request_id(start["headers"]), b"")

    async def next(self) -> dict[str, Any]:
        """Return what comes next, as a message of ASGI; raise EOFError if nothing does."""
        getting = asyncio.ensure_future(self._sent.get())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({getting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not getting.done():
            getting.cancel()
            self._task.result()
            raise EOFError
        return getting.result()

    async def hear(self, wanted: bytes | None = None) -> bytes:
        """Read until *wanted* has been heard, or (None) until the end; return all that was heard so far."""
        while wanted is None or wanted not in self.heard:
            message = await self.next()
            self.heard += message["body"]
            if not message.get("more_body", False):
                break
        return self.heard

    def cancel(self) -> None:
        """Cancel the request, as a server does that stops and has waited for long enough."""
        self._task.cancel()

    async def leave(self) -> None:
        """Hang up, and wait until the app has noticed."""
        self._gone.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({self._task})
        with suppress(asyncio.CancelledError):
            self._task.result()


class Wire:
    """Asks an app."""

    def __init__(self, app: Litestar) -> None:
        self.app = app

    async def ask(self, method: str, path: str, **more: Any) -> Answer:
        """Send a request and return the whole answer."""
        exchange = Exchange(self.app, *request(method, path, **more))
        start = await exchange.begin()
        body = await exchange.hear()
        await exchange.leave()
        return Answer(start.status, start.headers, body)

    @asynccontextmanager
    async def listen(self, path: str, **more: Any) -> AsyncGenerator[Exchange]:
        """Open a stream for the duration of the block."""
        exchange = Exchange(self.app, *request("GET", path, **more))
        try:
            yield exchange
        finally:
            await exchange.leave()


def request(
    method: str,
    path: str,
    *,
    token: str | None = None,
    key: str | None = None,
    content: object = None,
    raw: bytes | None = None,
    headers: Iterable[tuple[str, str]] = (),
    peer: tuple[str, int] | None = FAR,
    root: str = "",
) -> tuple[dict[str, Any], bytes]:
    """Return the scope and the body of a request."""
    body = raw if raw is not None else b"" if content is None else json.dumps(content).encode()
    sent = [(name.lower().encode(), value.encode()) for name, value in headers]
    if content is not None:
        sent.append((b"content-type", b"application/json"))
    if token is not None:
        sent.append((b"authorization", f"Bearer {token}".encode()))
    if key is not None:
        sent.append((b"idempotency-key", key.encode()))
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": root,
        "headers": sent,
        "client": peer,
        "server": ("testserver", 80),
    }
    return scope, body


def told(answer: Answer) -> tuple[int, str]:
    """Return the status of an answer, and the type of problem that it names; empty if it names none."""
    return answer.status, answer.json.get("type", "")
