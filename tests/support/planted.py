"""A service of a later version, for clients of this one: its answers have an event type and a field that no contract names.

Over the socket there is a frame that none names, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from litestar.types import ASGIApp, HTTPResponseBodyEvent, HTTPResponseStartEvent, Message, Receive, Scope, Send

from tafelrunde.api.server.websocket import DIRECT

EVENT: dict[str, Any] = {"type": "coup.new-thing.1", "seat": 0, "omen": ["crow"]}
"""An event of a type that comes later; its fields are also those of known events."""


def later(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer as a later service gives it: with one field more, and a new event after its last item, if it has items.

    The contract is left as it is: the client is made from the one of today.
    """
    if "openapi" in answer or "asyncapi" in answer:
        return answer
    items = answer.get("items", [])
    if items and "event" in items[-1]:
        items = [*items, {**items[-1], "event": EVENT}]
        answer = {**answer, "items": items}
    return {**answer, "omen": "crow"}


def later_frame(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame of the socket as a later service sends it."""
    return later({**frame, "receipt": later(frame["receipt"])} if frame["type"] == "receipt" else frame)


def planted(app: ASGIApp) -> ASGIApp:
    """Return a service whose successful answers in JSON, and whose frames, are those of a later version."""

    async def grown(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await app(_grown_socket(scope), receive, send)
            return
        start: HTTPResponseStartEvent | None = None
        body = b""

        async def hold(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_json(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message["body"]
                if not message["more_body"]:
                    content = json.dumps(later(json.loads(body))).encode()
                    await send({**start, "headers": [*_without_length(start), (b"content-length", str(len(content)).encode())]})
                    await send(HTTPResponseBodyEvent(type="http.response.body", body=content, more_body=False))

        # Our own server takes an answer as a whole, past what stands between: here it is changed on its way.
        asked = _plainly_asked(scope)
        await app(cast("Scope", {**asked, "extensions": {}}), receive, hold)

    return grown


def _grown_socket(scope: Scope) -> Scope:
    """Return a handshake whose session sends what a later service does."""
    begin = cast("dict[str, Any]", scope["extensions"])[DIRECT]

    def begun(protocol: str, make: Callable[[Any], Any]) -> None:
        begin(protocol, lambda line: make(_LaterLine(line)))

    return cast("Scope", {**scope, "extensions": {DIRECT: begun}})


class _LaterLine:
    """A connection of a socket on which each frame is one of a later version, after one of a kind that comes later."""

    def __init__(self, line: Any) -> None:
        self._line = line

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)

    def send(self, text: bytes) -> None:
        """Send a frame, and one before it."""
        self._line.send(json.dumps({"type": "omen", "bird": "crow"}).encode())
        self._line.send(json.dumps(later_frame(json.loads(text))).encode())


def _plainly_asked(scope: Scope) -> Scope:
    """Return a request that accepts no packed answer, which could not be read here."""
    kept = [each for each in scope.get("headers", ()) if each[0] != b"accept-encoding"]
    return cast("Scope", {**scope, "headers": kept})


def _is_json(message: HTTPResponseStartEvent) -> bool:
    return message["status"] < 300 and (b"content-type", b"application/json") in message["headers"]


def _without_length(message: HTTPResponseStartEvent) -> list[tuple[bytes, bytes]]:
    return [each for each in message["headers"] if each[0] != b"content-length"]
