"""The load, in a process of its own: `python -m bench.load '<job as JSON>'` prints its figures as JSON."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

import msgspec
import uvloop

from bench.figures import Stopwatch, Stretch, cpu_seconds
from bench.tables import Player, Table, seated
from bench.websocket import WebSocket
from bench.wire import Connection, Stream
from tools.commands import CommandLine

WARM_SECONDS = 1.0
DECISIONS = 120
"""Number of decisions of one match that are played before the next match."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What to do.

    `commands`, `moves`, `socket` and `echo` go on for a number of seconds; `fill` opens a number of matches and plays each for as
    long as `commands` does, whatever time that takes. `moves` plays every match at the same time: each command waits until the
    stream of its player has shown the one before. `socket` does the same over one connection for each player.

    `pids` are the processes whose use of the processor is measured meanwhile.
    """

    kind: Literal["commands", "moves", "socket", "echo", "fill"]
    host: str
    port: int
    seconds: float = 0.0
    warm_seconds: float = WARM_SECONDS
    connections: int = 1
    matches: int = 1
    pids: tuple[int, ...] = ()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The figures, and how many answers were not good ones.

    `cpu_us` is what one operation took of the processor in each of the processes asked for.
    """

    stretch: Stretch
    refused: int = 0
    cpu_us: tuple[float, ...] = ()


class Game:
    """A match whose players move by turns: each has a connection for commands and a stream."""

    def __init__(self, table: Table, connections: Sequence[Connection]) -> None:
        self.table = table
        self.connections = connections
        self.streams: Sequence[Stream] = ()
        self.asked = asyncio.Event()
        self._wanted = table.asking()

    def expecting(self) -> bytes:
        """Return the bytes of the next command; `asked` is set once the next mover's stream shows the decision after it."""
        request = self.table.command()
        self._wanted = self.table.asking()
        self.asked.clear()
        return request

    def hearer(self, seat: int) -> Callable[[bytes], None]:
        """Return what looks for the decision in a player's stream; an item arrives whole or its last part has it."""
        rest = b""

        def heard(data: bytes) -> None:
            nonlocal rest
            if seat != self.table.mover:
                return
            rest = rest[-len(self._wanted) :] + data
            if self._wanted in rest:
                self.asked.set()

        return heard


class Talk:
    """A match whose players move by turns, each over a socket."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.sockets: Sequence[WebSocket] = ()
        self.refused = False
        self._waiting = asyncio.get_running_loop().create_future()
        self._wanted = table.asking()
        self._answer = b""

    async def shown(self) -> None:
        """Wait until the next mover has seen the decision, and the last one has its receipt."""
        await self._waiting

    def move(self) -> None:
        """Send the next command."""
        socket = self.sockets[self.table.mover]
        frame = self.table.frame()
        self._wanted = self.table.asking()
        self._answer = b'"id":"%d"' % self.table.decision
        self._waiting = asyncio.get_running_loop().create_future()
        socket.say(frame)

    def hearer(self, seat: int) -> Callable[[bytes], None]:
        """Return what takes the frames of a player."""

        def heard(text: bytes) -> None:
            if self._answer and self._answer in text[:80]:
                self._answer = b""
                self.refused = b'"receipt"' not in text[:20]
            if self._wanted and seat == self.table.mover and self._wanted in text:
                self._wanted = b""
            if (self.refused or not (self._wanted or self._answer)) and not self._waiting.done():
                self._waiting.set_result(None)

        return heard


class Load:
    """One job under way."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._watch = Stopwatch()
        self._refused = 0
        self._from = 0.0
        self._until = 0.0
        self._last = 0.0

    async def run(self) -> Result:
        """Run the job."""
        kinds: dict[str, Callable[[], Awaitable[Result]]] = {
            "commands": self._commands,
            "moves": self._moves,
            "socket": self._over_sockets,
            "echo": self._echo,
            "fill": self._fill,
        }
        return await kinds[self._job.kind]()

    async def _fill(self) -> Result:
        ready = await asyncio.gather(*(self._tables(number) for number in range(self._job.connections)))
        self._until = float("inf")
        await asyncio.gather(*(self._play(connection, tables) for connection, tables in ready))
        return Result(stretch=self._watch.read(1.0), refused=self._refused)

    async def _commands(self) -> Result:
        ready = await asyncio.gather(*(self._tables(number) for number in range(self._job.connections)))
        self._begin()
        processor = asyncio.create_task(self._processor())
        await asyncio.gather(*(self._play(connection, tables) for connection, tables in ready))
        return self._result(await processor)

    async def _moves(self) -> Result:
        games = await asyncio.gather(*(self._game(number) for number in range(self._job.matches)))
        self._begin()
        processor = asyncio.create_task(self._processor())
        await asyncio.gather(*(self._exchange(game) for game in games))
        return self._result(await processor)

    async def _game(self, number: int) -> Game:
        connections = [await self._connect() for _ in range(2)]
        players = [await Player.register(connection) for connection in connections]
        table = await seated(connections[0], players, f"moves-{number}")
        game = Game(table, connections)
        game.streams = [await table.stream(self._job.host, self._job.port, seat, game.hearer(seat)) for seat in range(2)]
        await game.asked.wait()
        return game

    async def _exchange(self, game: Game) -> None:
        while time.perf_counter() < self._until:
            seat = game.table.mover
            began = time.perf_counter()
            request = game.expecting()
            answer, _ = await asyncio.gather(game.connections[seat].ask(request), game.asked.wait())
            now = time.perf_counter()
            self._refused += answer.status >= 300
            if began >= self._from and answer.status < 300:
                self._watch.add(now - began)
                self._last = now
        for stream in game.streams:
            stream.close()

    async def _over_sockets(self) -> Result:
        talks = await asyncio.gather(*(self._talk(number) for number in range(self._job.matches)))
        self._begin()
        processor = asyncio.create_task(self._processor())
        await asyncio.gather(*(self._talked(talk) for talk in talks))
        return self._result(await processor)

    async def _talk(self, number: int) -> Talk:
        connection = await self._connect()
        players = [await Player.register(connection) for _ in range(2)]
        talk = Talk(await seated(connection, players, f"socket-{number}"))
        host, port = self._job.host, self._job.port
        hearers = enumerate(players)
        talk.sockets = [await WebSocket.open(host, port, player.authorization, talk.hearer(seat)) for seat, player in hearers]
        for socket in talk.sockets:
            socket.say(talk.table.subscription())
        await talk.shown()
        connection.close()
        return talk

    async def _talked(self, talk: Talk) -> None:
        while time.perf_counter() < self._until and not talk.refused:
            began = time.perf_counter()
            talk.move()
            await talk.shown()
            now = time.perf_counter()
            if began >= self._from and not talk.refused:
                self._watch.add(now - began)
                self._last = now
        self._refused += talk.refused
        for socket in talk.sockets:
            socket.close()

    async def _echo(self) -> Result:
        connections = await asyncio.gather(*(self._connect() for _ in range(self._job.connections)))
        self._begin()
        processor = asyncio.create_task(self._processor())
        await asyncio.gather(*(self._repeat(connection) for connection in connections))
        return self._result(await processor)

    def _begin(self) -> None:
        self._from = time.perf_counter() + self._job.warm_seconds
        self._until = self._from + self._job.seconds
        self._last = self._from

    def _result(self, used: Sequence[float]) -> Result:
        stretch = self._watch.read(self._last - self._from)
        cpu_us = tuple(round(1e6 * each / stretch.rate, 1) for each in used)
        return Result(stretch=stretch, refused=self._refused, cpu_us=cpu_us)

    async def _processor(self) -> list[float]:
        """Return the share of a processor that each process uses during the measurement."""
        await asyncio.sleep(self._from - time.perf_counter())
        before = [cpu_seconds(pid) for pid in self._job.pids]
        began = time.perf_counter()
        await asyncio.sleep(self._job.seconds - 0.2)
        seconds = time.perf_counter() - began
        return [(cpu_seconds(pid) - used) / seconds for pid, used in zip(self._job.pids, before, strict=True)]

    async def _connect(self) -> Connection:
        return await Connection.open(self._job.host, self._job.port)

    async def _tables(self, number: int) -> tuple[Connection, list[Table]]:
        """Open this connection's share of the matches."""
        connection = await self._connect()
        players = [await Player.register(connection) for _ in range(2)]
        share = self._job.matches // self._job.connections
        return connection, [await seated(connection, players, f"{number}-{count}") for count in range(share)]

    async def _play(self, connection: Connection, tables: list[Table]) -> None:
        for table in tables:
            for _ in range(DECISIONS):
                if time.perf_counter() >= self._until:
                    return
                await self._measured(connection, table.command())

    async def _repeat(self, connection: Connection) -> None:
        body = b'{"decision":117,"command":{"type":"coup.claim-steal","target":"1"}}'
        headers = (b"authorization: Bearer " + b"t" * 43, b"idempotency-key: play-117")
        request = connection.request("POST", "/echo", headers, body)
        while time.perf_counter() < self._until:
            await self._measured(connection, request)

    async def _measured(self, connection: Connection, request: bytes) -> None:
        began = time.perf_counter()
        answer = await connection.ask(request)
        now = time.perf_counter()
        self._refused += answer.status >= 300
        if began >= self._from and answer.status < 300:
            self._watch.add(now - began)
            self._last = now


def run_job(job: Job) -> Result:
    """Run a job in a process of its own."""
    command = [sys.executable, "-m", "bench.load", msgspec.json.encode(job).decode()]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Result)


def main() -> None:
    """Run the given job."""
    command = CommandLine(__doc__)
    command.add_argument("job", type=lambda text: msgspec.json.decode(text, type=Job), help="as JSON")
    job = command.parse_args().job
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        result = runner.run(Load(job).run())
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
