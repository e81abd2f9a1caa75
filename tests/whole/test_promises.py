"""What an acknowledged command survives, row by row of the table in the README. Kills of processes: test_kills.py.

The real api and a real server: two guests play, the server goes away in one of the ways of the table, and what is there
afterwards is compared with what was acknowledged. The api stays and keeps all that it has in memory.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from tafelrunde.api.app import running
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Durability
from tests.support.full_disk import fill, needs_linux
from tests.support.processes import until
from tests.support.servers import Server, free_port
from tests.support.slow_disk import SlowDisk, need_slow_disk
from tests.support.soak.ledger import Item, Ledger
from tests.support.table import Table

pytestmark = [pytest.mark.anyio, pytest.mark.real]
LASTING_MS = 60_000
"""A flush that ends after the test."""
ROUNDS = 5
COUP = {"game": "coup", "options": {"first_seat": 0}, "clock": {"turn_seconds": 36_000, "reaction_seconds": 36_000}}
ALWAYS, EVERY_SECOND = {"appendfsync": "always"}, {"appendfsync": "everysec"}


class Game:
    """A match of two guests, and what one of them received of it."""

    def __init__(self, table: Table, match: str, tokens: Sequence[str]) -> None:
        self._table = table
        self._tokens = tokens
        self.ledger = Ledger(match)

    @classmethod
    async def begun(cls, table: Table) -> Game:
        """Begin a match."""
        (_, one), (_, other) = await table.player(), await table.player()
        return cls(table, await table.begin(one, other, **COUP), (one, other))

    async def play(self, commands: int) -> None:
        """Give commands, one after the other, that are all acknowledged."""
        for number in range(commands):
            token = await self._asked()
            answer = await self._table.play(self.ledger.match, token)
            assert answer.status == 200, answer
            if token == self._tokens[0]:
                self.ledger.acknowledge(f"{len(self.ledger.receipts)}-{number}", answer.json)
        self.ledger.heard = await self.feed()

    async def _asked(self) -> str:
        for token in self._tokens:
            if (question := (await self._table.view(self.ledger.match, token))["question"]) and question["answered"] is None:
                return token
        raise AssertionError("the match is over")

    async def feed(self) -> list[Item]:
        """Return all items of the first guest now."""
        answer = await self._table.get(f"/matches/{self.ledger.match}/feed?limit=500", self._tokens[0])
        assert answer.status == 200, answer
        return answer.json["items"]

    async def lost(self) -> int:
        """Return how many items are gone. Only the newest may be, and a client that has the last of them is notified."""
        now = await self.feed()
        heard = self.ledger.heard
        assert heard[: len(now)] == now, "not an end"
        gone = heard[len(now) :]
        await self._is_notified(heard[-1]["cursor"], lost=bool(gone))
        return len(gone)

    async def play_until_refused(self) -> int:
        """Give commands until one is not acknowledged; return its status."""
        while (answer := await self._table.play(self.ledger.match, await self._asked())).status == 200:
            self.ledger.heard = await self.feed()
        return answer.status

    async def _is_notified(self, cursor: str, *, lost: bool) -> None:
        """Resume with a cursor, by a page and by a stream."""
        path = f"/matches/{self.ledger.match}"
        page = await self._table.get(f"{path}/feed?after={cursor}", self._tokens[0])
        assert page.status == (409 if lost else 200)
        resumed = [("Last-Event-ID", cursor)]
        async with self._table.listen(f"/api/v1{path}/stream", token=self._tokens[0], headers=resumed) as stream:
            await stream.begin()
            heard = await stream.hear(b"retry: 1000\n\nevent: reset" if lost else b"retry: 1000\n\n")
            assert (b"event: reset" in heard) is lost


@asynccontextmanager
async def api(url: str, level: Durability) -> AsyncGenerator[Table]:
    """Give an api on a server."""
    async with await RedisStores.connect(url, level) as stores:
        table = Table(stores=stores)
        async with running(table.app):
            yield table


def written(server: Server) -> Path:
    """Return the file that a server appends to."""
    (found,) = (server.folder / "appendonlydir").glob("*.incr.aof")
    return found


def prepared(folder: Path, **options: str) -> tuple[Server, SlowDisk]:
    """Return a server whose disk can be slow."""
    server = Server("valkey", folder / "data", **options)
    disk = need_slow_disk(folder)
    server.folder.mkdir()
    server.environment = {**os.environ, **disk.variables}
    return server, disk


def flush(server: Server, disk: SlowDisk | None = None) -> None:
    """Wait until all that the server has accepted is written, and on the *disk*: it may answer before it writes."""
    file = written(server)
    marker = uuid4().hex
    assert server.ask(f"SET marker {marker}") == "+OK"
    until("all is flushed", lambda: marker.encode() in file.read_bytes()[: disk.flushed(file) if disk else None])


async def test_durable_loses_nothing_when_the_server_is_killed_on_a_slow_disk(short_path: Path) -> None:
    """Each answer has waited for the disk."""
    server, disk = prepared(short_path, **ALWAYS)
    with server:
        async with api(server.url, Durability.DURABLE) as table:
            game = await Game.begun(table)
            disk.slower(30)
            before = disk.begun(written(server))
            await game.play(5)
            assert disk.begun(written(server)) >= before + 5
            server.kill()
            server.start()
            assert await game.lost() == 0
            await game.play(1)


async def test_embedded_loses_only_an_end_when_the_server_is_killed_on_a_slow_disk(short_path: Path) -> None:
    """While a flush is under way the server delays its writes and answers; clients that hold lost items are notified."""
    server, disk = prepared(short_path, **EVERY_SECOND)
    lost: list[int] = []
    with server:
        async with api(server.url, Durability.EMBEDDED) as table:
            while not any(lost) and len(lost) < ROUNDS:  # it puts them off for two seconds, which may be over already
                game = await Game.begun(table)
                flush(server, disk)
                disk.slower(LASTING_MS)
                file = written(server)
                before = disk.begun(file)
                while disk.begun(file) == before:
                    assert server.ask("SET dirty 1") == "+OK"
                    await asyncio.sleep(0.01)
                await game.play(3)
                server.kill()
                disk.slower(0)
                server.start()
                lost.append(await game.lost())
                await game.play(1)
    assert any(lost)


@pytest.mark.parametrize(("level", "options"), [(Durability.DURABLE, ALWAYS), (Durability.EMBEDDED, EVERY_SECOND)])
async def test_flushed_commands_are_there_when_the_power_is_cut(
    level: Durability, options: dict[str, str], short_path: Path
) -> None:
    """Nothing else survives: the file ends where its last flush ended. With `durable` that is everything acknowledged."""
    server, disk = prepared(short_path, **options)
    with server:
        async with api(server.url, level) as table:
            game = await Game.begun(table)
            await game.play(3)
            file = written(server)
            sure = list(game.ledger.heard)
            if level is Durability.EMBEDDED:
                flush(server, disk)
                disk.slower(LASTING_MS)
            await game.play(3)
            server.kill()
            with file.open("r+b") as cut:
                cut.truncate(disk.flushed(file))
            disk.slower(0)
            server.start()
            feed = await game.feed()
            assert feed[: len(sure)] == sure
            gone = await game.lost()
            assert (gone > 0) is (level is Durability.EMBEDDED)
            await game.play(1)


@needs_linux
@pytest.mark.parametrize(("level", "options"), [(Durability.DURABLE, ALWAYS), (Durability.EMBEDDED, EVERY_SECOND)])
async def test_only_what_a_full_disk_took_is_lost_when_the_server_is_killed(
    level: Durability, options: dict[str, str], short_path: Path
) -> None:
    """What was acknowledged before is there, with `durable` everything; writes are refused as soon as the server has noticed."""
    with Server("valkey", short_path, **options) as server:
        async with api(server.url, level) as table:
            game = await Game.begun(table)
            await game.play(3)
            sure = list(game.ledger.heard)
            flush(server)
            assert server.process is not None
            fill(server.process.pid, server.folder)
            assert await game.play_until_refused() == 503
            server.kill()
            server.start()
            assert (await game.feed())[: len(sure)] == sure
            gone = await game.lost()
            assert gone == 0 or level is Durability.EMBEDDED
            await game.play(1)


class Pair:
    """A primary and a replica behind one address, which moves to the replica when that is promoted."""

    def __init__(self, folder: Path, **options: str) -> None:
        port = free_port()
        self._steps = 0
        listening = {"port": str(port), "bind": "127.0.0.1", "repl_diskless_sync_delay": "0"}
        self.primary = Server("redis7", folder / "primary", **listening, **options)
        self.replica = Server("redis7", folder / "replica", replicaof=f"127.0.0.1 {port}", **options)
        self._address = folder / "address"
        self.url = f"unix://{self._address}"
        for each in (self.primary, self.replica):
            each.folder.mkdir()
        self._address.symlink_to(self.primary.socket)

    def await_step(self) -> None:
        """Wait until the replica has all that the primary has: it gets everything in order."""
        self._steps += 1
        assert self.primary.ask(f"SET step-{self._steps} 1") == "+OK"
        until("it is in step", lambda: self.replica.ask(f"EXISTS step-{self._steps}") == ":1")

    def need_replica(self) -> None:
        """Let the primary refuse writes without a replica, and wait until its own has reported and so counts."""
        assert self.primary.ask("CONFIG SET min-replicas-to-write 1") == "+OK"
        until("the replica counts", lambda: self.primary.ask("SET counts 1") == "+OK")

    def detach(self) -> None:
        """Let the replica fall behind."""
        assert self.replica.ask("REPLICAOF NO ONE") == "+OK"

    def fail_over(self) -> None:
        """Kill the primary, promote the replica, and move the address to it."""
        self.primary.kill()
        self.detach()
        moved = self._address.with_suffix(".new")
        moved.symlink_to(self.replica.socket)
        moved.replace(self._address)


@pytest.mark.parametrize("fresh", [True, False], ids=["fresh", "stale"])
async def test_failover_loses_what_the_promoted_replica_lacks(fresh: bool, short_path: Path) -> None:
    """With `replicated` it has acknowledged every command; a replica that had fallen behind takes the rest back."""
    pair = Pair(short_path, appendfsync="always")
    with pair.primary, pair.replica:
        pair.await_step()
        pair.need_replica()
        async with api(pair.url, Durability.REPLICATED if fresh else Durability.DURABLE) as table:
            game = await Game.begun(table)
            await game.play(3)
            kept = len(game.ledger.heard)
            if not fresh:
                pair.await_step()
                assert pair.primary.ask("CONFIG SET min-replicas-to-write 0") == "+OK"
                pair.detach()
            await game.play(3)
            told = len(game.ledger.heard)
            pair.fail_over()
            assert await game.lost() == (0 if fresh else told - kept)
            if fresh:
                assert await game.play_until_refused() == 503, "acknowledged without a replica"
            else:
                await game.play(1)
