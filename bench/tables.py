"""Matches of Coup over HTTP, by a course that needs no view of the table: both seats steal from each other and let it pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from bench.wire import Answer, Connection, Stream

API = "/api/v1"
COURSE = (
    (0, {"type": "coup.claim-steal", "target": 1}),
    (1, {"type": "coup.pass"}),
    (1, {"type": "coup.pass"}),
    (1, {"type": "coup.claim-steal", "target": 0}),
    (0, {"type": "coup.pass"}),
    (0, {"type": "coup.pass"}),
)
"""Who answers the decisions 1, 2, 3 ... with what, repeating."""


class Player(msgspec.Struct, frozen=True):
    """A player with a token."""

    authorization: bytes

    @classmethod
    async def register(cls, connection: Connection) -> Player:
        """Become a guest."""
        answer = await connection.ask(connection.request("POST", f"{API}/players", body=b"{}"))
        return cls(b"authorization: Bearer " + good(answer)["text"].encode())

    def post(self, connection: Connection, path: str, key: str, body: Mapping[str, object]) -> bytes:
        """Return the bytes of a command."""
        headers = (self.authorization, b"idempotency-key: " + key.encode())
        return connection.request("POST", path, headers, msgspec.json.encode(body))


class Table:
    """One running match of two players."""

    def __init__(self, connection: Connection, players: Sequence[Player], match: str) -> None:
        self._connection = connection
        self._players = players
        self._match = match
        self._path = f"{API}/matches/{match}"
        self.decision = 0

    @property
    def mover(self) -> int:
        """The seat that the next command is of."""
        return COURSE[self.decision % len(COURSE)][0]

    def asking(self) -> bytes:
        """Return what is in the item that asks the mover for the next command."""
        return b'"decision":%d,"seats":' % (self.decision + 1)

    def command(self) -> bytes:
        """Return the bytes of the next command."""
        seat, body = self._next()
        return self._players[seat].post(self._connection, f"{self._path}/commands", f"play-{self.decision}", body)

    def frame(self) -> bytes:
        """Return the next command as a frame of the socket."""
        body = self._next()[1]
        key = f"play-{self.decision}"
        return msgspec.json.encode({"type": "command", "id": str(self.decision), "match": self._match, "key": key, **body})

    def subscription(self) -> bytes:
        """Return the frame that subscribes to the match."""
        return msgspec.json.encode({"type": "subscribe", "id": "follow", "match": self._match})

    def _next(self) -> tuple[int, Mapping[str, object]]:
        seat, command = COURSE[self.decision % len(COURSE)]
        self.decision += 1
        return seat, {"decision": self.decision, "command": command}

    async def stream(self, host: str, port: int, place: int, heard: Callable[[bytes], None]) -> Stream:
        """Open a stream of one of the players."""
        headers = (self._players[place % 2].authorization, b"accept: text/event-stream")
        return await Stream.open(host, port, f"{self._path}/stream", headers, heard)


async def seated(connection: Connection, players: Sequence[Player], key: str) -> Table:
    """Open a match, sit both players down, and start it."""
    clock = {"turn_seconds": 36_000, "reaction_seconds": 36_000}
    wish = {"game": "coup", "seats": 2, "options": {"first_seat": 0, "max_decisions": 10_000}, "clock": clock}
    opened = await connection.ask(players[0].post(connection, f"{API}/matches", f"open-{key}", wish))
    match = str(good(opened)["match"])
    path = f"{API}/matches/{match}"
    good(await connection.ask(players[1].post(connection, f"{path}/seats", "sit", {})))
    good(await connection.ask(players[0].post(connection, f"{path}/start", "start", {})))
    return Table(connection, players, match)


def good(answer: Answer) -> dict[str, Any]:
    """Return the body of an answer that must be a success."""
    if answer.status >= 300:
        raise RuntimeError(f"{answer.status}: {answer.body.decode()}")
    return msgspec.json.decode(answer.body)
