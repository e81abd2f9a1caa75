"""What readers of logs wait for on a cluster: a message for each append, which a server passes on to all others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import cast

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

CONNECT_SECONDS = 2.0
PAUSE_SECONDS = 0.5
SILENCE_SECONDS = 15.0
"""The silence after which the server is pinged: a host that has vanished closes no connection."""


class WakeUps:
    """Listens on one channel of any of several servers, and counts what it hears. While it hears nothing, readers look anyway."""

    def __init__(self, servers: Callable[[], Sequence[str]], channel: str) -> None:
        self._servers = servers
        self._channel = channel
        self._count = 0
        self._last: dict[str, int] = {}
        self._heard = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    async def count_seen(self) -> int:
        """Return how many messages there were; listens from the first call on."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        return self._count

    def last(self, log: str) -> int:
        """Return how many messages there were when one of this log last came; 0 if none ever did."""
        return self._last.get(log, 0)

    async def after(self, seen: int, seconds: float) -> None:
        """Wait up to that long for a message after *seen*."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._count == seen:
                    await self._heard.wait()

    async def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def _listen(self) -> None:
        while True:
            for url in self._servers():
                try:
                    await self._hear(url)
                except (RedisError, OSError, ValueError) as error:
                    log.debug("no wake-ups from a server of the cluster", reason=str(error))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _hear(self, url: str) -> None:
        """Listen to one server until it fails or stays silent when asked."""
        client = Redis.from_url(  # pyright: ignore[reportUnknownMemberType] - the library leaves keywords untyped
            url, socket_connect_timeout=CONNECT_SECONDS, retry=Retry(NoBackoff(), 0), protocol=2, decode_responses=True
        )
        async with client, client.pubsub() as channel:  # pyright: ignore[reportUnknownMemberType] - untyped in the library
            await channel.subscribe(self._channel)
            asked = False
            while (heard := await _next(channel)) is not None or not asked:
                if asked := heard is None:
                    await channel.ping()  # pyright: ignore[reportUnknownMemberType] - untyped in the library
                elif heard["type"] == "message":
                    self._note(heard["data"])

    def _note(self, message: str) -> None:
        self._count += 1
        self._last[message.partition(" ")[0]] = self._count
        heard = self._heard
        self._heard = asyncio.Event()
        heard.set()


async def _next(channel: PubSub) -> dict[str, str] | None:
    """Return the next message, None after a long silence."""
    return cast("dict[str, str] | None", await channel.get_message(timeout=SILENCE_SECONDS))
