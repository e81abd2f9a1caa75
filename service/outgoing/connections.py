"""Connections that are kept alive between messages. Each leads to one checked address, on behalf of one name."""

from __future__ import annotations

import asyncio
import ssl
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import httpcore

IDLE_SECONDS = 15.0
"""How long an idle connection is kept."""
KEPT = 512
"""Maximum number of idle connections, to all receivers together."""
READ_BYTES = 4_096
"""Maximum length read of a response body; a connection with a longer one is closed."""
READ_SECONDS = 0.5

Lost = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ConnectionNotAvailable)
"""Errors of an attempt without a response; invalid certificates are among them."""


class Target(NamedTuple):
    """The target of a connection: a number, while the handshake and the certificate use the name."""

    scheme: str
    name: str
    port: int
    address: str


class Connections:
    """Sends requests by HTTP/1.1, one at a time over each connection.

    `trust` is asked for late, as reading all certificates takes a while.
    """

    def __init__(self, trust: Callable[[], ssl.SSLContext]) -> None:
        self._trust = trust
        self._context: ssl.SSLContext | None = None
        self._idle: defaultdict[Target, dict[httpcore.AsyncHTTPConnection, asyncio.TimerHandle]] = defaultdict(dict)
        self._count = 0
        self._closing: set[asyncio.Task[None]] = set()

    async def send(self, place: Target, request: httpcore.Request) -> int:
        """Return the status of the answer; raise one of `Lost`.

        A kept connection may have been closed by the other side at this very moment. Then the request is sent again over a
        fresh one; a receiver that has it already knows its id.
        """
        kept = await self._take_kept(place)
        if kept is not None:
            with suppress(*Lost):
                return await self._over(kept, place, request)
        return await self._over(self._fresh(place), place, request)

    async def _take_kept(self, place: Target) -> httpcore.AsyncHTTPConnection | None:
        while self._idle.get(place):
            connection, timer = self._idle[place].popitem()
            timer.cancel()
            self._leave(place)
            if not connection.has_expired():
                return connection
            await connection.aclose()
        return None

    def _leave(self, place: Target) -> None:
        self._count -= 1
        if not self._idle[place]:
            del self._idle[place]

    def _fresh(self, place: Target) -> httpcore.AsyncHTTPConnection:
        if self._context is None and place.scheme == "https":
            self._context = self._trust()
        origin = httpcore.Origin(place.scheme.encode(), place.address.encode(), place.port)
        return httpcore.AsyncHTTPConnection(origin, self._context)

    async def _over(self, connection: httpcore.AsyncHTTPConnection, place: Target, request: httpcore.Request) -> int:
        kept = False
        try:
            response = await connection.handle_async_request(request)
            try:
                await _read(response)
            finally:
                await response.aclose()
            kept = self._keep(place, connection)
        finally:
            if not kept:
                await connection.aclose()
        return response.status

    def _keep(self, place: Target, connection: httpcore.AsyncHTTPConnection) -> bool:
        """Keep a connection, if it can be reused and there is room; return whether it is kept."""
        if not connection.is_idle() or self._count >= KEPT:
            return False
        timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._retire, place, connection)
        self._idle[place][connection] = timer
        self._count += 1
        return True

    def _retire(self, place: Target, connection: httpcore.AsyncHTTPConnection) -> None:
        del self._idle[place][connection]
        self._leave(place)
        task = asyncio.ensure_future(connection.aclose())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Close all connections that are kept."""
        for place in list(self._idle):
            for connection, timer in list(self._idle[place].items()):
                timer.cancel()
                self._retire(place, connection)
        if self._closing:
            await asyncio.wait(self._closing)


async def _read(response: httpcore.Response) -> None:
    """Read a short body to its end, so that the connection can be reused. Neither its content nor an error matters."""
    size = 0
    with suppress(TimeoutError, *Lost):
        async with asyncio.timeout(READ_SECONDS):
            async for part in response.aiter_stream():
                size += len(part)
                if size > READ_BYTES:
                    return
