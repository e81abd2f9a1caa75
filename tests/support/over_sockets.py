"""A service whose commands and views go over sockets: what is tested over HTTP is tested over the other way in by it."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from tests.support.sockets import Closed, connected
from tests.support.table import API, Table
from tests.support.wire import Answer

PATH = re.compile(re.escape(API) + r"/matches/(m[a-z2-7]{24})/(view|commands)(?:\?(.*))?")
WORDS = {"true": True, "false": False}


class _Frame(msgspec.Struct):
    """An answer, with its body as it came."""

    type: str
    receipt: msgspec.Raw = msgspec.Raw()
    view: msgspec.Raw = msgspec.Raw()
    problem: msgspec.Raw = msgspec.Raw()
    replayed: bool = False
    retry_after: int | None = None


class OverSockets(Table):
    """Asks over a new socket what a socket can be asked; `frames` counts that."""

    frames = 0

    async def ask(self, method: str, path: str, **more: Any) -> Answer:
        """Ask, as a frame where that is possible: with nothing that a request has and a frame has not."""
        frame = _frame_of(method, path, more)
        if frame is None:
            return await super().ask(method, path, **more)
        self.frames += 1
        known = {name: more[name] for name in ("peer",) if name in more}
        async with connected(self.app, more.get("token"), **known) as socket:
            try:
                await socket.ask(**frame)
                return _answer_of(socket.texts[-1])
            except Closed:
                return _answer_of(next(text for text in socket.texts if '"problem"' in text))


def _frame_of(method: str, path: str, more: dict[str, Any]) -> dict[str, Any] | None:
    found = PATH.fullmatch(path)
    if found is None or not more.keys() <= {"token", "content", "key", "peer"}:
        return None
    match, kind, query = found.groups()
    asked = [(name, WORDS.get(value, value)) for name, value in parse_qsl(query or "", keep_blank_values=True)]
    if len(dict(asked)) < len(asked):
        return None
    if (method, kind) == ("GET", "view"):
        return {"type": "view", "match": match, **dict(asked)}
    content = more.get("content")
    if (method, kind) == ("POST", "commands") and isinstance(content, dict) and more.get("key") is not None:
        return {"type": "command", "match": match, "key": more["key"], **content, **dict(asked)}
    return None


def _answer_of(text: str) -> Answer:
    """Return a frame as the answer that it stands for."""
    frame = msgspec.json.decode(text, type=_Frame)
    headers: list[tuple[bytes, bytes]] = [(b"cache-control", b"no-store"), (b"content-type", b"application/json")]
    match frame.type:
        case "accepted":
            return Answer(204, (), b"")
        case "receipt":
            replayed = [(b"idempotency-replayed", b"true")] if frame.replayed else []
            return Answer(200, (*headers, *replayed), bytes(frame.receipt))
        case "view":
            view = json.loads(bytes(frame.view))
            etag = f'"{view["cursor"]}-as-{"public" if view["seat"] is None else view["seat"]}"'.encode()
            return Answer(200, (*headers, (b"etag", etag)), bytes(frame.view))
        case _:
            wait = [(b"retry-after", b"%d" % frame.retry_after)] if frame.retry_after is not None else []
            return Answer(json.loads(bytes(frame.problem))["status"], (*headers, *wait), bytes(frame.problem))
