"""A client of the socket: on the wire between a test and the app, or over a port, as the server of the service has it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any, Union, cast

import msgspec
from litestar import Litestar
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tafelrunde.api.contract.asyncapi import sent_with
from tafelrunde.api.server.http11 import Connection
from tafelrunde.api.server.process import configure
from tafelrunde.api.socket.frames import PATH, PROTOCOL
from tests.support import contract
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import Table
from tests.support.wire import FAR

URL = f"/api/v1{PATH}"
ASGI = "asgi"
DIRECT = "direct"
WAYS = (ASGI, DIRECT)
LITTLE = 4_096
"""Bytes that the system keeps for each side of a connection, as far as it can be set."""
way = ASGI
"""How `connected` connects: the scope of an ASGI server, or a port of our own server."""


BODIES = {"receipt": "Receipt", "view": "View", "problem": "Problem"}
"""Fields of frames, and the components of the contract that they are."""
_shapes: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[sent_with()])  # noqa: UP007 - the members are in a tuple


class Closed(Exception):
    """The service has closed the connection, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """One connection."""

    def __init__(self) -> None:
        self._ids = 0
        self.texts: list[str] = []
        self.answer: dict[str, Any] = {}

    async def open(self) -> int:
        """Return the status of the handshake: 101 if it was accepted. `answer` is then what the app said."""
        self.answer = await self.next()
        return int(self.answer.get("status", 101 if self.answer["type"] == "websocket.accept" else 403))

    async def next(self) -> dict[str, Any]:
        """Return what comes next, as a message of ASGI."""
        raise NotImplementedError

    def put(self, message: dict[str, Any]) -> None:
        """Send a message of ASGI."""
        raise NotImplementedError

    def say(self, **frame: Any) -> str:
        """Send a frame; return its id, a fresh one if it has none. Bodies of frames that have no id are sent without."""
        if frame["type"] != "hello" and "id" not in frame:
            self._ids += 1
            frame["id"] = str(self._ids)
        self.say_text(json.dumps(frame))
        return str(frame.get("id", ""))

    def say_text(self, text: str) -> None:
        """Send a text."""
        self.put({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        """Send what is no text."""
        self.put({"type": "websocket.receive", "bytes": data})

    async def hear(self) -> dict[str, Any]:
        """Return the next frame; raise Closed, with the code, when there is none."""
        message = await self.next()
        if message["type"] == "websocket.close":
            raise Closed(message["code"])
        self.texts.append(message["text"])
        _shapes.decode(message["text"])
        frame = json.loads(message["text"])
        for name in BODIES.keys() & frame.keys():
            contract.validator(BODIES[name]).validate(frame[name])
        return frame

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
    def heard(self) -> list[Any]:
        """All frames that have come so far."""
        return [json.loads(text) for text in self.texts]

    async def leave(self) -> None:
        """Hang up, and wait until the app has noticed."""
        raise NotImplementedError


class AsgiSocket(Socket):
    """A connection to the app itself. It takes what it is sent only when asked, so a test is a reader as slow as it likes."""

    def __init__(self, app: Litestar, scope: dict[str, Any], room: int) -> None:
        super().__init__()
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue(room)
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(app(scope, self._said.get, self._sent.put))  # type: ignore[arg-type]  # the app's types name each message

    async def next(self) -> dict[str, Any]:
        """Return what the app sends next."""
        getting = asyncio.ensure_future(self._sent.get())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({getting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if not getting.done():
            getting.cancel()
            self._task.result()
            return {"type": "websocket.close", "code": 1006}
        return getting.result()

    def put(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._said.put_nowait(message)

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


class DirectSocket(Socket):
    """A connection over a port to the server of the service."""

    def __init__(self, app: Litestar, scope: dict[str, Any]) -> None:
        super().__init__()
        self._app = app
        self._scope = scope
        self._client: ClientConnection | None = None
        self._sending: list[asyncio.Task[None]] = []
        self._state = ServerState()

    async def open(self) -> int:
        """Return the status of the handshake; `answer` is its headers."""
        config = configure(cast("Any", self._app), self._app.state.running.settings)
        config.load()
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LITTLE)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Connection(config, self._state, {}), sock=listener)
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
        own.setblocking(False)
        await loop.sock_connect(own, listener.getsockname())
        port = listener.getsockname()[1]
        headers = [(name.decode(), value.decode()) for name, value in self._scope["headers"] if name not in {b"host", b"origin"}]
        origin = next((value.decode() for name, value in self._scope["headers"] if name == b"origin"), None)
        try:
            self._client = await connect(
                f"ws://127.0.0.1:{port}{self._scope['path']}",
                subprotocols=self._scope["subprotocols"],
                additional_headers=[*headers, ("X-Forwarded-For", self._scope["client"][0])],
                origin=cast("Any", origin),
                max_size=None,
                max_queue=1,
                sock=own,
                ping_interval=None,
                proxy=None,
                open_timeout=PATIENCE_SECONDS,
            )
        except InvalidStatus as refused:
            self.answer = {"status": refused.response.status_code, "body": refused.response.body}
            return refused.response.status_code
        self.answer = {"subprotocol": self._client.subprotocol}
        return 101

    async def next(self) -> dict[str, Any]:
        """Return what the service sends next."""
        assert self._client is not None
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return {"type": "websocket.send", "text": await self._client.recv()}
        except ConnectionClosed as closed:
            return {"type": "websocket.close", "code": closed.rcvd.code if closed.rcvd is not None else 1006}

    def put(self, message: dict[str, Any]) -> None:
        """Send a message, after those before it."""
        before = self._sending[-1] if self._sending else None
        self._sending.append(asyncio.ensure_future(self._put(message, before)))

    async def _put(self, message: dict[str, Any], before: asyncio.Task[None] | None) -> None:
        assert self._client is not None
        if before is not None:
            await asyncio.wait({before})
        with suppress(ConnectionClosed):
            await self._client.send(message["text"] if "text" in message else message["bytes"])

    async def leave(self) -> None:
        """Hang up, and wait until the service has noticed."""
        if self._client is not None:
            self._client.transport.abort()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._state.connections:  # noqa: ASYNC110 - uvicorn sets no event
                await asyncio.sleep(0)
        for task in self._sending:
            await asyncio.wait({task})
        self._server.close()


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
    scope = scope_of(token, **more)
    line = DirectSocket(app, scope) if way == DIRECT else AsgiSocket(app, scope, room)
    try:
        assert await line.open() == 101, line.answer
        yield line
    finally:
        await line.leave()


async def refused(app: Litestar, token: str | None = None, **more: Any) -> dict[str, Any]:
    """Return how a handshake is refused: its `status`, and the `body` of the answer."""
    scope = scope_of(token, **more)
    line = DirectSocket(app, scope) if way == DIRECT else AsgiSocket(app, scope, 0)
    try:
        status = await line.open()
        if way == ASGI and status != 101:
            line.answer["body"] = (await line.next())["body"]
        return {**line.answer, "status": status}
    finally:
        await line.leave()


async def command_of(table: Table, match: str, token: str) -> dict[str, Any]:
    """Return a frame with a legal command."""
    question = (await table.view(match, token))["question"]
    given = {"decision": question["decision"], "command": question["legal"][0]}
    return {"type": "command", "match": match, "key": table.key(), **given}


async def feed_of(table: Table, match: str, token: str | None) -> list[Any]:
    """Return all items of a feed."""
    items: list[Any] = (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]
    return items


def items_of(frames: Iterable[Any]) -> list[Any]:
    """Return the items of frames, receipts among them, in the order in which they came."""
    found: list[Any] = []
    for frame in frames:
        found += frame.get("items", frame.get("receipt", {}).get("items", ()))
    return found
