"""How what a deployment keeps grows with the number of matches: `python -m bench.capacity`.

Running matches on an embedded server, made by commands as players give them; then finished ones, made as what is left of them
outside their archives: their rows in the lists and their leaves in the transparency log. At each size: memory of the server for
each, and processor time, of this process and of the server together, of what is done over and over.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import msgspec
import uvloop
from redis import Redis

from bench.capacity_report import Capacity, Finished, Running, text_of
from bench.figures import commit, keep, machine, today
from bench.scale import part, size, sized
from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.port import Leaf, Outcome
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import SHARDS, Shard, shard_of
from tafelrunde.service.ports.rows import Listing, Row
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.service.settings import Durability, LimitSettings, Settings
from tafelrunde.service.views import projections

RUNNING = size((1_000, 5_000, 20_000), (8, 24))
FINISHED = size((10_000, 100_000, 1_000_000), (200, 600))
AT_ONCE = 32
MEMORY_MB = 8_192
BATCH = 100
LEAVES = 1_000
REPEAT = size(15, 3)
MATCHES_OF_A_PLAYER = 100
SUMMARY = 900
"""Bytes of the row of a finished match with two players, as projected; random, as few of them repeat."""
PAGE = 50
GAME = GameId("coup")
ALL = frozenset(Shard(number) for number in range(SHARDS))


class Meter:
    """Processor time of this process and of the server, and the memory of the server's data."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(url, protocol=2)  # pyright: ignore[reportUnknownMemberType] - untyped keywords

    def cpu(self) -> float:
        """Return the processor seconds of both so far."""
        return time.process_time() + self.server_cpu()

    def server_cpu(self) -> float:
        """Return the processor seconds of the server since its start."""
        said = self._info("cpu")
        return float(said["used_cpu_user"]) + float(said["used_cpu_sys"])

    def memory(self) -> int:
        """Return the bytes that the server's data takes."""
        return int(self._info("memory")["used_memory"])

    def _info(self, section: str) -> Mapping[str, str]:
        return {name: str(value) for name, value in msgspec.convert(self._client.info(section), dict[str, object]).items()}  # pyright: ignore[reportUnknownMemberType] - untyped in the library

    async def cost_ms(self, action: Callable[[], Awaitable[object]]) -> float:
        """Return the processor time of an action in ms, the median of several."""
        costs: list[float] = []
        for _ in range(REPEAT):
            began = self.cpu()
            await action()
            costs.append(self.cpu() - began)
        return round(1000 * median(costs), 3)

    def close(self) -> None:
        """End the connection."""
        self._client.close()


@asynccontextmanager
async def deployment(url: str) -> AsyncGenerator[tuple[Application, Meter]]:
    """Open a deployment without limits."""
    async with await RedisStores.connect(url) as stores:
        meter = Meter(url)
        yield Application(stores, Settings(limits=LimitSettings(rate_limits=False))), meter
        meter.close()


async def together(count: int, action: Callable[[int], Awaitable[object]], start: int) -> None:
    """Run an action with each number from *start* to *count*, some at a time."""
    numbers = iter(range(start, count))

    async def one() -> None:
        for number in numbers:
            await action(number)

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))


async def running(url: str) -> Sequence[Running]:
    """Measure with more and more running matches of two players; the sweeper has no match in its memory, as in a deployment."""
    found: list[Running] = []
    async with deployment(url) as (application, meter), deployment(url) as (sweeper, _):
        clock = Clock(turn_seconds=600_000, reaction_seconds=600_000)

        async def begin(number: int) -> None:
            host, guest = PlayerId(f"host-{number}"), PlayerId(f"guest-{number}")
            match = (await application.matches.open(host, NewMatch(game=GAME, seats=2, clock=clock), f"open-{number}")).match
            await application.matches.take_seat(guest, match, None, "", "sit")
            await application.matches.start(host, match, "start")

        await project(sweeper)
        empty = meter.memory()
        before = 0
        for count in RUNNING:
            part(f"{count:,} running matches")
            new = count - before
            commands = await spent(meter, together(count, begin, before)) / (3 * new)
            projecting = await spent(meter, project(sweeper)) / new
            before = count
            # One step of each duty that looks at every shard; nothing is due, as nothing is most of the time.
            claims = await meter.cost_ms(lambda: claim(sweeper))
            found.append(
                Running(
                    matches=count,
                    server_bytes=round((meter.memory() - empty) / count),
                    command_us=round(1e6 * commands),
                    projecting_us=round(1e6 * projecting),
                    claim_ms=claims,
                    follow_ms=await meter.cost_ms(lambda: sweeper.projector.step(ALL)),
                    lobby_ms=await meter.cost_ms(lambda: application.queries.lobby(Listing(limit=PAGE))),
                    waiting_ms=await meter.cost_ms(
                        lambda: application.queries.lobby(Listing(status=Status.RUNNING, game=GAME, limit=PAGE))
                    ),
                    own_ms=await meter.cost_ms(
                        lambda: application.queries.matches_of(PlayerId("host-1"), Listing(player=PlayerId("host-1")))
                    ),
                )
            )
            part(str(found[-1]))
    return found


async def spent(meter: Meter, work: Awaitable[object]) -> float:
    """Return the processor seconds of some work."""
    began = meter.cpu()
    await work
    return meter.cpu() - began


async def project(application: Application) -> None:
    """Bring the rows up to the logs."""
    await asyncio.gather(*map(application.projector.catch_up, sorted(ALL)))


async def claim(application: Application) -> None:
    """Ask for what is due, of clocks and of bots."""
    for kind in (AgendaKind.DEADLINE, AgendaKind.WORK):
        await application.stores.agenda.claim(kind, None, 1_000, 100)


def finished_row(number: int) -> Row:
    """Return the row of a finished match."""
    noise = hashlib.shake_128(str(number).encode()).digest(SUMMARY)
    players = tuple(PlayerId(f"p{(number * step) // MATCHES_OF_A_PLAYER:026}") for step in (1, 2))
    return Row(
        match=match_of(number),
        game=GAME,
        status=Status.OVER,
        listed=True,
        opened_ms=1_790_000_000_000 + number,
        players=players,
        body=noise,
    )


def match_of(number: int) -> MatchId:
    """Return the id of a match, as long as those of a deployment."""
    return MatchId(f"m{number:024}")


async def finished(folder: Path) -> Sequence[Finished]:
    """Measure with more and more finished matches; between two sizes the server is started again."""
    found: list[Finished] = []
    server = EmbeddedServer.start(folder, Durability.EMBEDDED, memory_mb=MEMORY_MB)
    for before, count in pairwise((0, *FINISHED)):
        part(f"{count:,} finished matches")
        try:
            async with deployment(server.url) as (application, meter):
                figures = await finish(application, meter, before, count)
        finally:
            server.stop()
        server = EmbeddedServer.start(folder, Durability.EMBEDDED, memory_mb=MEMORY_MB)
        meter = Meter(server.url)
        found.append(msgspec.structs.replace(figures, start_seconds=round(meter.server_cpu(), 2)))
        meter.close()
        part(str(found[-1]))
    server.stop()
    return found


async def finish(application: Application, meter: Meter, before: int, count: int) -> Finished:
    """Add finished matches up to a number, and measure there."""
    empty = meter.memory()
    rows_us = 1e6 * await spent(meter, add_rows(application, before, count)) / (count - before)
    with_rows = meter.memory()
    leaves_us = 1e6 * await spent(meter, add_leaves(application, before, count)) / (count - before)
    player = finished_row(count // 2).players[0]
    return Finished(
        matches=count,
        row_bytes=round((with_rows - empty) / (count - before)),
        leaf_bytes=round((meter.memory() - with_rows) / (count - before)),
        row_us=round(rows_us),
        leaf_us=round(leaves_us),
        lobby_ms=await meter.cost_ms(lambda: application.stores.rows.rows(Listing(status=Status.OVER, limit=PAGE))),
        deep_ms=await meter.cost_ms(lambda: application.stores.rows.rows(deep(count))),
        own_ms=await meter.cost_ms(lambda: application.stores.rows.rows(Listing(player=player, limit=PAGE))),
        proof_ms=await meter.cost_ms(lambda: application.get(TransparencyLog).prove(match_of(count // 3))),
        start_seconds=0,
    )


def deep(count: int) -> Listing:
    """Return a page from the middle of the lobby."""
    row = finished_row(count // 2)
    return Listing(after=(row.opened_ms, row.match), limit=PAGE)


async def add_rows(application: Application, before: int, count: int) -> None:
    """Write the rows of finished matches, as the projector does."""
    waiting: dict[Shard, list[Row]] = {shard: [] for shard in ALL}
    for number in range(before, count):
        row = finished_row(number)
        rows = waiting[shard_of(row.match)]
        rows.append(row)
        if len(rows) == BATCH:
            await write(application, rows)
    for rows in waiting.values():
        if rows:
            await write(application, rows)


async def write(application: Application, rows: list[Row]) -> None:
    """Write rows of one shard, and forget them. If a try was not acknowledged, the next one finds what it has written."""
    shard = shard_of(rows[0].match)
    store = application.stores.rows
    checkpoint = await store.checkpoint(shard)
    wanted = f"{int((checkpoint or '0-0').partition('-')[0]) + 1}-0"
    if not await store.project(shard, checkpoint, wanted, rows):
        assert await store.checkpoint(shard) == wanted
    rows.clear()


async def add_leaves(application: Application, before: int, count: int) -> None:
    """Enter finished matches into the transparency log."""
    for start in range(before, count, LEAVES):
        numbers = range(start, min(start + LEAVES, count))
        await application.get(TransparencyLog).add(
            [
                Leaf(match_of(each), 117, hashlib.sha256(str(each).encode()).digest(), Outcome.OVER, 1_790_000_000_000)
                for each in numbers
            ]
        )


def measured_running(folder: Path) -> Sequence[Running]:
    """Measure running matches on a server of their own."""
    projections.BLOCK_MS = 20  # a step that waits for events takes time, and only processor time counts
    server = EmbeddedServer.start(folder, Durability.EMBEDDED, memory_mb=MEMORY_MB)
    try:
        return uvloop.run(running(server.url))
    finally:
        server.stop()


def measured_finished(folder: Path) -> Sequence[Finished]:
    """Measure finished matches on a server of their own."""
    return uvloop.run(finished(folder))


def measured() -> Capacity:
    """Measure both at once, each in a process of its own: only processor time counts."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as name, ProcessPoolExecutor(2, get_context("spawn")) as both:
        folders = [Path(name) / each for each in ("running", "finished")]
        for folder in folders:
            folder.mkdir(mode=0o700)
        matches, ended = both.submit(measured_running, folders[0]), both.submit(measured_finished, folders[1])
        return Capacity(
            day=today(),
            commit=commit(),
            machine=machine(),
            running=matches.result(),
            finished=ended.result(),
            seconds=time.monotonic() - began,
        )


def main() -> None:
    """Measure, print, write."""
    found = measured()
    keep("capacity", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
