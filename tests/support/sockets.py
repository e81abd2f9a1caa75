"""A client of the socket, on the wire between a test and the app."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from litestar import Litestar

from tafelrunde.api.socket.frames import PATH, PROTOCOL
from tests.support.patience import PATIENCE_SECONDS
from tests.support.wire import FAR

URL = f"/api/v1{PATH}"


class Closed(Exception):
    """The service has closed the connection, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """One connection. It takes what it is sent only when asked, so a test is a reader as slow as it likes."""

    def __init__(self, app: Litestar, scope: dict[str, Any], room: int) -> None:
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue(room)
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(app(scope, self._said.get, self._sent.put))  # type: ignore[arg-type]  # the app's types name each message
        self._ids = 0
        self.texts: list[str] = []
        self.answer: dict[str, Any] = {}

    async def _next(self) -> dict[str, Any]:
        getting = asyncio.ensure_future(self._sent.get())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({getting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not getting.done():
            getting.cancel()
            self._task.result()
            raise EOFError
        return getting.result()

    async def open(self) -> int:
        """Return the status of the handshake: 101 if it was accepted. `answer` is then what the app said."""
        self.answer = await self._next()
        return int(self.answer.get("status", 101 if self.answer["type"] == "websocket.accept" else 403))

    def say(self, **frame: Any) -> str:
        """Send a frame; return its id, a fresh one if it has none. Bodies of frames that have no id are sent without."""
        if frame["type"] != "hello" and "id" not in frame:
            self._ids += 1
            frame["id"] = str(self._ids)
        self.say_text(json.dumps(frame))
        return str(frame.get("id", ""))

    def say_text(self, text: str) -> None:
        """Send a text."""
        self._said.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        """Send what is no text."""
        self._said.put_nowait({"type": "websocket.receive", "bytes": data})

    async def hear(self) -> dict[str, Any]:
        """Return the next frame; raise Closed, with the code, when there is none."""
        message = await self._next()
        if message["type"] == "websocket.close":
            raise Closed(message["code"])
        self.texts.append(message["text"])
        return json.loads(message["text"])

    async def until(self, wanted: str, name: str | None = None) -> dict[str, Any]:
        """Return the next frame of a type, or with an id."""
        while True:
            frame = await self.hear()
            if frame["type"] == wanted and (name is None or frame.get("id") == name):
                return frame

    async def ask(self, **frame: Any) -> dict[str, Any]:
        """Send a frame, and return its answer; other frames are passed over."""
        name = self.say(**frame)
        while (answer := await self.hear()).get("id") != name:
            pass
        return answer

    async def ends(self) -> int:
        """Return the code of the end; what comes before is passed over."""
        try:
            while True:
                await self.hear()
        except Closed as closed:
            return closed.code

    @property
    def over(self) -> bool:
        """Whether the app has done with it."""
        return self._task.done()

    async def leave(self) -> None:
        """Hang up, and wait until the app has noticed."""
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self._task.done():
                with suppress(asyncio.QueueEmpty):
                    self._sent.get_nowait()
                await asyncio.sleep(0)
        with suppress(asyncio.CancelledError):
            self._task.result()


def scope_of(
    token: str | None = None,
    *,
    headers: Iterable[tuple[str, str]] = (),
    protocols: tuple[str, ...] = (PROTOCOL,),
    peer: tuple[str, int] | None = FAR,
    root: str = "",
    path: str = URL,
) -> dict[str, Any]:
    """Return the scope of a handshake."""
    sent = [(b"host", b"testserver"), *((name.lower().encode(), value.encode()) for name, value in headers)]
    if token is not None:
        sent.append((b"authorization", f"Bearer {token}".encode()))
    return {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": root,
        "headers": sent,
        "client": peer,
        "server": ("testserver", 80),
        "subprotocols": list(protocols),
        "extensions": {"websocket.http.response": {}},
    }


@asynccontextmanager
async def connected(app: Litestar, token: str | None = None, *, room: int = 0, **more: Any) -> AsyncGenerator[Socket]:
    """Open a connection for the duration of the block. *room*: how many frames fit between the app and the client; 0: any."""
    socket = Socket(app, scope_of(token, **more), room)
    try:
        assert await socket.open() == 101, socket.answer
        yield socket
    finally:
        await socket.leave()
