"""A receiver of webhooks on a port of this machine, and a desk with all that sends to it."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgspec

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks.duty import Dispatcher
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import Delivery, Webhook, WebhookStore
from tafelrunde.service.outgoing.address_guard import Guard, networks
from tafelrunde.service.outgoing.http_sender import Post
from tests.support.patience import PATIENCE_SECONDS

OWNER = PlayerId("p-owner")
LOOPBACK = Guard(networks("127.0.0.0/8"))
NOW_MS = 1_700_000_000_000


class Got(NamedTuple):
    """One request."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return msgspec.json.decode(self.body)


class Receiver:
    """Answers every request with the next of `answers` (200 when they have run out), or not before it is let go again.

    With `keeps` it takes further requests over a connection.
    """

    def __init__(self) -> None:
        self.keeps = False
        self.writers: list[asyncio.StreamWriter] = []
        self.got: list[Got] = []
        self.answers: list[bytes] = []
        self.connections = 0
        self.url = ""
        self._going = asyncio.Event()
        self._going.set()
        self._news = asyncio.Condition()

    def hang(self) -> None:
        """Answer nothing from now on."""
        self._going.clear()

    def go_on(self) -> None:
        """Answer again, also what waits."""
        self._going.set()

    async def reached(self, count: int) -> None:
        """Wait until that many requests have arrived."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(lambda: len(self.got) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        self.connections += 1
        self.writers.append(writer)
        try:
            await self._answer(reader, writer)
            while self.keeps:
                await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        self.got.append(Got(head[0].split()[1], headers, await reader.readexactly(int(headers["content-length"]))))
        async with self._news:
            self._news.notify_all()
        await self._going.wait()
        answer = self.answers.pop(0) if self.answers else b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
        writer.write(answer)
        await writer.drain()


def status(code: int, *headers: str) -> bytes:
    """Return an answer."""
    return "\r\n".join([f"HTTP/1.1 {code} Whatever", *headers, "content-length: 0", "", ""]).encode()


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncGenerator[Receiver]:
    """Run a receiver."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, ssl=tls)
    receiver.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{server.sockets[0].getsockname()[1]}/hook"
    try:
        yield receiver
    finally:
        receiver.go_on()
        server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await server.wait_closed()


async def numbers_only(host: str, port: int) -> Sequence[str]:
    """Resolve nothing: the tests' hosts are addresses, and names are made up by their own resolvers."""
    return [host]


async def unresolved(host: str, port: int) -> Sequence[str]:
    """Fail: the test must not resolve any name."""
    raise AssertionError(host)


class Office:
    """All that sends, over some store, with a clock that the test moves."""

    def __init__(
        self,
        store: WebhookStore,
        *,
        now_ms: Callable[[], int] | None = None,
        url: str = "",
    ) -> None:
        self.store = store
        self.now_ms = NOW_MS
        self.url = url
        self.post = Post(LOOPBACK, numbers_only, plain=True, timeout_seconds=PATIENCE_SECONDS)
        clock = now_ms or (lambda: self.now_ms)
        self.player_webhooks = PlayerWebhooks(store, self.post, clock)
        self.dispatcher = Dispatcher(store, self.post, clock, lambda: 0.5)

    def hurry(self) -> None:
        """Wait for an answer for a moment only."""
        self.post._timeout_seconds = 0.3

    async def webhook(self, url: str = "") -> Webhook:
        """Make a webhook."""
        return await self.player_webhooks.make(OWNER, url or self.url, TYPES, None, None)

    async def delivery(self, made: Delivery) -> Delivery:
        """Return a delivery as it is now."""
        return await self.player_webhooks.delivery(OWNER, made.webhook, made.id)
