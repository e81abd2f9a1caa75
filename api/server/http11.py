"""HTTP/1.1 as uvicorn and httptools parse it, and six things that they leave to their users.

- An offer to change the protocol (`Upgrade: h2c`, sent by `curl --http2` and by default by the HTTP client of the JDK) is
  ignored, as RFC 9110, section 7.8, allows. llhttp ends its message there and leaves the body out, so a fresh parser reads on.
  Only a WebSocket is begun, and `websocket` goes on with it.
- A request without a version or of another one, and one that does not name its host exactly once, is refused (RFC 9112, 3.2).
- So is one of HTTP/1.0 whose body comes in chunks, which that version does not know (RFC 9112, 6.1).
- A body in any coding but `chunked` is refused with 501 (RFC 9112, 6.1): the parser would read it as if it were not encoded.
- A client has a limited time for the head of a request, then for its body, and to take what it is sent.
- An endless field of a head or trailer is refused while it arrives: the parser would buffer all of it.
- Head and body of an answer leave in one write: each write is a system call here and wakes the client up.
- Limits of time are looked at once a second for all connections: timers for each request cost a twentieth of it.
"""

from __future__ import annotations

from asyncio import Transport
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from ...service.runtime.connections import ConnectionLimiter, address_of, crowd
from .websocket import WebSocket

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle

FRAMING = (b"content-length", b"transfer-encoding")
"""Headers that define a body's length; llhttp has checked it before a message's headers are complete."""
VERSIONS = ("1.0", "1.1")
LIMIT_SECONDS = 30.0
"""For the head of a request, from the opening of the connection or its first byte; for its body; to take a part of an answer."""
SWEEP_SECONDS = 1.0
"""The pause between two looks at how long clients are waited for."""
FIELD_BYTES = 65_536
"""Limit for bytes that neither start a request nor belong to a body; the application measures complete heads."""
GO_ON = b"HTTP/1.1 100 "
REFUSAL = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_SLOW = REFUSAL % b"408 Request Timeout"
TOO_MANY = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_LARGE = REFUSAL % b"431 Request Header Fields Too Large"
UNKNOWN_CODING = REFUSAL % b"501 Not Implemented"


class Malformed(ValueError):
    """The request is not one of HTTP/1.0 or HTTP/1.1; the parser's user answers 400."""


class UnknownCoding(ValueError):
    """The body is sent in a transfer coding that is not supported; the parser's user answers 501."""


class _Due(Enum):
    """What a connection waits for its client to send."""

    NOTHING = "nothing"
    HEAD = "head"
    BODY = "body"


class Connection(HttpToolsProtocol):
    """One connection of a client."""

    due = _Due.NOTHING
    idle = True
    idle_since = 0.0
    head_is_due = False
    body_is_due = False
    taken = False
    upgraded = False
    untaken_bytes = 0
    due_until = inf
    quiet_until = inf
    stall: TimerHandle | None = None
    crowd = crowd
    counted: tuple[ConnectionLimiter, str] | None = None
    """Where it is counted, and as whose connection: it leaves what it has joined."""

    def connection_made(self, transport: Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.idle_since = self.loop.time()
        peer = self.client[0] if self.client is not None else ""
        if self.crowd.enter(peer) or (self._close_idle(peer) and self.crowd.enter(peer)):
            self.counted = self.crowd, peer
        else:
            transport.write(TOO_MANY)
            transport.close()
        self._limit_time()
        if self.server_state not in _swept:
            _swept.add(self.server_state)
            self.loop.call_later(SWEEP_SECONDS, _sweep, self.loop, self.server_state)

    def _close_idle(self, peer: str) -> bool:
        """Close the connection of an address that has been without a request for longest; False if there is none."""
        place = address_of(peer)
        idle = [
            each
            for each in self.server_state.connections
            if isinstance(each, (Connection, WebSocket))
            and each.idle
            and each.counted is not None
            and each.counted[0] is self.crowd
            and address_of(each.counted[1]) == place
        ]
        if not idle:
            return False
        oldest = min(idle, key=lambda each: each.idle_since)
        oldest.leave_crowd()
        oldest.transport.close()
        return True

    def leave_crowd(self) -> None:
        """Count among the connections of its address no longer."""
        if self.counted is not None:
            joined, peer = self.counted
            joined.leave(peer)
            self.counted = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self.leave_crowd()
        self.due = _Due.NOTHING
        self.stall = _cancel(self.stall)

    def data_received(self, data: bytes) -> None:
        """Read received bytes."""
        self.quiet_until = inf
        self.taken = False
        try:
            self._read(data)
        except httptools.HttpParserError as error:
            if isinstance(error.__context__, UnknownCoding):
                self.transport.write(UNKNOWN_CODING)
                self.transport.close()
            else:
                self.send_400_response("Invalid HTTP request received.")
        self.untaken_bytes = 0 if self.taken else self.untaken_bytes + len(data)
        if self.untaken_bytes > FIELD_BYTES:
            self._refuse(TOO_LARGE)
        self._limit_time()

    def _refuse(self, answer: bytes) -> None:
        """Close the connection: with an error response, if its client is owed one."""
        if self.transport.is_closing():
            return
        if not self.pipeline and (self.idle if self.head_is_due else self.body_is_due and not self.cycle.response_started):
            self.transport.write(answer)
        self.transport.close()

    def _limit_time(self) -> None:
        """Start the client's time limit for what is due now; more bytes do not extend it."""
        if self.upgraded:
            return
        if self.transport.is_closing():
            self._watch()
            return
        due = self._due()
        if due is self.due:
            return
        self.due = due
        self.due_until = inf if due is _Due.NOTHING else self.loop.time() + LIMIT_SECONDS

    def _due(self) -> _Due:
        if self.pipeline:  # another request is being answered, and nothing is read meanwhile
            return _Due.NOTHING
        if self.body_is_due:
            return _Due.BODY
        return _Due.HEAD if self.idle else _Due.NOTHING

    def look(self, now: float) -> None:
        """Close the connection of a client that was too slow, or that has sent nothing for long after an answer."""
        if now >= self.quiet_until:
            self.quiet_until = inf
            self.timeout_keep_alive_handler()
        elif now >= self.due_until:
            self.due_until = inf
            self._refuse(TOO_SLOW)
            self._watch()

    def on_response_complete(self) -> None:
        """Continue with the next request, or wait for one."""
        self.server_state.total_requests += 1
        if not self.transport.is_closing():
            self.flow.resume_reading()
            if self.pipeline:
                self._start_asgi_task(*self.pipeline.pop())
            else:
                self.quiet_until = self.loop.time() + self.timeout_keep_alive
        self.idle = self.cycle.response_complete
        self.idle_since = self.loop.time()
        self._limit_time()

    def pause_writing(self) -> None:
        """Wait until the client has taken what it was sent."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Resume sending."""
        super().resume_writing()
        self.stall = _cancel(self.stall)
        if self.transport.is_closing():
            self._watch()

    def _watch(self) -> None:
        """Check whether the client takes what is buffered for it, if anything is: a closing connection stays until then."""
        if self.stall is None and (left := self.transport.get_write_buffer_size()):
            self.stall = self.loop.call_later(LIMIT_SECONDS, self._look_again, left)

    def _look_again(self, before: int) -> None:
        """Drop a client that has taken nothing since; what is buffered for it would be kept indefinitely."""
        self.stall = None
        if self.transport.get_write_buffer_size() < before:
            self._watch()
        else:
            self.transport.abort()

    def _read(self, data: bytes) -> None:
        while True:
            try:
                return self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:
                data = data[offer.args[0] :]
                if self._should_upgrade():
                    return self._hand_over(data)
                self._read_on()

    def _should_upgrade(self) -> bool:
        """Return whether a WebSocket begins: in place of a request without a body, on a connection that owes no answer."""
        owes = bool(self.cycle) and not self.cycle.response_complete
        return not owes and not self._framing() and super()._should_upgrade()

    def _hand_over(self, data: bytes) -> None:
        """Leave the connection, and its place among those of its address, to the protocol of WebSockets."""
        self.due = _Due.NOTHING
        self.due_until = inf
        self.stall = _cancel(self.stall)
        self.handle_websocket_upgrade()
        heir = cast(WebSocket, self.transport.get_protocol())
        heir.counted = self.counted
        heir.idle_since = self.loop.time()
        self.counted = None
        self.upgraded = True
        if not heir.handshake_initiated:  # its parser has refused the head, and nothing looks at its time
            heir.flush()
            heir.transport.close()
        elif data:
            heir.data_received(data)

    def _read_on(self) -> None:
        """Have a fresh parser read on: first the body of the request that made the offer, if it has one."""
        framing = self._framing()
        rest = _Rest(self)
        self.parser = httptools.HttpRequestParser(rest)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        if framing:
            lines = [b"POST / HTTP/1.1", *(b"%s: %s" % each for each in framing), b"", b""]
            self.parser.feed_data(b"\r\n".join(lines))
        rest.head_is_known = False

    def _framing(self) -> list[tuple[bytes, bytes]]:
        return [(name, value) for name, value in self.headers if name in FRAMING]

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        self.head_is_due = self.taken = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin to answer a request."""
        version = self.parser.get_http_version()
        names = [name for name, _ in self.headers]
        if version not in VERSIONS or names.count(b"host") > 1:
            raise Malformed
        if b"host" not in names if version == "1.1" else b"transfer-encoding" in names:
            raise Malformed
        if any(name == b"transfer-encoding" and value.strip().lower() != b"chunked" for name, value in self.headers):
            raise UnknownCoding
        self.idle = False
        self.head_is_due = False
        self.body_is_due = True
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before and self.scope["method"] != "HEAD":  # a WebSocket's handshake has no cycle, HEAD no body
            self.cycle.transport = cast("Transport", _Joined(self.transport))

    def on_body(self, body: bytes) -> None:
        """Take a part of a body."""
        self.taken = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Record that a request is complete. A body behind an offer is still to come."""
        if not (self.parser.should_upgrade() and self._framing()):
            self.body_is_due = False
            super().on_message_complete()


class _Joined:
    """Where one answer is written to: its head waits for the first part of its body, as ASGI wants it."""

    __slots__ = ("_head", "_transport")

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._head: bytes | None = None

    def write(self, data: bytes) -> None:
        """Write a part of the answer; the first one is its head, unless it only says to go on."""
        if self._head is None and not data.startswith(GO_ON):
            self._head = data
            return
        self._transport.write(self._head + data if self._head else data)
        self._head = b"" if self._head is not None else None

    def is_closing(self) -> bool:
        """Return whether nothing more can be written."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close the connection once all is written."""
        if self._head and not self._transport.is_closing():
            self._transport.write(self._head)
        self._transport.close()


_swept: WeakSet[ServerState] = WeakSet()


def _sweep(loop: AbstractEventLoop, state: ServerState) -> None:
    """Look at all connections of a server, now and once a second for as long as there are any."""
    if not state.connections:
        _swept.discard(state)
        return
    loop.call_later(SWEEP_SECONDS, _sweep, loop, state)
    now = loop.time()
    for each in list(state.connections):
        if isinstance(each, Connection):
            each.look(now)


def _cancel(timer: TimerHandle | None) -> None:
    """Cancel a timer, if there is one."""
    if timer is not None:
        timer.cancel()


class _Rest:
    """The callbacks of a parser that reads on: it ignores the head that stands in for one read before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.head_is_known = True
        self.on_body = connection.on_body
        self.on_message_complete = connection.on_message_complete

    def on_message_begin(self) -> None:
        if not self.head_is_known:
            self._connection.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self.head_is_known:
            self._connection.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.head_is_known:
            self._connection.on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self.head_is_known:
            self._connection.on_headers_complete()
