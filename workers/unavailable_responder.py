"""What `serve` answers before it has a server for the first time: its socket listens already, and no api runs yet."""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

ROUND_SECONDS = 1.0
"""How long requests are answered each time, at most: the server is what is waited for."""
TAKE_SECONDS = 0.1
"""How long the next part of a request may take to be there."""
PART_BYTES, PARTS = 65_536, 4
"""What is read of a request, at most."""


def unavailable_responder(listener: socket.socket, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> Callable[[], None]:
    """Return what answers all who wait at a socket with 503, to be called now and then while there is no server."""
    lines = (b"HTTP/1.1 503 Service Unavailable", *(name + b": " + value for name, value in headers), b"connection: close")
    answer = b"\r\n".join((*lines, b"", body))

    def turn_away() -> None:
        until = time.monotonic() + ROUND_SECONDS
        while time.monotonic() < until and select.select([listener], [], [], 0)[0]:
            with suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    _answer(connection, answer)

    return turn_away


def _answer(connection: socket.socket, answer: bytes) -> None:
    """Answer a request. What was sent is read first and last: a connection that is closed with unread bytes loses its answer."""
    connection.settimeout(TAKE_SECONDS)
    with suppress(TimeoutError):
        connection.recv(PART_BYTES)
    connection.sendall(answer)
    connection.shutdown(socket.SHUT_WR)
    for _ in range(PARTS):
        if not connection.recv(PART_BYTES):
            break
