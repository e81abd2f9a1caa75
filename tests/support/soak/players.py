"""Players that never give up, with plain requests or the package's client. Everything they receive goes into a ledger."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from tafelrunde.client import ApiError, AsyncClient, Reset, Unreachable
from tests.support.patience import PATIENCE_SECONDS
from tests.support.soak.ledger import Item, Ledger

API = "/api/v1"
PAUSE_SECONDS = 0.05
LOOK_SECONDS = 2.0
POLL_SECONDS = 5
REPEATED = 0.2
"""The share of acknowledged commands that are sent once more."""
EXPECTED = {200, 201, 204, 409}
AWAY = {502, 503, 504}


class Player(ABC):
    """One player at one service. `unexpected` counts the answers that no client should get, whatever is killed."""

    def __init__(self, unexpected: Counter[str]) -> None:
        self.unexpected = unexpected

    @abstractmethod
    async def view(self, match: str) -> Mapping[str, Any]:
        """Return what the player sees."""

    @abstractmethod
    async def answer(self, ledger: Ledger, decision: int, command: Mapping[str, Any], *, again: bool) -> None:
        """Answer a decision; note the receipt if it was accepted. *again*: send it once more afterwards."""

    @abstractmethod
    async def follow(self, ledger: Ledger) -> None:
        """Note all items of a match until it is over."""

    async def play(self, ledger: Ledger, rng: random.Random) -> None:
        """Answer wherever it is asked, until the match is over."""
        while not ledger.ended and (seen := await self.view(ledger.match))["status"] == "running":
            question = seen["question"]
            if question is not None and question["answered"] is None:
                command = question["legal"][rng.randrange(len(question["legal"]))]
                await self.answer(ledger, question["decision"], command, again=rng.random() < REPEATED)
            else:
                await ledger.news(LOOK_SECONDS)


class PlainPlayer(Player):
    """A player over plain HTTP: a request whose answer was lost is sent again with the same key."""

    def __init__(self, http: httpx.AsyncClient, token: str, unexpected: Counter[str]) -> None:
        super().__init__(unexpected)
        self._http = http
        self.token = token
        self._headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    async def guest(cls, http: httpx.AsyncClient, unexpected: Counter[str]) -> PlainPlayer:
        """Become a player."""
        answer = await persist(http, "POST", "/players", {}, {})
        return cls(http, answer.raise_for_status().json()["text"], unexpected)

    async def post(self, path: str, key: str, body: Mapping[str, Any]) -> httpx.Response:
        """Send a command; a refusal is an answer, too."""
        return await self._ask("POST", path, {**self._headers, "Idempotency-Key": key}, body)

    async def get(self, path: str) -> httpx.Response:
        """Ask for something."""
        return await self._ask("GET", path, self._headers)

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        answer = await persist(self._http, method, path, headers, body)
        if answer.status_code not in EXPECTED:
            self.unexpected[f"{answer.status_code} {method} {answer.text[:200]}"] += 1
        return answer

    async def view(self, match: str) -> Mapping[str, Any]:
        """Return what the player sees."""
        return (await self.get(f"/matches/{match}/view")).raise_for_status().json()

    async def answer(self, ledger: Ledger, decision: int, command: Mapping[str, Any], *, again: bool) -> None:
        """Answer a decision under a key of its own."""
        key = f"play-{decision}"
        body = {"decision": decision, "command": command}
        for _ in range(1 + again):
            given = await self.post(f"/matches/{ledger.match}/commands", key, body)
            if given.is_success:
                ledger.acknowledge(key, given.json())

    async def follow(self, ledger: Ledger) -> None:
        """Follow by long polls."""
        cursor = ""
        while not ledger.ended:
            after = f"&after={cursor}" if cursor else ""
            answer = await self.get(f"/matches/{ledger.match}/feed?wait={POLL_SECONDS}&limit=500{after}")
            if answer.status_code == 409:
                ledger.reset()
                cursor = ""
                continue
            page = answer.raise_for_status().json()
            ledger.hear(page["items"])
            cursor = page["cursor"]
            if page["ended"]:
                ledger.end()

    async def feed(self, match: str) -> list[Item]:
        """Return all items of a match as they are now."""
        items: list[Item] = []
        while True:
            after = f"&after={items[-1]['cursor']}" if items else ""
            page = (await self.get(f"/matches/{match}/feed?limit=500{after}")).raise_for_status().json()
            items += page["items"]
            if not page["more"]:
                return items


async def persist(
    http: httpx.AsyncClient, method: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None
) -> httpx.Response:
    """Ask until there is an answer of the service."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            answer = await http.request(method, f"{API}{path}", headers=headers, json=body)
            if answer.status_code not in AWAY:
                return answer
        except httpx.TransportError:
            pass
        if time.monotonic() > limit:
            raise TimeoutError(path)
        await asyncio.sleep(PAUSE_SECONDS)


class ClientPlayer(Player):
    """A player by the client of the package, on streams. Where it gives up, it begins again."""

    def __init__(self, client: AsyncClient, unexpected: Counter[str]) -> None:
        super().__init__(unexpected)
        self._client = client

    async def view(self, match: str) -> Mapping[str, Any]:
        """Return what the player sees."""
        limit = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return msgspec.to_builtins(await self._client.view(match))
            except (ApiError, Unreachable) as error:
                if not self._is_away(error) or time.monotonic() > limit:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def answer(self, ledger: Ledger, decision: int, command: Mapping[str, Any], *, again: bool) -> None:
        """Answer a decision; the client has keys of its own, and a second answer must be refused."""
        key = f"{decision}-{secrets.token_hex(4)}"
        try:
            receipt = await self._client.play(ledger.match, decision, dict(command))
        except (ApiError, Unreachable) as error:
            self._is_away(error)
        else:
            ledger.acknowledge(key, msgspec.to_builtins(receipt))

    async def follow(self, ledger: Ledger) -> None:
        """Follow by streams."""
        cursor: str | None = None
        while not ledger.ended:
            try:
                async for item in self._client.follow(ledger.match, cursor):
                    if isinstance(item, Reset):
                        ledger.reset()
                        cursor = None
                    else:
                        ledger.hear([msgspec.to_builtins(item)])
                        cursor = item.cursor
            except (ApiError, Unreachable) as error:
                if not self._is_away(error):
                    raise
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                ledger.end()

    def _is_away(self, error: ApiError | Unreachable) -> bool:
        """Return whether the service is just unreachable; count what no client should receive."""
        if isinstance(error, Unreachable):
            return True
        if (status := error.problem.status) not in EXPECTED | AWAY:
            self.unexpected[f"{status} {error}"] += 1
        return status in AWAY


class SocketPlayer(PlainPlayer):
    """A player over a socket that it opens again whenever it is lost; what had no answer is sent again with the same key."""

    def __init__(self, http: httpx.AsyncClient, token: str, unexpected: Counter[str]) -> None:
        super().__init__(http, token, unexpected)
        self._url = str(http.base_url.join(API + "/socket")).replace("http", "ws", 1)
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, tuple[str, asyncio.Future[Mapping[str, Any]]]] = {}
        self.receipts = 0

    async def view(self, match: str) -> Mapping[str, Any]:
        """Return what the player sees."""
        answer = await self._asked(type="view", match=match)
        return answer["view"] if answer is not None and "view" in answer else await super().view(match)

    async def answer(self, ledger: Ledger, decision: int, command: Mapping[str, Any], *, again: bool) -> None:
        """Answer a decision under a key of its own."""
        key = f"play-{decision}"
        frame = {"type": "command", "match": ledger.match, "decision": decision, "command": command, "key": key}
        for _ in range(1 + again):
            given = await self._asked(**frame)
            if given is None:
                await super().answer(ledger, decision, command, again=False)
            elif given["type"] == "receipt":
                self.receipts += 1
                ledger.acknowledge(key, given["receipt"])

    async def _asked(self, **frame: Any) -> Mapping[str, Any] | None:
        """Return the answer of a frame, on however many connections it takes; None if there are no more."""
        while True:
            name = secrets.token_hex(4)
            text = json.dumps({**frame, "id": name})
            future: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
            self._waiting[name] = text, future
            if self._socket is not None:
                with suppress(ConnectionClosed):
                    await self._socket.send(text)
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    answer = await future
            except asyncio.CancelledError:
                if future.cancelled():
                    return None
                raise
            finally:
                del self._waiting[name]
            status = answer.get("problem", {}).get("status", 200)
            if status not in EXPECTED | AWAY:
                self.unexpected[f"{status} {frame['type']} {answer}"] += 1
            if status not in AWAY:
                return answer
            await asyncio.sleep(PAUSE_SECONDS)

    async def follow(self, ledger: Ledger) -> None:
        """Follow over the socket; items of receipts are items of the feed."""
        while not ledger.ended:
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(
                    self._url,
                    subprotocols=[Subprotocol("tafelrunde.v1")],
                    additional_headers=self._headers,
                    proxy=None,
                ) as self._socket:
                    wish = {"type": "subscribe", "id": "follow", "match": ledger.match, **after(ledger)}
                    await self._socket.send(json.dumps(wish))
                    for text, _ in self._waiting.values():
                        await self._socket.send(text)
                    await self._read(self._socket, ledger)
            self._socket = None
            await asyncio.sleep(PAUSE_SECONDS)
        for _, future in self._waiting.values():
            future.cancel()

    async def _read(self, socket: ClientConnection, ledger: Ledger) -> None:
        while not ledger.ended:
            frame = json.loads(await socket.recv())
            match frame["type"]:
                case "items" | "receipt":
                    last = ledger.heard[-1]["n"] if ledger.heard else 0
                    items = frame["items"] if frame["type"] == "items" else frame["receipt"]["items"]
                    known = frame.get("replayed", False)
                    ledger.hear([item for item in items if not known or item["n"] > last])
                case "reset":
                    ledger.reset()
                case "end":
                    ledger.end()
                case "bye":
                    return
                case "problem" if frame["problem"]["status"] in AWAY and frame.get("id") in {None, "follow"}:
                    return
                case _:
                    pass
            if (waiting := self._waiting.get(frame.get("id"))) is not None and not waiting[1].done():
                waiting[1].set_result(frame)


def after(ledger: Ledger) -> Mapping[str, str]:
    """Return where a subscription goes on."""
    return {"after": ledger.heard[-1]["cursor"]} if ledger.heard else {}
