"""One world: a service with a match on it, all its viewers, and the connections that each has open."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from structlog.testing import capture_logs

from tafelrunde.domain.game import Command, DecisionId, Event, GameId, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.state import Match
from tafelrunde.service.features.inbox.duty import Outbox
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, ON, Table
from tests.support.wire import Answer
from tests.whole.hidden.chance import swapping
from tests.whole.hidden.ears import Ear, SocketEar, asked
from tools.example_run import without_chance

MANY = 1_000_000
SETTINGS = Settings(
    bot_pause_ms=0,
    limits=LimitSettings(
        reads_per_minute=MANY,
        advice_per_minute=MANY,
        commands_per_minute=MANY,
        matches_per_player_daily=MANY,
        matches_per_address_daily=MANY,
        streams_per_minute=MANY,
        requests_per_minute=MANY,
        max_streams=99,
    ),
    features=ON,
)
"""Quotas that do not run out, but are in every answer all the same."""
CLOCK = {"turn_seconds": 604_800, "reaction_seconds": 302_400}
PUBLIC: Mapping[str, object] = {"spectators": "public"}
WAIT = 30
HTTP = "over-http-"
SOCKET = "by-socket-"
"""How a key begins whose command goes that way."""


class Viewer(NamedTuple):
    """A viewer: on a seat, or without one; with the token of that place, or (None) without any."""

    name: str
    seat: Seat | None
    place: int | None

    @property
    def kind(self) -> str:
        """What is said about it in general."""
        return self.name if self.seat is None else "seat"


def viewers_of(seats: int) -> Sequence[Viewer]:
    """Return all seats, an anonymous caller, and a player who has no seat."""
    seated = [Viewer(f"seat {seat}", Seat(seat), seat) for seat in range(seats)]
    return (*seated, Viewer("spectator", None, None), Viewer("stranger", None, seats))


class World:
    """A service, the match on it, tokens of its players and of a stranger; `other` is a second match that is not played.

    `lines` are the log lines of the last question.
    """

    def __init__(self, game: GameId, seats: int, swaps: int | None) -> None:
        self.table = Table(SETTINGS, stores=msgspec.structs.replace(memory_stores(), id_key=bytes(32)))
        self.game = game
        self.seats = seats
        self.swaps = swaps
        self.players: list[str] = []
        self.tokens: list[str] = []
        self.webhooks: list[str] = []
        self.lines: Sequence[Mapping[str, Any]] = ()
        self.match = self.other = MatchId("")
        self.sockets: dict[Viewer, SocketEar] = {}
        self._ears = itertools.count()
        self._version = 0

    @property
    def application(self) -> Any:
        """The application of the service."""
        return self.table.application

    async def begin(self, options: Mapping[str, object], wishes: Mapping[str, object] = PUBLIC) -> None:
        """Make players with webhooks, open two matches, and fill and start the first one."""
        with swapping(self.swaps), without_chance():
            for _ in range(self.seats + 1):
                player, token = await self.table.player()
                self.players.append(player)
                self.tokens.append(token)
            for place, token in enumerate(self.tokens):
                hook = {"url": f"https://example.com/{place}", "events": TYPES}
                self.webhooks.append((await self.table.post("/webhooks", token, hook)).json["webhook"]["id"])
            wish = {"game": self.game, "options": options, "seats": self.seats, "clock": CLOCK}
            self.match = MatchId(await self.table.open(self.tokens[0], **wish, **wishes))
            self.table.now_ms += 1_000
            self.other = MatchId(await self.table.open(self.tokens[0], **wish))
            for token in self.tokens[1 : self.seats]:
                await self.table.post(f"/matches/{self.match}/seats", token)
            await self.table.post(f"/matches/{self.match}/start", self.tokens[0])

    async def pass_time(self, ms: int) -> None:
        """Let the clock go on, and let lists and messages follow."""
        self.table.now_ms += ms
        with capture_logs() as self.lines:
            await self.table.project(self.match)
            await self.table.project(self.other)
            await self.application.get(Outbox).catch_up()

    async def run_out(self, deadline_ms: int) -> None:
        """Let the time for the open decision run out."""
        self.table.now_ms = deadline_ms
        with swapping(self.swaps), capture_logs() as self.lines:
            await self.application.process_manager.time_out(self.match)

    async def state(self) -> Match:
        """Return the match as it really is."""
        return (await self.application.repository.load_latest(self.match)).match

    async def news(self) -> Sequence[Event]:
        """Return what has happened in the match since the last call, with all that is hidden in it."""
        repository = self.application.repository
        loaded = await repository.load_latest(self.match)
        fresh = loaded.entries[self._version : loaded.version]
        self._version = loaded.version
        return [repository.codec.decode(entry)[1] for entry in fresh]

    def token(self, viewer: Viewer) -> str | None:
        """Return what a viewer shows."""
        return self.tokens[viewer.place] if viewer.place is not None else None

    async def ask(self, method: str, path: str, viewer: Viewer, **more: Any) -> Answer:
        """Ask as a viewer."""
        with swapping(self.swaps), capture_logs() as self.lines:
            return await asked(self.table.app, method, API + path, token=self.token(viewer), **more)

    async def play(self, viewer: Viewer, decision: DecisionId, command: Command, key: str) -> Answer:
        """Give a command: over HTTP, or over the viewer's socket if the key says so and there is one."""
        content = {"decision": decision, "command": msgspec.to_builtins(command)}
        socket = self.sockets.get(viewer)
        if socket is not None and not socket.over and key.startswith(SOCKET):
            with capture_logs() as self.lines:
                return await socket.play(key, content)
        return await self.ask("POST", f"/matches/{self.match}/commands", viewer, content=content, key=key)

    async def after(self, viewer: Viewer) -> str:
        """Return the cursor that a viewer's feed is at."""
        answer = await self.ask("GET", f"/matches/{self.match}/feed?limit=500", viewer)
        return answer.json["cursor"] if answer.status == 200 else "0-00000000"

    def listen(self, viewer: Viewer, after: str | None) -> Ear:
        """Open a viewer's stream."""
        return self._open(viewer, "/stream" + (f"?after={after}" if after is not None else ""))

    def talk(self, viewer: Viewer, _: str | None) -> SocketEar:
        """Open a viewer's socket, which follows the match from its beginning."""
        with swapping(self.swaps):
            socket = self.sockets[viewer] = SocketEar(self.table.app, self.match, self.token(viewer))
        return socket

    def poll(self, viewer: Viewer, after: str) -> Ear:
        """Wait for the next event of a viewer."""
        return self._open(viewer, f"/feed?after={after}&wait={WAIT}")

    def _open(self, viewer: Viewer, path: str) -> Ear:
        with swapping(self.swaps):
            return Ear(self.table.app, f"{API}/matches/{self.match}{path}", self.token(viewer), f"ear {next(self._ears)}")
