"""What comes over a real connection: offers of other protocols, and requests that are none."""

from __future__ import annotations

import json
import logging
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
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
        pytest.param(b"POST /api/v1/players HTTP/1.1\r\nHost: a\r\nHost: b\r\nUpgrade: h2c\r\nConnection: Upgrade", id="offer"),
    ],
)
def test_request_is_refused_when_it_is_not_one_of_http_11(head: bytes, running: Service) -> None:
    """A request names its version, and in HTTP/1.1 its host exactly once; everything else is 400, and the connection ends."""
    assert answers(running, head + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_request_of_http_10_needs_no_host(running: Service) -> None:
    """HTTP/1.0 knows no host."""
    assert answers(running, b"GET /api/v1/health/live HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 ")


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl; what it sends is replayed above")
def test_curl_with_http2_signs_up_by_its_name(running: Service) -> None:
    """`curl --http2` over plain HTTP makes a named player."""
    sent = ("-H", "Content-Type: application/json", "-d", BODY.decode())
    command = ["curl", "--http2", "-sS", "--noproxy", "*", f"{running.url}/api/v1/players", *sent]
    made = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    assert json.loads(made.stdout)["player"]["name"] == "Jay"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="there is no JDK; what its client sends is replayed above")
def test_client_of_the_jdk_signs_up_by_its_name(running: Service) -> None:
    """The HTTP client of the JDK, as it is by default, makes a named player."""
    program = Path(__file__).with_name("SignUp.java")
    made = subprocess.run(["java", str(program), running.url], capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    assert json.loads(made.stdout)["player"]["name"] == "Jay"
