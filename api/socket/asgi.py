"""The socket on any ASGI server: the scope `websocket`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, cast

from litestar.types import Receive, Send

from ...service.runtime.connections import ROOM_BYTES
from ..http.answering import refuse
from ..http.context import AppContext
from ..http.cors import Cors
from ..http.rate_limits import require_small
from ..http.response import Reply
from ..problems import Refused
from .frames import PROTOCOL
from .session import Session

DIRECT = "tafelrunde.socket"
"""Extension of a scope: takes what makes a session of a transport, where the server has one of its own."""


class AsgiTransport:
    """Sends one message after the other, as fast as the server takes them."""

    def __init__(self, send: Send) -> None:
        self._send: Any = send
        self._queue: deque[bytes | int] = deque()
        self._more = asyncio.Event()
        self._reading = asyncio.Event()
        self._reading.set()
        self.unsent = 0
        self.session: Session | None = None
        self.sending: asyncio.Future[None] | None = None

    def send(self, text: bytes) -> None:
        """Send a frame."""
        self.unsent += len(text)
        self._put(text)

    def _put(self, what: bytes | int) -> None:
        self._queue.append(what)
        self._more.set()

    def ping(self) -> bool:
        """Send nothing: the server has pings of its own."""
        return False

    def pause(self) -> None:
        """Read no more until `resume`."""
        self._reading.clear()

    def resume(self) -> None:
        """Read on."""
        self._reading.set()

    def close(self, code: int) -> None:
        """End the connection with a code, once all was sent."""
        self._put(code)

    def abort(self) -> None:
        """End the connection: what is unsent stays so."""
        if self.sending is not None:
            self.sending.cancel()

    async def send_all(self) -> None:
        """Send what there is, until the connection is closed."""
        while True:
            while not self._queue:
                self._more.clear()
                await self._more.wait()
            what = self._queue.popleft()
            if isinstance(what, int):
                await self._send({"type": "websocket.close", "code": what})
                return
            await self._send({"type": "websocket.send", "text": what.decode()})
            before = self.unsent
            self.unsent -= len(what)
            if before > ROOM_BYTES >= self.unsent and self.session is not None:
                self.session.writable()

    async def read_all(self, session: Session, receive: Receive) -> None:
        """Hand on what comes, until the client has gone."""
        while True:
            await self._reading.wait()
            message: Mapping[str, Any] = await receive()
            if message["type"] != "websocket.receive":
                return
            if (text := message.get("text")) is not None:
                session.receive(text.encode())
            else:
                session.binary()


async def serve(
    running: AppContext, cors: Cors | None, scope: Mapping[str, Any], receive: Receive, send: Send, *, is_there: bool
) -> None:
    """Answer the handshake of a socket, and serve the connection to its end. *is_there*: whether the path is that of the socket.

    Each handshake is charged to its address, as any request.
    """
    await receive()
    try:
        if running.limits is not None:
            await running.limits.enter((scope.get("client") or ("",))[0])
        if not is_there:
            raise Refused("not-found")
        _require_right(running, cors, scope)
    except Refused as error:
        await _deny(refuse(error, "none"), scope, cast("Any", send))
        return
    if (direct := scope.get("extensions", {}).get(DIRECT)) is not None:
        direct(PROTOCOL, partial(Session, running, scope))
        return
    await send({"type": "websocket.accept", "subprotocol": PROTOCOL, "headers": []})
    transport = AsgiTransport(send)
    session = transport.session = Session(running, scope, transport)
    transport.sending = asyncio.ensure_future(transport.send_all())
    both = {transport.sending, asyncio.ensure_future(transport.read_all(session, receive))}
    try:
        done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        with suppress(OSError, asyncio.CancelledError):  # the client has gone, or was given up
            for task in done:
                task.result()
    finally:
        session.leave()
        transport.session = None
        for task in both:
            task.cancel()


def _require_right(running: AppContext, cors: Cors | None, scope: Mapping[str, Any]) -> None:
    """Raise Refused for a handshake without our subprotocol, from a page that may not use tokens, or with too large headers."""
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    if PROTOCOL not in scope.get("subprotocols", ()):
        raise Refused("invalid-request", field="Sec-WebSocket-Protocol", detail=f"must offer {PROTOCOL}")
    origin = headers.get(b"origin")
    if origin is not None and not _is_own(running, origin, headers) and (cors is None or not cors.lists(origin)):
        raise Refused("invalid-request", field="Origin", detail="pages of this origin may not use tokens here")
    require_small(scope["headers"])


def _is_own(running: AppContext, origin: bytes, headers: Mapping[bytes, bytes]) -> bool:
    """Return whether an origin is that of the service itself."""
    place = origin.partition(b"://")[2]
    public = (running.settings.public_url or "").partition("://")[2].partition("/")[0].encode()
    return bool(place) and place in {headers.get(b"host"), public}


async def _deny(reply: Reply, scope: Mapping[str, Any], send: Callable[[Any], Awaitable[None]]) -> None:
    """Refuse a handshake: with the problem, where the server can send one."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await send({"type": "websocket.http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "websocket.http.response.body", "body": reply.body, "more_body": False})
    else:
        await send({"type": "websocket.close", "code": 4000 + reply.status})
