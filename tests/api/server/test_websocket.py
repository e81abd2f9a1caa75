"""WebSockets as our own server speaks them: every byte that a client may send, and a connection that comes from HTTP."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import socket
import struct
import tracemalloc
from collections.abc import AsyncIterator
from typing import cast

import pytest
from uvicorn.server import ServerState

from tafelrunde.api.server import http11, websocket
from tafelrunde.api.server.process import configure
from tafelrunde.api.socket import session
from tafelrunde.service.runtime.connections import FRAME_BYTES
from tafelrunde.service.runtime.connections import ROOM_BYTES as ROOM
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

HEAD = (
    b"GET /api/v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: " + base64.b64encode(bytes(16)) + b"\r\nSec-WebSocket-Protocol: tafelrunde.v1\r\n"
)
MASK = b"\x01\x02\x03\x04"
IDLE = 200
IDLE_BYTES = 40_000
"""Above what a socket takes here with its client in the same process."""
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
FIN = 0x80


def frame(opcode: int, payload: bytes = b"", *, fin: int = FIN, masked: bool = True, size: int | None = None) -> bytes:
    """Return a frame of a client; *size* is what it says of its length."""
    length = len(payload) if size is None else size
    mark = 0x80 if masked else 0
    if length < 126:
        head = bytes((fin | opcode, mark | length))
    elif length < 65_536:
        head = struct.pack("!BBH", fin | opcode, mark | 126, length)
    else:
        head = struct.pack("!BBQ", fin | opcode, mark | 127, length)
    return head + (MASK + bytes(each ^ MASK[at % 4] for at, each in enumerate(payload)) if masked else payload)


class Line:
    """A connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def read(self, count: int) -> bytes:
        """Return that many bytes."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.reader.readexactly(count)

    async def head(self) -> bytes:
        """Return the head of an answer."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.reader.readuntil(b"\r\n\r\n")

    async def hear(self) -> tuple[int, bytes]:
        """Return the next frame: its opcode, and its payload."""
        first, size = await self.read(2)
        if size == 126:
            [size] = struct.unpack("!H", await self.read(2))
        elif size == 127:
            [size] = struct.unpack("!Q", await self.read(8))
        return first & 15, await self.read(size)

    async def ends(self) -> int:
        """Return the code with which the service closes; 0 if it just does."""
        code = 0
        try:
            while True:
                opcode, payload = await self.hear()
                if opcode == CLOSE:
                    [code] = struct.unpack("!H", payload[:2])
        except (asyncio.IncompleteReadError, ConnectionError):
            return code


class Server:
    """Our own server, on a port."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.state = ServerState()
        self.lines: list[Line] = []

    async def start(self) -> None:
        """Listen."""
        config = configure(self.table.app, self.table.application.settings)
        config.load()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: http11.Connection(config, self.state, {}), "127.0.0.1", 0)

    async def connect(self) -> Line:
        """Open a connection."""
        port = self._server.sockets[0].getsockname()[1]
        self.lines.append(Line(*await asyncio.open_connection("127.0.0.1", port)))
        return self.lines[-1]

    async def open(self) -> Line:
        """Open a socket, as a guest who only watches."""
        line = await self.connect()
        line.writer.write(HEAD + b"\r\n")
        assert (await line.head()).startswith(b"HTTP/1.1 101 ")
        line.writer.write(frame(TEXT, b'{"type":"hello"}'))
        assert b'"welcome"' in (await line.hear())[1]
        return line

    async def empty(self) -> None:
        """Wait until all connections are gone."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.state.connections:  # noqa: ASYNC110 - uvicorn sets no event
                await asyncio.sleep(0)

    async def stop(self) -> None:
        """End all connections."""
        for line in self.lines:
            line.writer.close()
        await self.empty()
        self._server.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A running service on our own server."""
    limits = LimitSettings(rate_limits=False, max_streams=2 * IDLE)
    async with opened(Settings(bot_pause_ms=0, limits=limits)) as table:
        running = Server(table)
        await running.start()
        yield running
        await running.stop()


ASK = b'{"type":"unsubscribe","id":"1","match":"m' + b"a" * 24 + b'"}'


async def test_message_is_answered_in_however_many_pieces_it_comes(server: Server) -> None:
    """Byte by byte, in fragments, with a ping in between, and several at once."""
    line = await server.open()
    for byte in frame(TEXT, ASK):
        line.writer.write(bytes((byte,)))
        await line.writer.drain()
        await asyncio.sleep(0)
    assert json.loads((await line.hear())[1])["type"] == "unsubscribed"
    line.writer.write(frame(TEXT, ASK[:9], fin=0) + frame(PING, b"there?") + frame(CONTINUED, ASK[9:20], fin=0))
    assert await line.hear() == (PONG, b"there?")
    line.writer.write(frame(CONTINUED, ASK[20:]) + 3 * frame(TEXT, ASK))
    for _ in range(4):
        assert json.loads((await line.hear())[1])["type"] == "unsubscribed"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(TEXT, ASK, masked=False), 1002),
        (frame(TEXT, ASK, fin=FIN | 0x40), 1002),
        (frame(3, ASK), 1002),
        (frame(CONTINUED, ASK), 1002),
        (frame(TEXT, b"{", fin=0) + frame(TEXT, b"}"), 1002),
        (frame(PING, bytes(126)), 1002),
        (frame(PING, b"", fin=0), 1002),
        (frame(TEXT, b"", size=FRAME_BYTES + 1), 1009),
        (frame(TEXT, b"", size=1 << 62), 1009),
        (frame(TEXT, bytes(40_000), fin=0) + frame(CONTINUED, bytes(40_000), fin=0), 1009),
        (frame(BINARY, ASK), 1003),
        (frame(TEXT, b"\xff\xfe"), 4400),
        (frame(CLOSE, struct.pack("!H", 1000)), 1000),
    ],
    ids=[
        "unmasked", "reserved-bit", "unknown-opcode", "nothing-to-continue", "message-in-a-message", "long-ping",
        "part-of-a-ping", "too-large", "far-too-large", "too-large-in-parts", "binary", "not-utf-8", "closed-by-the-client",
    ],
)  # fmt: skip
async def test_what_is_no_message_ends_the_connection(server: Server, sent: bytes, code: int) -> None:
    """With the code that the protocol has for it, before more of it is read."""
    line = await server.open()
    line.writer.write(sent)
    assert await line.ends() == code
    line.writer.close()
    await server.empty()


async def test_connection_is_closed_when_no_ping_is_answered(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-open connections do not stay; neither does a message that is never complete."""
    monkeypatch.setattr(session, "PING_SECONDS", 0.02)
    line = await server.open()
    assert await line.ends() == 0
    monkeypatch.setattr(session, "PATIENT_TICKS", 1_000_000)
    line = await server.open()
    line.writer.write(frame(TEXT, b"{", fin=0))
    assert await line.ends() == 0


async def test_pings_of_a_client_that_reads_nothing_are_read_no_more(server: Server) -> None:
    """Each would be answered, and the answers kept."""
    line = await server.open()
    [mine] = server.table.app.state.running.part(session.Sessions)._open
    flood = frame(PING, bytes(125)) * 2_000
    before = mine._transport.unsent
    cast("asyncio.Transport", line.writer.transport).pause_reading()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while mine._flow.is_reading:
            line.writer.write(flood)
            await asyncio.sleep(0)
    assert before <= ROOM
    assert mine._transport.unsent < 4 * ROOM


async def test_system_buffers_little_for_a_client_that_reads_nothing(server: Server) -> None:
    """However much it is sent: what is beyond the buffer shows as unsent, so the client is soon known to take nothing."""
    await server.open()
    [connection] = server.state.connections
    transport = connection.transport
    assert transport is not None
    sock = transport.get_extra_info("socket")
    sent = 0
    while sent < 100 * websocket.SEND_BUFFER_BYTES:
        transport.write(bytes(ROOM))
        sent += ROOM
        await asyncio.sleep(0)
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * websocket.SEND_BUFFER_BYTES
    assert transport.get_write_buffer_size() > 0


async def test_connection_keeps_its_place_among_those_of_its_address(server: Server) -> None:
    """It is counted from its acceptance to its end, once."""
    crowd = http11.crowd
    before = crowd.count
    line = await server.open()
    assert crowd.count == before + 1
    line.writer.close()
    await server.empty()
    assert crowd.count == before


async def test_time_for_a_head_ends_with_the_head(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that is silent for longer than a head may take goes on."""
    monkeypatch.setattr(http11, "LIMIT_SECONDS", 0.05)
    monkeypatch.setattr(http11, "SWEEP_SECONDS", 0.01)
    line = await server.open()
    await asyncio.sleep(0.2)
    line.writer.write(frame(TEXT, ASK))
    assert json.loads((await line.hear())[1])["type"] == "unsubscribed"


async def test_socket_may_follow_answered_requests_and_nothing_else(server: Server) -> None:
    """On a kept connection it begins; as part of a pipeline, or with a body, the offer is ignored."""
    line = await server.connect()
    plain = b"GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    line.writer.write(plain)
    assert (await line.head()).startswith(b"HTTP/1.1 200 ")
    await line.read(len(b'{"status":"live"}'))
    line.writer.write(HEAD + b"\r\n")
    assert (await line.head()).startswith(b"HTTP/1.1 101 ")
    for sent in (HEAD + b"Content-Length: 2\r\n\r\n{}",):
        line = await server.connect()
        line.writer.write(sent)
        assert (await line.head()).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    ("without", "status"),
    [(b"Sec-WebSocket-Key", b"400"), (b"Sec-WebSocket-Version", b"400"), (b"Sec-WebSocket-Protocol", b"400"), (b"Host", b"400")],
)
async def test_handshake_that_lacks_something_is_refused(server: Server, without: bytes, status: bytes) -> None:
    """And the connection ends."""
    line = await server.connect()
    line.writer.write(b"\r\n".join(each for each in (HEAD + b"\r\n").split(b"\r\n") if not each.startswith(without)))
    assert (await line.head()).startswith(b"HTTP/1.1 " + status)
    await line.reader.read()


async def test_handshake_that_its_parser_refuses_ends_the_connection(server: Server) -> None:
    """A field may be longer here than there; the refusal leaves, and the connection does not stay without a limit of time."""
    line = await server.connect()
    line.writer.write(HEAD + b"Cookie: " + 9_000 * b"x" + b"\r\n\r\n")
    assert (await line.head()).startswith(b"HTTP/1.1 4")
    await line.reader.read()


@pytest.mark.parametrize("path", [b"/", b"/api/v1/games", b"/api/v1/socket/x"])
async def test_handshake_elsewhere_is_refused(server: Server, path: bytes) -> None:
    """There is one socket."""
    line = await server.connect()
    line.writer.write((HEAD + b"\r\n").replace(b"/api/v1/socket", path))
    assert (await line.head()).startswith(b"HTTP/1.1 40")
    await line.reader.read()


async def test_what_is_sent_before_the_handshake_is_answered_waits_for_nothing(server: Server) -> None:
    """No client may; the connection ends, and nothing of it is carried out."""
    line = await server.connect()
    line.writer.write(HEAD + b"\r\n" + frame(TEXT, ASK))
    async with asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await line.reader.readuntil(b"unsubscribed")
    await server.empty()


HEADS = {
    "socket": (HEAD, b"101"),
    "elsewhere": (HEAD.replace(b"/api/v1/socket", b"/"), b"404"),
    "no-subprotocol": (HEAD.replace(b"tafelrunde.v1", b"x"), b"400"),
    "foreign-origin": (HEAD + b"Origin: http://evil.example\r\n", b"400"),
    "no-key": (HEAD.replace(b"Sec-WebSocket-Key", b"X-Key"), b"400"),
    "old-version": (HEAD.replace(b"Version: 13", b"Version: 8"), b"400"),
}
"""Handshakes, and how each is answered."""
RESTS = {
    "nothing": b"",
    "one-byte": b"x",
    "request": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "unmasked": frame(TEXT, ASK, masked=False),
    "message": frame(TEXT, ASK),
    "half-a-message": frame(TEXT, ASK, fin=0),
    "close": frame(CLOSE, struct.pack("!H", 1000)),
    "noise": bytes(range(256)) * 40,
}
"""What may come behind a handshake before it is answered."""


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("head", HEADS)
async def test_handshake_is_answered_when_anything_follows(
    server: Server, head: str, rest: str, caplog: pytest.LogCaptureFixture, *, in_pieces: bool
) -> None:
    """Nothing is logged or carried out; an accepted handshake with something behind it ends with 1002."""
    sent, status = HEADS[head]
    line = await server.connect()
    if in_pieces:
        line.writer.write(sent + b"\r\n")
        await asyncio.sleep(0)
        line.writer.write(RESTS[rest])
    else:
        line.writer.write(sent + b"\r\n" + RESTS[rest])
    found = await line.head()
    assert found.startswith(b"HTTP/1.1 " + status), found
    if status != b"101":
        line.writer.close()
    elif not in_pieces and RESTS[rest]:
        assert await line.hear() == (CLOSE, struct.pack("!H", 1002))
        assert await line.ends() == 0
    line.writer.close()
    await server.empty()
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_handshake_is_dropped_when_its_client_has_gone(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """A client that leaves before the answer is no error, and no session is left of it."""
    for sent, _ in HEADS.values():
        line = await server.connect()
        line.writer.write(sent + b"\r\n")
        cast("asyncio.Transport", line.writer.transport).abort()
    await server.empty()
    assert not server.table.app.state.running.part(session.Sessions)._open
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_each_handshake_is_charged_to_its_address() -> None:
    """Refused or not, it counts as a request; once the budget is used up, it is 429 with the time to wait."""
    limits = LimitSettings(requests_per_minute=2 * len(HEADS))
    async with opened(Settings(bot_pause_ms=0, limits=limits)) as table:
        server = Server(table)
        await server.start()
        charged = [HEADS[name] for name in ("socket", "elsewhere", "no-subprotocol", "foreign-origin")]
        for sent, status in (*charged, *charged[:2], (HEAD, b"429"), (charged[1][0], b"429")):
            line = await server.connect()
            line.writer.write(sent + b"\r\n")
            head = await line.head()
            assert head.startswith(b"HTTP/1.1 " + status), head
            assert (status != b"429") or b"retry-after" in head.lower()
        await server.stop()


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 1 << 33])
def test_head_of_a_text_says_its_length(size: int) -> None:
    """In the shortest form, as the protocol wants."""
    wanted = frame(TEXT, masked=False, size=size)
    assert websocket.head_of(size) == wanted


async def test_idle_socket_has_no_task_and_takes_little(server: Server) -> None:
    """Ten thousand of them are no more than some hundred megabytes, and wake nothing but for pings."""
    await server.open()
    tasks = len(asyncio.all_tasks())
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(IDLE):
        await server.open()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(asyncio.all_tasks()) == tasks
    assert taken / IDLE < IDLE_BYTES, taken / IDLE
