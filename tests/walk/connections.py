"""Connections that stay open: streams of server-sent events and two-way sockets, over any transport."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import msgspec


class Connection:
    """What has arrived over a connection so far. `over`: nothing more will; `code`: why a socket was closed."""

    def __init__(self) -> None:
        self.status = 0
        self.arrived = b""
        self.frames: list[str] = []
        self.over = False
        self.code = 0

    def put(self, text: str) -> None:
        """Send a text over a socket."""
        raise NotImplementedError

    def leave(self) -> None:
        """Hang up."""
        raise NotImplementedError


class Event(NamedTuple):
    """One server-sent event."""

    kind: str
    data: bytes


class Stream:
    """A stream of server-sent events."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def take(self) -> list[Event]:
        """Return the events that have arrived since the last call."""
        whole, mark, rest = self.connection.arrived.rpartition(b"\n\n")
        self.connection.arrived = rest
        found = [_read(block) for block in whole.split(b"\n\n")] if mark else []
        return [event for event in found if event.kind]


def _read(block: bytes) -> Event:
    fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line and not line.startswith(b":"))
    return Event(fields.get(b"event", b"").decode(), fields.get(b"data", b""))


class Items(msgspec.Struct):
    """What is read of a frame: items byte for byte."""

    type: str
    id: str = ""
    match: str = ""
    items: tuple[msgspec.Raw, ...] = ()
    receipt: msgspec.Raw = msgspec.Raw(b"{}")
    problem: msgspec.Raw = msgspec.Raw(b"{}")
    replayed: bool = False


_frame = msgspec.json.Decoder(Items)


class Socket:
    """A two-way socket."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._ids = 0

    def say(self, **frame: Any) -> str:
        """Send a frame, and return the id under which it will be answered."""
        self._ids += 1
        self.connection.put(json.dumps({"id": str(self._ids), **frame}))
        return str(self._ids)

    def take(self) -> list[Items]:
        """Return the frames that have arrived since the last call."""
        texts, self.connection.frames = self.connection.frames, []
        return [_frame.decode(text) for text in texts]
