"""Accepts connections on a socket that several api processes share, so that each of them gets its part.

All are woken by a new connection. The event loop's own server would let whichever is first take all that wait: in 64 connections
one after the other, 51 against 13. Here a process that has more connections than another one leaves it some time to be faster,
and then takes what is still there: a sibling that is busy, hangs or has died holds up no client.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import structlog

from ...service.runtime.siblings import Siblings

YIELD_SECONDS = 0.002
"""How long a connection is left to a sibling that has fewer."""
AT_ONCE = 8
"""How many are taken after that, at most."""
EXHAUSTED_SECONDS = 1.0
"""The pause when there is no descriptor, or no memory, for another connection."""

log = structlog.get_logger(__name__)


class Acceptor:
    """Accepts connections of *listener* for protocols that *make* makes; *connections* says how many are open here."""

    def __init__(
        self,
        listener: socket.socket,
        make: Callable[[], asyncio.Protocol],
        siblings: Siblings,
        connections: Callable[[], int],
    ) -> None:
        self._listener = listener
        self._make = make
        self._siblings = siblings
        self._connections = connections
        self._beginning: set[asyncio.Task[object]] = set()
        self._waiting: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        listener.setblocking(False)
        self._watch()

    def close(self) -> None:
        """Accept no more."""
        self._loop.remove_reader(self._listener)
        if self._waiting is not None:
            self._waiting.cancel()

    def note(self) -> int:
        """Tell the siblings how many connections are open here, and return that."""
        own = self._connections() + len(self._beginning)
        self._siblings.note_connections(own)
        return own

    def _watch(self) -> None:
        self._waiting = None
        self._loop.add_reader(self._listener, self._ready)

    def _ready(self) -> None:
        """Take one connection, or leave it to a sibling for a while. The loop comes again if there are more."""
        if self.note() > self._siblings.fewest_connections():
            self._pause(YIELD_SECONDS, self._take_left)
        else:
            self._take()

    def _pause(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop.remove_reader(self._listener)
        self._waiting = self._loop.call_later(seconds, then)

    def _take_left(self) -> None:
        self._watch()
        for _ in range(AT_ONCE):
            if not self._take():
                break

    def _take(self) -> bool:
        """Accept a connection; False if there is none, or no room for it."""
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return False
        except OSError as error:
            log.warning("no room for connections", reason=str(error))
            self._pause(EXHAUSTED_SECONDS, self._watch)
            return False
        connection.setblocking(False)
        task = self._loop.create_task(self._begin(connection))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)
        self.note()
        return True

    async def _begin(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, connection)
        except OSError:  # it has ended already
            connection.close()
