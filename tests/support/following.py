"""A reader of one feed over either transport, who keeps what a client keeps that does as the docs say."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.support.patience import PATIENCE_SECONDS
from tests.support.sockets import Closed, Socket, connected, items_of
from tests.support.table import API, Table
from tests.support.wire import Exchange

SSE = "sse"
SOCKET = "socket"
TRANSPORTS = (SSE, SOCKET)


class FeedReader:
    """What has come of a feed: its items since the last `reset`, each frame or event by its kind, and how it ended."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.past: list[list[Any]] = []
        self.end = ""
        self._news = asyncio.Event()

    @property
    def resets(self) -> int:
        """How often the feed started over."""
        return len(self.past)

    def take(self, kind: str, items: list[Any]) -> None:
        """Take an event; items must follow those before without a gap, each once."""
        if kind == "reset":
            self.past.append(self.items)
            self.items = []
        elif kind in {"end", "bye", "closed"}:
            self.end = self.end or kind
        for item in items:
            assert item["n"] == len(self.items) + 1, f"item {item['n']} came after {len(self.items)}"
            self.items.append(item)
        self._news.set()

    async def until(self, is_there: Callable[[], bool]) -> None:
        """Wait until something is true of what has come."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_there():
                self._news.clear()
                await self._news.wait()

    async def has(self, expected: list[Any]) -> None:
        """Wait until exactly these items have come since the last `reset`."""
        try:
            await self.until(lambda: len(self.items) >= len(expected) and self.items == expected)
        except TimeoutError:
            assert self.items == expected


@asynccontextmanager
async def following(
    transport: str, table: Table, match: str, token: str | None, after: str | None = None
) -> AsyncGenerator[FeedReader]:
    """Follow a match for the duration of the block."""
    reader = FeedReader()
    if transport == SSE:
        path = f"{API}/matches/{match}/stream" + (f"?after={after}" if after else "")
        async with table.listen(path, token=token) as stream:
            assert (await stream.begin()).status == 200
            async with _reading(_read_stream(stream, reader)):
                yield reader
    else:
        async with connected(table.app, token) as socket:
            answer = await socket.ask(type="subscribe", match=match, **({} if after is None else {"after": after}))
            assert answer["type"] == "subscribed", answer
            async with _reading(_read_socket(socket, reader)):
                yield reader


@asynccontextmanager
async def _reading(work: Any) -> AsyncGenerator[None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()


async def _read_stream(stream: Exchange, reader: FeedReader) -> None:
    unread = b""
    while True:
        try:
            message = await stream.next()
        except EOFError:
            break
        *events, unread = (unread + message["body"]).split(b"\n\n")
        for event in events:
            fields = dict(re.findall(rb"(?m)^(event|data): (.*)$", event))
            if kind := fields.get(b"event", b"").decode():
                reader.take(kind, [json.loads(fields[b"data"])] if kind == "item" else [])
        if not message.get("more_body", False):
            break
    reader.take("closed", [])


async def _read_socket(socket: Socket, reader: FeedReader) -> None:
    try:
        while True:
            frame = await socket.hear()
            reader.take(frame["type"], items_of([frame]))
    except Closed:
        reader.take("closed", [])
