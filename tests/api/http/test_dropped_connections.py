"""Connections that drop after any byte while a match is running: stream, long poll and pages end with the same feed."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service, service

pytestmark = pytest.mark.anyio

LONGEST = 8_000
"""More bytes than a page has, fewer than the stream: connections drop in head and body, and some pages are complete."""


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


class Heard(NamedTuple):
    """What arrived before the connection dropped: the status (0: not even that), the body so far, whether it is complete."""

    status: int
    body: bytes
    whole: bool


def understood(raw: bytes) -> Heard:
    """Read an HTTP/1.1 response that may be cut off anywhere."""
    head, found, body = raw.partition(b"\r\n\r\n")
    if not found:
        return Heard(0, b"", False)
    status = int(head.split(b" ")[1])
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    if length is not None:
        return Heard(status, body, len(body) == int(length[1]))
    return Heard(status, *_unchunked(body))


def _unchunked(body: bytes) -> tuple[bytes, bool]:
    """Return the joined chunks of a body, as far as they arrived, and whether the last one did."""
    parts: list[bytes] = []
    while body:
        size, found, rest = body.partition(b"\r\n")
        if not found:
            break
        length = int(size, 16)
        if length == 0:
            return b"".join(parts), rest.startswith(b"\r\n")
        parts.append(rest[:length])
        body = rest[length + 2 :]
    return b"".join(parts), False


class Feed:
    """A client that keeps what it has received, and requests the rest on connections that drop after any number of bytes."""

    def __init__(self, url: str, match: str, token: str | None, chance: random.Random) -> None:
        self._port = int(url.rpartition(":")[2])
        self._match = match
        self._token = token
        self._chance = chance
        self.items: list[Any] = []
        self.cursor = ""
        self.drops = 0

    async def _ask(self, path: str, headers: str = "") -> Heard:
        allowed = self._chance.choice([self._chance.randrange(400), self._chance.randrange(LONGEST), LONGEST])
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        who = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        request = f"GET /api/v1/matches/{self._match}/{path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{who}{headers}\r\n"
        writer.write(request.encode())
        raw = b""
        while len(raw) < allowed and (more := await reader.read(allowed - len(raw))):
            raw += more
        writer.transport.abort()
        heard = understood(raw)
        self.drops += not heard.whole
        if heard.status not in {0, 200, 204}:
            assert heard.status == 429, heard  # the service has not noticed yet that earlier connections are gone
            await asyncio.sleep(0.02)
        return heard

    async def stream(self) -> None:
        """Follow the stream to its end."""
        while True:
            heard = await self._ask("stream", f"Last-Event-ID: {self.cursor}\r\n" if self.cursor else "")
            if heard.status == 204 or (heard.status == 200 and self._take(heard.body)):
                return

    def _take(self, body: bytes) -> bool:
        """Take the events that arrived complete; return whether the end was among them."""
        *events, _ = body.split(b"\n\n")
        for event in events:
            fields = dict(re.findall(rb"(?m)^(id|event|data): (.*)$", event))
            if fields.get(b"event") == b"item":
                self.items.append(json.loads(fields[b"data"]))
                self.cursor = fields[b"id"].decode()
            elif fields.get(b"event") == b"end":
                return True
        return False

    async def poll(self) -> None:
        """Fetch the next pages, and wait for new items."""
        await self._pages("feed?wait=5&limit=4")

    async def page(self) -> None:
        """Fetch the next pages repeatedly."""
        await self._pages("feed?limit=3")

    async def _pages(self, path: str) -> None:
        while True:
            heard = await self._ask(path + (f"&after={self.cursor}" if self.cursor else ""))
            if heard.status == 200 and heard.whole:
                page = json.loads(heard.body)
                self.items += page["items"]
                self.cursor = page["cursor"]
                if page["ended"] and not page["more"]:
                    return
                await asyncio.sleep(0 if page["items"] else 0.02)


Way = Callable[[Feed], Awaitable[None]]
WAYS: tuple[Way, ...] = (Feed.stream, Feed.poll, Feed.page)


class Player:
    """A player at a table of bots who plays at a steady pace."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def ask(self, method: str, path: str, content: object = None) -> Any:
        """Send a request, and return the answer."""
        return (await self._client.request(method, f"/api/v1{path}", json=content)).raise_for_status().json()

    async def sign_up(self) -> str:
        """Become a guest; return the token."""
        token: str = (await self.ask("POST", "/players", {}))["text"]
        self._client.headers["Authorization"] = f"Bearer {token}"
        return token

    async def play(self, match: str) -> None:
        """Play to the end."""
        await self.ask("POST", f"/matches/{match}/start")
        chance = random.Random(3)
        while (view := await self.ask("GET", f"/matches/{match}/view"))["status"] == "running":
            await asyncio.sleep(0.01)
            if (question := view["question"]) is not None:
                content = {"decision": question["decision"], "command": chance.choice(question["legal"])}
                path = f"/api/v1/matches/{match}/commands"
                headers = {"Idempotency-Key": view["cursor"]}
                assert (await self._client.post(path, json=content, headers=headers)).status_code in {200, 409}


async def test_feed_is_whole_when_connections_drop_after_any_byte(served: Service) -> None:
    """Nothing is lost, duplicated or mixed up, for a seat and for a stranger, on any way to the feed, during the match."""
    async with httpx.AsyncClient(base_url=served.url, timeout=PATIENCE_SECONDS) as client, asyncio.timeout(PATIENCE_SECONDS):
        player = Player(client)
        token = await player.sign_up()
        bots = [{"seat": seat, "bot": "random"} for seat in (1, 2)]
        wish = {"game": "meister-coup", "seats": 3, "seat": 0, "bots": bots, "spectators": "public"}
        client.headers["Idempotency-Key"] = "open"
        match: str = (await player.ask("POST", "/matches", wish))["match"]
        followed = [
            (who, way, Feed(served.url, match, who, random.Random(f"{place} {seed}")))
            for place, (who, way) in enumerate((who, way) for who in (token, None) for way in WAYS)
            for seed in range(3)
        ]
        client.headers["Idempotency-Key"] = "start"
        await asyncio.gather(player.play(match), *(way(feed) for _, way, feed in followed))
        seat = (await player.ask("GET", f"/matches/{match}/feed?limit=500"))["items"]
        del client.headers["Authorization"]
        stranger = (await player.ask("GET", f"/matches/{match}/feed?limit=500"))["items"]
    assert seat != stranger
    assert seat[-1]["event"]["type"] == stranger[-1]["event"]["type"] == "match.ended.1"
    for who, way, feed in followed:
        assert feed.items == (seat if who is not None else stranger), way
        assert feed.drops > 0, way
    assert sum(feed.drops for _, _, feed in followed) > 4 * len(followed)
