"""A lean HTTP/1.1 client for load: one connection, one request at a time, bytes in and bytes out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import NamedTuple, cast

HEAD_END = b"\r\n\r\n"
LENGTH = b"content-length: "


class Answer(NamedTuple):
    """Status and body."""

    status: int
    body: bytes


class Connection(asyncio.Protocol):
    """One kept-alive connection. Answers must have a Content-Length, as those of our API do."""

    def __init__(self, host: str) -> None:
        self._host = host.encode()
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._answer: asyncio.Future[Answer] | None = None

    @classmethod
    async def open(cls, host: str, port: int) -> Connection:
        """Connect."""
        _, connection = await asyncio.get_running_loop().create_connection(lambda: cls(f"{host}:{port}"), host, port)
        return connection

    async def ask(self, request: bytes) -> Answer:
        """Send a request and return its answer."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def request(self, method: str, path: str, headers: Iterable[bytes] = (), body: bytes = b"") -> bytes:
        """Return the bytes of a request."""
        lines = [b"%s %s HTTP/1.1" % (method.encode(), path.encode()), b"host: " + self._host, *headers]
        if method != "GET":
            lines += [b"content-type: application/json", b"content-length: %d" % len(body)]
        return b"\r\n".join(lines) + HEAD_END + body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own does not say that it is one

    def data_received(self, data: bytes) -> None:
        """Pass the answer to its caller once it is complete."""
        self._buffer += data
        end = self._buffer.find(HEAD_END)
        if end < 0:
            return
        head = self._buffer[:end].lower()
        start = end + len(HEAD_END)
        at = head.find(LENGTH)
        length = int(head[at + len(LENGTH) :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(self._buffer) < start + length:
            return
        answer = Answer(int(head[9:12]), self._buffer[start : start + length])
        self._buffer = self._buffer[start + length :]
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify all waiters."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class Stream(asyncio.Protocol):
    """One server-sent event stream: calls *heard* with the bytes of every piece that arrives."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        self._request = request
        self._heard = heard
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, host: str, port: int, path: str, headers: Iterable[bytes], heard: Callable[[bytes], None]) -> Stream:
        """Connect and ask for the stream."""
        lines = [b"GET %s HTTP/1.1" % path.encode(), b"host: %s:%d" % (host.encode(), port), *headers]
        request = b"\r\n".join(lines) + HEAD_END
        _, stream = await asyncio.get_running_loop().create_connection(lambda: cls(request, heard), host, port)
        return stream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own does not say that it is one
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Pass on what arrives."""
        self._heard(data)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()
