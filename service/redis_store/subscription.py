"""What a server publishes on one channel, given to a function as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, cast

import hiredis
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from .link import pack

SILENCE_SECONDS = 5.0
"""The silence after which the server is pinged; it has as long to answer. A host that has vanished closes no connection."""
_PARTIAL = object()
_PING = pack((("PING",),))

Hear: TypeAlias = Callable[[bytes], None]


class Subscription(asyncio.Protocol):
    """A connection, which the client library has opened and logged in, that listens to one channel until `ended` is done.

    Cancelling `ended` closes it.
    """

    def __init__(self, channel: str, hear: Hear) -> None:
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._channel = channel
        self._hear = hear
        self._reader = hiredis.Reader(notEnoughData=_PARTIAL)
        self._writer: asyncio.StreamWriter | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._came = True
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, writer: asyncio.StreamWriter) -> None:
        """Take over an open connection."""
        self._writer = writer  # without a reference to it, it closes the connection
        self._transport = writer.transport
        self._transport.set_protocol(self)
        self._transport.write(pack((("SUBSCRIBE", self._channel),)))
        self._timer = self._loop.call_later(SILENCE_SECONDS, self._watch)
        self.ended.add_done_callback(lambda _: self.close())

    def data_received(self, data: bytes) -> None:
        """Hand out what has been published."""
        self._came = True
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not _PARTIAL:
                self._take(reply)
        except (hiredis.HiredisError, ValueError, LookupError):
            self.close()

    def _take(self, reply: object) -> None:
        if isinstance(reply, Exception):  # not every user may subscribe
            self.close()
            return
        kind, *rest = cast("list[bytes]", reply)
        if kind == b"message":
            self._hear(rest[1])
        elif kind == b"subscribe" and not self.begun.done():
            self.begun.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.close()

    def _watch(self) -> None:
        if not self._came:
            self.close()
            return
        self._came = False
        assert self._transport is not None, "there is a timer while there is a connection"
        self._transport.write(_PING)
        self._timer = self._loop.call_later(SILENCE_SECONDS, self._watch)

    def close(self) -> None:
        """Hear no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()
        for each in (self.begun, self.ended):
            if not each.done():
                each.cancel()


async def subscribe(subscription: Subscription, connect: Callable[[Subscription], Awaitable[None]], seconds: float) -> None:
    """Connect a subscription, and return when it hears. Raises Disconnected or TimedOut."""
    try:
        async with asyncio.timeout(seconds):
            await connect(subscription)
            await asyncio.wait({subscription.begun})
    except BaseException as error:
        subscription.close()
        if isinstance(error, TimeoutError):
            raise TimedOut("the server does not answer a new connection") from error
        if isinstance(error, OSError):
            raise Disconnected(f"the server cannot be reached: {error}") from error
        raise
    if subscription.ended.done():
        raise Disconnected("the server allows no listeners")
