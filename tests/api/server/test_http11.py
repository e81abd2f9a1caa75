"""What comes over a real connection: offers of other protocols, and requests that are none."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import uvicorn
import uvicorn.server
from litestar import Litestar

from tafelrunde.api.server import http11
from tafelrunde.service.runtime.connections import ConnectionLimiter
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.blocks import need_curl
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required
from tests.support.served import Service, service

BODY = b'{"name":"Jay"}'
BY_CURL = (
    b"POST /api/v1/players HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n"
    b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
    b"Content-Type: application/json\r\nContent-Length: 14\r\n\r\n" + BODY
)
"""As `curl --http2` sends it, in one piece."""
BY_JDK = (
    b"POST /api/v1/players HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 14\r\nHost: 127.0.0.1:8000\r\n"
    b"HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA\r\nUpgrade: h2c\r\n"
    b"User-Agent: Java-http-client/17.0.15\r\nContent-Type: application/json\r\n\r\n"
)
"""As the HTTP client of the JDK sends it; the body comes in a piece of its own."""
HALF = len(BY_JDK) // 2
CHUNKED = BY_JDK.replace(b"Content-Length: 14", b"Transfer-Encoding: chunked")
CHUNKS = b"5\r\n" + BODY[:5] + b"\r\n9\r\n" + BODY[5:] + b"\r\n0\r\n\r\n"
SOCKET = (
    b"GET /api/v1/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: tafelrunde.v1\r\n\r\n"
)
ALIVE = b"GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def running() -> Iterator[Service]:
    """A service on a port."""
    with service() as running:
        yield running


def answers(running: Service, *pieces: bytes) -> bytes:
    """Send pieces on one connection, each after the one before has had time to arrive, and return all that is answered."""
    port = int(running.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            connection.sendall(piece)
        found = b""
        while received := connection.recv(65_536):
            found += received
        return found


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param((BY_CURL,), id="curl"),
        pytest.param((BY_JDK, BODY), id="jdk"),
        pytest.param((BY_JDK[:HALF], BY_JDK[HALF:] + BODY[:3], BODY[3:]), id="in pieces"),
        pytest.param((CHUNKED, CHUNKS), id="chunked"),
    ],
)
def test_body_arrives_when_another_protocol_is_offered(
    pieces: tuple[bytes, ...], running: Service, caplog: pytest.LogCaptureFixture
) -> None:
    """An offer of HTTP/2 is ignored: the body belongs to the request, and the connection goes on. Nothing is logged."""
    with caplog.at_level(logging.WARNING):
        found = answers(running, *pieces, ALIVE)
    first, _, second = found.partition(b'"text":')
    assert first.startswith(b"HTTP/1.1 201 ")
    assert b'"name":"Jay"' in first
    assert b"HTTP/1.1 200 " in second
    assert b'"live"' in second
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []


def test_requests_without_body_are_answered_when_another_protocol_is_offered(running: Service) -> None:
    """An offer with a GET, of WebSocket too, is ignored as well, and what follows on the connection is read."""
    asked = ALIVE.replace(b"Connection: close", b"Connection: Upgrade\r\nUpgrade: %s")
    found = answers(running, asked % b"h2c" + asked % b"websocket" + ALIVE)
    assert found.count(b"HTTP/1.1 200 ") == 3


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"GET /api/v1/health/live HTTP/1.1\r\nHost: a\r\nHost: b", id="two hosts"),
        pytest.param(b"GET /api/v1/health/live HTTP/1.1\r\nAccept: */*", id="no host"),
        pytest.param(b"GET /api/v1/health/live", id="no version"),
        pytest.param(b"GET /api/v1/health/live HTTP/2.0\r\nHost: a", id="another version"),
        pytest.param(b"POST /api/v1/players HTTP/1.0\r\nTransfer-Encoding: chunked", id="chunks of HTTP/1.0"),
        pytest.param(b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nHost: b\r\nUpgrade: h2c\r\nConnection: Upgrade", id="offer"),
    ],
)
def test_request_is_refused_when_it_is_not_one_of_http_11(head: bytes, running: Service) -> None:
    """A request names its version, and in HTTP/1.1 its host exactly once; HTTP/1.0 knows no chunks (RFC 9112, 6.1).

    Everything else is 400, and the connection ends.
    """
    assert answers(running, head + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"identity, chunked", b"gzip\r\nTransfer-Encoding: chunked"])
def test_body_is_refused_when_its_coding_is_unknown(coding: bytes, running: Service) -> None:
    """A coding that the server does not understand is 501 (RFC 9112, 6.1); it is not read as if it were not there."""
    head = b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: " + coding
    assert answers(running, head + b"\r\n\r\n" + CHUNKS).startswith(b"HTTP/1.1 501 ")


def test_request_of_http_10_needs_no_host(running: Service) -> None:
    """HTTP/1.0 knows no host."""
    assert answers(running, b"GET /api/v1/health/live HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def test_head_request_is_answered_on_a_connection_that_stays(running: Service) -> None:
    """Its answer has no body that the head could wait for; the next request is answered behind it."""
    asked = b"HEAD /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    with opened(running, asked) as connection:
        read_until(connection, b"\r\n\r\n")
        connection.sendall(ALIVE)
        read_until(connection, b'"live"')


SHORT_SECONDS = 0.2


@pytest.fixture
def impatient(running: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service, with a short limit for connections from now on."""
    monkeypatch.setattr(http11, "LIMIT_SECONDS", SHORT_SECONDS)
    return running


def opened(running: Service, *pieces: bytes) -> socket.socket:
    """Return a connection on which something was sent."""
    connection = socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2])), timeout=PATIENCE_SECONDS)
    for piece in pieces:
        connection.sendall(piece)
    return connection


def dripped(running: Service, start: bytes) -> bytes:
    """Send a byte now and then until the server ends the connection, and return what it has answered."""
    found = b""
    with opened(running, start) as connection:
        connection.settimeout(SHORT_SECONDS / 10)
        for _ in range(int(10 * PATIENCE_SECONDS / SHORT_SECONDS)):
            try:
                connection.sendall(b"x")
                received = connection.recv(65_536)
            except TimeoutError:
                continue
            except OSError:  # it was closed before the byte came
                return found
            if not received:
                return found
            found += received
    pytest.fail("the connection was never ended")


HEAD = b"POST /api/v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n"
LATE = b"HTTP/1.1 408 "


@pytest.mark.parametrize(
    ("start", "answer"),
    [
        pytest.param(b"", b"", id="nothing"),
        pytest.param(HEAD + b"X-Slow: ", LATE, id="head"),
        pytest.param(HEAD + b"\r\n{", LATE, id="body"),
        pytest.param(ALIVE.replace(b"Connection: close\r\n", b"") + HEAD + b"\r\n{", b"HTTP/1.1 200 ", id="body of the next"),
    ],
)
def test_connection_ends_when_a_request_takes_too_long(start: bytes, answer: bytes, impatient: Service) -> None:
    """However often a byte comes: one limit for the head, one for the body. A client that has begun a request gets 408."""
    if start:
        assert dripped(impatient, start).startswith(answer)
    else:
        with opened(impatient) as connection:
            assert connection.recv(1) == b""


def test_answer_may_take_longer_than_the_request(impatient: Service) -> None:
    """The limit applies to sending: a client that waits for an event, or for its next answer, is not cut off."""
    allowed = b"Host: x\r\nAuthorization: Bearer %b\r\n" % impatient.token.encode()
    wish = b'{"game":"coup","seats":2}'
    typed = b"Content-Type: application/json\r\nContent-Length: %d\r\nIdempotency-Key: k\r\nConnection: close\r\n\r\n" % len(wish)
    told = answers(impatient, b"POST /api/v1/matches HTTP/1.1\r\n" + allowed + typed + wish)
    match = json.loads(told.partition(b"\r\n\r\n")[2])["match"].encode()
    with opened(impatient, b"GET /api/v1/matches/%b/stream HTTP/1.1\r\n%b\r\n" % (match, allowed)) as waiting:
        read_until(waiting, b"match.opened")
        for _ in range(2):  # each of these is open for as long as the limit
            with opened(impatient) as idle:
                assert idle.recv(1) == b""
        leave = b"DELETE /api/v1/matches/%b/seats/me HTTP/1.1\r\n%bIdempotency-Key: l\r\nConnection: close\r\n\r\n"
        assert answers(impatient, leave % (match, allowed)).startswith(b"HTTP/1.1 200 ")
        read_until(waiting, b"event: reset")  # it continues as that of a spectator


def read_until(connection: socket.socket, what: bytes) -> None:
    """Read from a connection until something has come."""
    found = b""
    while what not in found:
        received = connection.recv(65_536)
        assert received, found
        found += received


def test_connection_ends_when_its_client_takes_nothing(impatient: Service) -> None:
    """What waits for a client that never reads is bounded, and is not kept for good."""
    assert impatient.server is not None
    connections = impatient.server.server_state.connections
    many = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 60
    with opened(impatient, many) as lazy:
        require_soon(lambda: connections, "the connection is there")
        require_soon(lambda: not connections, "the connection is ended")
        found = 0
        with suppress(ConnectionError):
            while received := lazy.recv(1_000_000):
                found += received.count(b"HTTP/1.1 200 OK")
        assert found < 60


def test_connection_is_refused_when_its_address_has_too_many(running: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, with 429, if each has a request under way; closing one connection makes room for another."""
    crowd = ConnectionLimiter()
    crowd.limit_to(Settings(limits=LimitSettings(connections_per_address=2), trusted_proxies=""))
    monkeypatch.setattr(http11.Connection, "crowd", crowd)
    begun: list[int] = []
    complete = http11.Connection.on_headers_complete
    monkeypatch.setattr(http11.Connection, "on_headers_complete", lambda self: [complete(self), begun.append(1)])
    with opened(running, BY_JDK), opened(running, BY_JDK) as second:
        require_soon(lambda: len(begun) == 2, "both wait for a body")
        with opened(running) as third:
            found = b""
            while received := third.recv(65_536):
                found += received
        assert found.startswith(b"HTTP/1.1 429 ")
        assert b"retry-after: " in found
        second.close()
        require_soon(lambda: crowd.count == 1, "one is closed")
        assert answers(running, ALIVE).startswith(b"HTTP/1.1 200 ")
    require_soon(lambda: crowd.count == 0, "all are closed")


def test_idle_connection_makes_room_when_its_address_has_too_many(running: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who holds connections without asking anything, or with half a head, keeps no one else of the address out."""
    crowd = ConnectionLimiter()
    crowd.limit_to(Settings(limits=LimitSettings(connections_per_address=3), trusted_proxies=""))
    monkeypatch.setattr(http11.Connection, "crowd", crowd)
    with opened(running) as first, opened(running, BY_JDK[:HALF]), opened(running, SOCKET) as third:
        read_until(third, b"\r\n\r\n")
        require_soon(lambda: crowd.count == 3, "all are open")
        for _ in range(3):
            assert answers(running, ALIVE).startswith(b"HTTP/1.1 200 ")
        assert first.recv(1) == b""
        held = [opened(running, BY_JDK) for _ in range(3)]
        try:
            require_soon(lambda: third.recv(64) == b"", "the socket that did not say hello is closed")
        finally:
            for each in held:
                each.close()
    require_soon(lambda: crowd.count == 0, "all are closed")


def test_connection_leaves_the_count_that_it_joined(running: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when others are counted elsewhere by then."""
    first, later = ConnectionLimiter(), ConnectionLimiter()
    monkeypatch.setattr(http11.Connection, "crowd", first)
    with opened(running):
        require_soon(lambda: first.count == 1, "it is open")
        monkeypatch.setattr(http11.Connection, "crowd", later)
    require_soon(lambda: first.count == 0, "it is closed")
    assert later.count == 0


class Line(asyncio.Transport):
    """A connection whose client takes what the test says: `left` bytes are still to be taken."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0
        self.closing = self.aborted = False
        self.written = b""

    def get_write_buffer_size(self) -> int:
        return self.left

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data


class Timers(asyncio.AbstractEventLoop):
    """A loop whose timers strike when the test says."""

    def __init__(self) -> None:
        self.waiting: list[tuple[asyncio.Handle, Callable[[], object]]] = []
        self.now = 0.0

    def time(self) -> float:
        return self.now

    def get_debug(self) -> bool:
        return False

    def call_later(self, delay: float, callback: Callable[..., object], *args: object, **_: object) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(delay, callback, args, self)
        self.waiting.append((handle, partial(callback, *args)))
        return handle

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        """Leave it where it is; it is passed over."""

    def strike(self) -> None:
        """Let the time of all timers come that are waiting now."""
        self.now += http11.LIMIT_SECONDS
        due = self.waiting
        self.waiting = []
        for handle, call in due:
            if not handle.cancelled():
                call()


def connected() -> tuple[http11.Connection, Line, Timers]:
    """Return a connection that was just opened, its line, and its timers."""
    line = Line()
    timers = Timers()
    config = uvicorn.Config(Litestar(), log_config=None)
    config.load()
    connection = http11.Connection(config, uvicorn.server.ServerState(), {}, timers)
    connection.connection_made(line)
    return connection, line, timers


@pytest.mark.parametrize("refused", [True, False])
def test_closing_connection_ends_when_its_client_takes_no_more(refused: bool) -> None:
    """Whether it was refused or idle, and however little is left; a client that takes some of it each time gets all."""
    connection, line, timers = connected()
    line.left = 50_000
    if refused:
        connection.data_received(b"nonsense\r\n\r\n")
    else:
        line.close()
    for line.left in (20_000, 1_000, 1):
        timers.strike()
        assert not line.aborted
    timers.strike()
    timers.strike()
    assert line.aborted
    connection.connection_lost(None)
    timers.strike()
    assert not timers.waiting


def test_head_is_refused_while_it_comes_when_it_does_not_end() -> None:
    """Or one client fills the memory within the time that it has for a head."""
    connection, line, _ = connected()
    connection.data_received(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
    for _ in range(8):
        connection.data_received(8_192 * b"x")
    assert not line.closing
    connection.data_received(b"x")
    assert line.closing
    assert line.written.startswith(b"HTTP/1.1 431 ")
    connection.connection_lost(None)


class Pieces(Line):
    """A connection that keeps what is written apart."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closing
        self.pieces.append(bytes(data))


@pytest.mark.parametrize(
    ("steps", "pieces"),
    [
        pytest.param((b"head", b"body"), [b"headbody"], id="whole"),
        pytest.param((b"head", b"first", b"second"), [b"headfirst", b"second"], id="stream"),
        pytest.param((b"HTTP/1.1 100 Continue", b"head", b"body"), [b"HTTP/1.1 100 Continue", b"headbody"], id="asked to go on"),
        pytest.param((b"head", b"HTTP/1.1 100 x"), [b"headHTTP/1.1 100 x"], id="body that looks like it"),
        pytest.param((b"head",), [b"head"], id="closed after the head"),
        pytest.param((), [], id="nothing"),
    ],
)
def test_head_of_an_answer_leaves_with_its_body(steps: tuple[bytes, ...], pieces: list[bytes]) -> None:
    """One write for both, in order; a head without a body leaves when the connection closes."""
    line = Pieces()
    answer = http11._Joined(line)
    for step in steps:
        answer.write(step)
    answer.close()
    assert line.pieces == pieces


MANY = 32 * 2**20
"""More than fits into all buffers between a client and a server."""
TRAILER = CHUNKED.replace(b"Upgrade: h2c\r\n", b"") + CHUNKS[:-2] + b"X-Long: "


@pytest.mark.parametrize("start", [pytest.param(HEAD + b"X-Long: ", id="head"), pytest.param(TRAILER, id="trailer")])
def test_connection_ends_when_a_field_does_not_end(start: bytes, running: Service) -> None:
    """A parser keeps all of a field, and looks at it again with each piece."""
    with opened(running, start) as connection, pytest.raises(ConnectionError):
        connection.sendall(MANY * b"x")


def require_soon(holds: Callable[[], object], what: str) -> None:
    """Wait for what another thread does."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(SHORT_SECONDS / 10)


def test_curl_with_http2_signs_up_by_its_name(running: Service) -> None:
    """`curl --http2` over plain HTTP makes a named player."""
    sent = ("-H", "Content-Type: application/json", "-d", BODY.decode())
    command = [need_curl(), "--http2", "-sS", "--noproxy", "*", f"{running.url}/api/v1/players", *sent]
    made = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    assert json.loads(made.stdout)["player"]["name"] == "Jay"


@pytest.mark.slow
def test_client_of_the_jdk_signs_up_by_its_name(running: Service) -> None:
    """The HTTP client of the JDK, with its defaults, makes a named player."""
    java = required(shutil.which("java"), "there is no Java: install it with 'apt-get install default-jre-headless'")
    program = Path(__file__).with_name("SignUp.java")
    made = subprocess.run([java, str(program), running.url], capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    assert json.loads(made.stdout)["player"]["name"] == "Jay"
