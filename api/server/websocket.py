"""A connection that has become a WebSocket: websockets parses it, and its messages go straight to the session of the app.

The handshake is answered by the app, as on any ASGI server. Then no message is an ASGI event, no task waits for each connection,
and the head of a frame is written here.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ...service.runtime.connections import FRAME_BYTES, ROOM_BYTES, ConnectionLimiter

if TYPE_CHECKING:
    from asyncio import Transport

    from websockets.frames import Frame
    from websockets.http11 import Request

DIRECT = "tafelrunde.socket"
"""The extension of a scope by which the app hands over what makes a session of a connection."""
CLOSE_SECONDS = 1.0
"""How long the answer to a close is waited for."""
PROTOCOL_ERROR = 1002
"""The code of RFC 6455 for a client that broke the protocol."""
FRAGMENT_PINGS = 2
"""How many pings a message may take to be complete."""
SEND_BUFFER_BYTES = 64 * 1024
"""How much the system buffers of what is sent to a client. It would grow to megabytes, and a client that reads nothing would
look like one that does until they are full."""
TEXT = 0x81
"""The first byte of a text that is one frame."""
SHORT, MIDDLE = 126, 65_536


class Session(Protocol):
    """What the app makes of a connection."""

    @property
    def begun(self) -> bool:
        """Whether the client has said who it is, or that it is no one."""
        ...

    def receive(self, raw: bytes) -> None:
        """Take a text."""
        ...

    def binary(self) -> None:
        """Take what is no text."""
        ...

    def full(self) -> None:
        """Note that the client does not take what it is sent."""
        ...

    def writable(self) -> None:
        """Go on: it has taken it."""
        ...

    def note_pong(self) -> None:
        """Note that a ping was answered."""
        ...

    def drain(self) -> None:
        """Answer what is under way, and end."""
        ...

    def leave(self) -> None:
        """End: the connection has."""
        ...


class WebSocket(WebSocketsSansIOProtocol):
    """One connection, from its handshake on."""

    session: Session | None = None
    counted: tuple[ConnectionLimiter, str] | None = None
    """Where the connection is counted, and as whose: `http11` has counted it."""
    waited = 0
    """How many pings an incomplete message has seen."""
    idle_since = 0.0
    """When the handshake came (seconds of the loop)."""
    is_early = False
    """Whether the client has sent anything before the handshake was answered."""

    def data_received(self, data: bytes) -> None:
        """Parse received bytes. Before a session exists, none may be sent (RFC 6455, section 4.1): those are dropped."""
        if self.handshake_initiated and self.session is None:
            self.is_early = True
            return
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        """Have the app answer the handshake, unless it is none."""
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope["extensions"][DIRECT] = self.begin  # type: ignore[index]  # the dict that was just made

    def begin(self, protocol: str, make: Callable[[Line], Session]) -> None:
        """Accept the handshake, and hand messages to the session that *make* makes; close if the client did not wait for that."""
        if self.disconnected:
            return
        self.response.headers["Sec-WebSocket-Protocol"] = protocol
        self.conn.send_response(self.response)
        self.handshake_complete = True
        if self.is_early:
            self.conn.send_close(PROTOCOL_ERROR)
            self.flush()
            return
        self.flush()
        self.transport.set_write_buffer_limits(ROOM_BYTES)
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self.session = make(Line(self))

    async def run_asgi(self) -> None:
        """Let the app answer the handshake; a session goes on without it."""
        try:
            await cast("Any", self).app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if self.session is not None:
            del self.scope, self.request, self.response  # some kilobytes, for as long as the connection stays
        elif self.close_timer is None:
            self.transport.close()

    def flush(self) -> None:
        """Write what the parser wants written."""
        self.transport.write(b"".join(self.conn.data_to_send()))

    def handle_text(self, event: Frame) -> None:
        """Take a message, or the first part of one."""
        if not event.fin:
            self.frames = [bytes(event.data)]
        elif self.session is not None:
            self.session.receive(bytes(event.data))

    def handle_cont(self, event: Frame) -> None:
        """Take a further part of a message."""
        self.frames.append(bytes(event.data))
        if event.fin and self.session is not None:
            message = b"".join(self.frames)
            self.frames = []
            self.waited = 0
            self.session.receive(message)

    def handle_bytes(self, event: Frame) -> None:
        """Take a message that is no text."""
        if self.session is not None:
            self.session.binary()

    def handle_pong(self, event: Frame) -> None:
        """Note that the client is there."""
        if self.session is not None:
            self.session.note_pong()

    def pause_writing(self) -> None:
        """Read nothing until the client has taken what is buffered for it."""
        super().pause_writing()
        if self.session is not None:
            self.session.full()

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self.session is not None:
            self.session.writable()

    def shutdown(self) -> None:
        """End when what is under way is answered."""
        if self.session is None or self.close_sent:
            super().shutdown()
        else:
            self.session.drain()

    @property
    def idle(self) -> bool:
        """Whether it has not begun: it makes room for others of its address."""
        return self.session is not None and not self.session.begun

    def leave_crowd(self) -> None:
        """Count among the connections of its address no longer."""
        if self.counted is not None:
            joined, peer = self.counted
            joined.leave(peer)
            self.counted = None

    def connection_lost(self, exc: Exception | None) -> None:
        """End the session, and count the connection no longer."""
        super().connection_lost(exc)
        if self.session is not None:
            self.session.leave()
            self.session = None
        self.leave_crowd()


class Line:
    """The connection, as its session sees it."""

    __slots__ = ("_connection", "_transport")

    def __init__(self, connection: WebSocket) -> None:
        self._connection = connection
        self._transport: Transport = connection.transport

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return self._transport.get_write_buffer_size()

    def send(self, text: bytes) -> None:
        """Send a frame."""
        self._transport.write(head_of(len(text)) + text)

    def ping(self) -> bool:
        """Send a ping, unless a message has been incomplete for too long; return that its answer will be noticed."""
        connection = self._connection
        connection.waited = connection.waited + 1 if connection.frames else 0
        if connection.waited > FRAGMENT_PINGS:
            self._transport.abort()
        elif not self._transport.is_closing():
            connection.conn.send_ping(b"")
            connection.flush()
        return True

    def pause(self) -> None:
        """Read no more until `resume`; what was read already may still come."""
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def close(self, code: int) -> None:
        """End the connection with a code, once all was sent."""
        connection = self._connection
        if self._transport.is_closing() or connection.close_sent:
            return
        connection.conn.send_close(code)
        connection.flush()
        connection.close_sent = True
        self._transport.resume_reading()
        connection.close_timer = connection.loop.call_later(CLOSE_SECONDS, self._transport.close)

    def abort(self) -> None:
        """End the connection at once."""
        self._transport.abort()


def head_of(size: int) -> bytes:
    """Return the head of a text of that many bytes: a frame of a server has no mask, and a text here is one frame."""
    if size < SHORT:
        return bytes((TEXT, size))
    return struct.pack("!BBH", TEXT, SHORT, size) if size < MIDDLE else struct.pack("!BBQ", TEXT, SHORT + 1, size)


def options() -> dict[str, Any]:
    """Return how uvicorn is to serve WebSockets. Nothing is compressed, and sessions send pings themselves."""
    return {"ws": WebSocket, "ws_max_size": FRAME_BYTES, "ws_per_message_deflate": False, "ws_ping_interval": None}
