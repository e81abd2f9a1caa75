"""Feeds that people hold: over server-sent events, over a socket, or page by page. Each is a client as the docs describe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from tafelrunde.domain.match import Spectators
from tests.walk.connections import Socket, Stream
from tests.walk.truth import MatchTruth, Refusal, Sight
from tests.walk.world import Deployment, Finding, Person, name_of

REVOKED_MS = 35_000
"""After this time no stream of a token is open that was revoked: it is looked at with each ping."""

UNAVAILABLE = 503
MOVES = 3
"""How often a client asks again as the problem `seat-left` says."""


class _Item(msgspec.Struct):
    cursor: str
    n: int


class _Page(msgspec.Struct):
    items: tuple[msgspec.Raw, ...]
    cursor: str
    more: bool
    ended: bool


class _Receipt(msgspec.Struct):
    items: tuple[msgspec.Raw, ...] = ()
    cursor: str = ""


_item = msgspec.json.Decoder(_Item)
_page = msgspec.json.Decoder(_Page)
_receipt = msgspec.json.Decoder(_Receipt)


class Follower:
    """Someone's feed of a match, as a client has it: all items since the last `reset`, byte for byte.

    `ended`: the service said that there will be no more, or that the client may not look; it was `refused` with that status.
    """

    way = ""

    def __init__(self, deployment: Deployment, number: int, person: Person | None, token: str | None, match: MatchTruth) -> None:
        self.deployment = deployment
        self.number = number
        self.person = person
        self.token = token
        self.match = match
        self.items: list[bytes] = []
        self.cursor: str | None = None
        self.ended = False
        self.complete = False
        self.refused = 0
        self.doomed_ms: int | None = None
        self.resets = 0
        self.byes = 0
        self.moved = 0

    @property
    def name(self) -> str:
        """What it is, for people."""
        return f"{self.way} of {self.person.name if self.person is not None else 'a stranger'}"

    @property
    def player(self) -> str | None:
        """Whose feed it is; None for someone without a token."""
        return self.person.player if self.person is not None else None

    async def open(self) -> None:
        """Begin, or go on after the last item."""
        raise NotImplementedError

    async def take(self) -> bool:
        """Take what has come; return whether anything has changed that may bring more."""
        raise NotImplementedError

    def close(self) -> None:
        """Hang up."""

    def _add(self, raw: bytes) -> None:
        item = _item.decode(raw)
        if item.n != len(self.items) + 1:
            raise Finding("feed skips or repeats", f"{self.name} has {len(self.items)} items, and then comes number {item.n}")
        self.items.append(bytes(raw))
        self.cursor = item.cursor

    def _reset(self) -> None:
        self.items.clear()
        self.cursor = None
        self.resets += 1

    def _is_moved(self, body: bytes) -> bool:
        """Return whether a problem says that the caller has just lost its seat, and should ask again as who it is now."""
        moved = self.moved < MOVES and b":seat-left" in body
        self.moved += moved
        return moved

    def _end(self, *, complete: bool) -> None:
        self.ended = True
        self.complete = complete


class StreamFollower(Follower):
    """A stream of server-sent events; after `bye` it comes again with the last id."""

    way = "stream"
    _stream: Stream | None = None

    async def open(self) -> None:
        after = f"?after={self.cursor}" if self.cursor is not None else ""
        self._stream = self.deployment.stream(self.number, f"/matches/{self.match.id}/stream{after}", self.token)

    async def take(self) -> bool:
        stream = self._stream
        if stream is None or self.ended:
            return False
        status = stream.connection.status
        if status == 204:
            self._end(complete=True)
            return False
        if status >= 400 and not stream.connection.over:
            return False
        if status == UNAVAILABLE or (status >= 400 and self._is_moved(stream.connection.arrived)):
            await self.open()
            return True
        if status >= 400:
            self.refused = status
            self._end(complete=False)
            return False
        for event in stream.take():
            match event.kind:
                case "item":
                    self._add(event.data)
                case "reset":
                    self._reset()
                case "end":
                    self._end(complete=True)
                case "bye":
                    self.byes += 1
                case other:
                    raise Finding("unknown event", f"{self.name}: {other}")
        if stream.connection.over and not self.ended:
            await self.open()
            return True
        return False

    def close(self) -> None:
        if self._stream is not None:
            self._stream.connection.leave()
            self._stream = None


class SocketFollower(Follower):
    """A subscription over a socket of its own; it also plays there."""

    way = "socket"
    _socket: Socket | None = None
    _asked = ""
    _answers: dict[str, Any]

    async def open(self) -> None:
        self._answers = {}
        self._socket = self.deployment.socket(self.number, self.token)
        self._subscribe()

    def _subscribe(self) -> None:
        assert self._socket is not None
        after = {"after": self.cursor} if self.cursor is not None else {}
        self._asked = self._socket.say(type="subscribe", match=self.match.id, **after)

    def play(self, decision: int, command: object, key: str) -> str:
        """Answer a decision; return the id of the answer to come."""
        assert self._socket is not None
        return self._socket.say(type="command", match=self.match.id, decision=decision, command=command, key=key)

    def answer(self, name: str) -> Any:
        """Return the answer to a frame, None if it has not come."""
        return self._answers.get(name)

    async def take(self) -> bool:
        socket = self._socket
        if socket is None or self.ended:
            return False
        again = False
        for frame in socket.take():
            match frame.type:
                case "items":
                    for raw in frame.items:
                        self._add(bytes(raw))
                case "receipt":
                    self._answers[frame.id] = frame
                    for raw in _receipt.decode(frame.receipt).items:
                        if not frame.replayed or _item.decode(raw).n > len(self.items):
                            self._add(bytes(raw))
                case "reset":
                    self._reset()
                case "end":
                    self._end(complete=True)
                case "bye" if frame.match:
                    self.byes += 1
                    self._subscribe()
                    again = True
                case "problem" if frame.id == self._asked and self._is_moved(bytes(frame.problem)):
                    self._subscribe()
                    again = True
                case "problem" if frame.id == self._asked:
                    self.refused = msgspec.json.decode(frame.problem)["status"]
                    self._end(complete=False)
                case "problem":
                    self._answers[frame.id] = frame
                case _:
                    pass
        if socket.connection.over and not self.ended:
            if socket.connection.code in {4401, 4403}:
                self.refused = socket.connection.code - 4000
                self._end(complete=False)
                return False
            if socket.connection.code not in {1012, 1001, 1006, 4503, 0}:
                raise Finding("socket closed", f"{self.name} with {socket.connection.code}")
            self.byes += 1
            await self.open()
            return True
        return again

    def close(self) -> None:
        if self._socket is not None:
            self._socket.connection.leave()
            self._socket = None


class PageFollower(Follower):
    """A client that asks for the next page again and again; a cursor that is not known makes it start over."""

    way = "pages"
    _seen = 0

    async def open(self) -> None:
        """Nothing is open."""

    async def take(self) -> bool:
        if self.ended or (self.match.version == self._seen and self.match.state.settings.spectators is not Spectators.DELAYED):
            return False
        self._seen = self.match.version
        while True:
            after = f"?after={self.cursor}" if self.cursor is not None else ""
            answer = await self.deployment.ask(self.number, "GET", f"/matches/{self.match.id}/feed{after}", token=self.token)
            if answer.status == 409 and name_of(answer.json["type"]) == "cursor-unknown":
                self._reset()
                continue
            if answer.status >= 400 and not self._is_moved(answer.body):
                self.refused = answer.status
                self._end(complete=False)
                return False
            if answer.status >= 400:
                continue
            page = _page.decode(answer.body)
            for raw in page.items:
                self._add(bytes(raw))
            if not page.more:
                return False


WAYS: tuple[type[Follower], ...] = (StreamFollower, SocketFollower, PageFollower)
Look: TypeAlias = Callable[[Follower], Sight | Refusal]
