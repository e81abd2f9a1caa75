"""Requests that are held open, and what each received at which instant."""

from __future__ import annotations

import asyncio
import json
from itertools import zip_longest
from typing import Any, NamedTuple

from litestar import Litestar

from tests.support.sockets import scope_of
from tests.support.wire import Answer, request, without_request_id


class Sound(NamedTuple):
    """A part of an answer, and when it came."""

    at: float
    message: dict[str, Any]


class Ear:
    """One request under way from an address, with everything received from it.

    Each ear has an address of its own, as those without a token share a budget that its answers show: what is left of it depends
    on the order in which they happen to open.
    """

    def __init__(self, app: Litestar, path: str, token: str | None, address: str) -> None:
        scope, _ = request("GET", path, token=token, peer=(address, 1))
        self.path = path
        self.heard: list[Sound] = []
        self._gone = asyncio.Event()
        self._asked = False
        self._task = asyncio.ensure_future(app(scope, self._receive, self._send))  # type: ignore[arg-type]  # the app's types name each message

    @property
    def over(self) -> bool:
        """Whether the whole answer is there."""
        return self._task.done()

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        start = self.heard[0].message
        return Answer(start["status"], start["headers"], b"".join(each.message["body"] for each in self.heard[1:]))

    async def _receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if "headers" in message:
            message = {**message, "headers": without_request_id(message["headers"])}
        self.heard.append(Sound(asyncio.get_running_loop().time(), message))

    async def leave(self) -> None:
        """Hang up. A request that waits does not notice, so it is given up."""
        self._gone.set()
        if not self.over:
            await asyncio.sleep(0)
            self._task.cancel()
        await asyncio.wait({self._task})


class SocketEar:
    """A socket that follows a match and hears its talk, with every frame that came over it; its player can play over it."""

    def __init__(self, app: Litestar, match: str, token: str | None) -> None:
        self.path = match
        self.heard: list[Sound] = []
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._said.put_nowait({"type": "websocket.connect"})
        self._say({"type": "hello"} if token is None else None)
        self._say({"type": "subscribe", "id": "follow", "match": match})
        self._say({"type": "listen", "id": "hear", "match": match})
        self._task = asyncio.ensure_future(app(scope_of(token), self._said.get, self._send))  # type: ignore[arg-type]  # the app's types name each message

    @property
    def over(self) -> bool:
        """Whether the connection has ended."""
        return self._task.done()

    def _say(self, frame: dict[str, Any] | None) -> None:
        if frame is not None:
            self._said.put_nowait({"type": "websocket.receive", "text": json.dumps(frame)})

    async def _send(self, message: Any) -> None:
        self.heard.append(Sound(asyncio.get_running_loop().time(), message))
        frame = json.loads(message.get("text", "{}"))
        if (answer := self._answers.pop(frame.get("id"), None)) is not None:
            status = frame["problem"]["status"] if frame["type"] == "problem" else 200
            answer.set_result(Answer(status, (), message["text"].encode()))

    async def play(self, name: str, frame: dict[str, Any]) -> Answer:
        """Give a command, and return its answer: a frame."""
        answer = self._answers[name] = asyncio.get_running_loop().create_future()
        self._say({"type": "command", "id": name, "match": self.path, "key": name, **frame})
        return await answer

    async def leave(self) -> None:
        """Hang up."""
        self._said.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait({self._task})


def first_difference(one: Ear | SocketEar, other: Ear | SocketEar) -> str:
    """Return the first parts that differ, for people."""
    pairs = zip_longest(one.heard, other.heard)
    return next((f"{mine} against {other}" for mine, other in pairs if mine != other), "")


async def asked(app: Litestar, method: str, path: str, **more: Any) -> Answer:
    """Ask, and return the whole answer: the quickest way, for what does not stay open."""
    scope, body = request(method, path, **more)
    sent: list[dict[str, Any]] = []
    given = False

    async def receive() -> Any:
        nonlocal given
        if given:
            await asyncio.Event().wait()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)  # type: ignore[arg-type]  # the app's types name each message
    return Answer(sent[0]["status"], without_request_id(sent[0]["headers"]), b"".join(each["body"] for each in sent[1:]))
