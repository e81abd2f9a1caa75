"""What it costs to flush every write: `python -m bench.durability`.

Commands accepted by the whole service with `embedded` (a flush a second) and `durable` (a flush before each answer, one for all
that came meanwhile), in turns in one run; the same on disks that flush 1 and 5 ms slower; beside them what the disk can do at
most: bare flushes, and bare pipelined XADD to a server with both settings.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

import msgspec
from redis import Redis

from bench.__main__ import load
from bench.figures import Stopwatch, Stretch, commit, keep, machine, today
from bench.load import Job
from bench.scale import part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.service.settings import Durability
from tests.support.slow_disk import SlowDisk, compiler

FLUSHES_OF = {"embedded": "everysec", "durable": "always"}
LEVELS = tuple(FLUSHES_OF)
CONNECTIONS = size((1, 8, 64), (2,))
SLOWER_MS = size((0.0, 1.0, 5.0), (0.0, 1.0))
ROUNDS = size(5, 1)
SECONDS = size(3.0, 0.2)
FLUSHES = size(1_000, 20)
PIPELINE = 64
LINE = 600
"""Bytes of a command in the file, and of a flushed line."""


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Accepted commands a second, and the duration of one; the medians of the rounds are compared."""

    slower_ms: float
    level: str
    connections: int
    rates: tuple[float, ...]
    p50_ms: float
    p99_ms: float

    @property
    def rate(self) -> float:
        """The median of the rounds."""
        return median(self.rates)


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a run."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    seconds: float
    flush: Stretch
    added: Mapping[str, float]
    commands: tuple[Rate, ...]


def flushed(folder: str) -> Stretch:
    """Measure bare flushes of a growing file, one after the other."""
    watch = Stopwatch()
    descriptor = os.open(Path(folder) / "flushed", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    began = time.perf_counter()
    for _ in range(FLUSHES):
        os.write(descriptor, b"x" * LINE)
        before = time.perf_counter()
        os.fdatasync(descriptor)
        watch.add(time.perf_counter() - before)
    os.close(descriptor)
    return watch.read(time.perf_counter() - began)


def added(level: str) -> float:
    """Return how many entries a second one connection can add to a stream, many in one message, with nothing else around."""
    with (
        tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder,
        EmbeddedServer.start(folder, Durability(level)) as server,
        Redis.from_url(server.url, protocol=2) as client,  # pyright: ignore[reportUnknownMemberType] - untyped keywords
    ):
        began = time.perf_counter()
        count = 0
        while time.perf_counter() < began + SECONDS:
            pipeline = client.pipeline(transaction=False)  # pyright: ignore[reportUnknownMemberType] - untyped keywords
            for _ in range(PIPELINE):
                pipeline.xadd("log", {"e": b"x" * LINE})
            pipeline.execute()
            count += PIPELINE
        return round(count / (time.perf_counter() - began))


def commands(service: Service, level: str, connections: int) -> Stretch:
    """Measure accepted commands of a service whose server is set to a level while it runs."""
    with Redis.from_url(service.redis_url, protocol=2) as client:  # pyright: ignore[reportUnknownMemberType] - untyped keywords
        client.config_set("appendfsync", FLUSHES_OF[level])  # pyright: ignore[reportUnknownMemberType] - untyped keywords
    job = Job(
        kind="commands",
        host=service.host,
        port=service.port,
        connections=connections,
        matches=size(max(2 * connections, 80), 2 * connections),
        seconds=SECONDS,
    )
    return load(job).stretch


def turns(service: Service, slower_ms: float, connections: int) -> Iterator[Rate]:
    """Measure both levels in turns."""
    found: dict[str, list[Stretch]] = {level: [] for level in LEVELS}
    for number in range(ROUNDS):
        for level in LEVELS if number % 2 == 0 else LEVELS[::-1]:
            part(f"flushes {slower_ms:g} ms slower, {connections} connections, {level}, round {number + 1}")
            found[level].append(commands(service, level, connections))
    for level, stretches in found.items():
        yield Rate(
            slower_ms=slower_ms,
            level=level,
            connections=connections,
            rates=tuple(each.rate for each in stretches),
            p50_ms=median(each.p50_ms for each in stretches),
            p99_ms=median(each.p99_ms for each in stretches),
        )


def on_disks(folder: Path) -> Iterator[Rate]:
    """Measure on this disk, and on slower ones if there is a C compiler."""
    cc = compiler()
    disk = SlowDisk(folder, cc) if cc is not None else None
    with serving(disk.variables if disk is not None else {}) as service:
        for slower_ms in SLOWER_MS if disk is not None else SLOWER_MS[:1]:
            if disk is not None:
                disk.slower(slower_ms)
            for connections in CONNECTIONS:
                yield from turns(service, slower_ms, connections)


def measured() -> Costs:
    """Measure everything."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
        part("bare flushes and bare entries")
        flush = flushed(folder)
        entries = {level: added(level) for level in LEVELS}
        rates = tuple(on_disks(Path(folder)))
    return Costs(
        day=today(),
        commit=commit(),
        machine=machine(),
        seconds=time.monotonic() - began,
        flush=flush,
        added=entries,
        commands=rates,
    )


def text_of(found: Costs) -> str:
    """Return the figures for people."""
    parts = [_disk(found), _commands(found)]
    return sheet(f"Durability of {found.day}, commit {found.commit}", found.machine, found.seconds, parts)


def _disk(found: Costs) -> Iterator[str]:
    flush, bare = found.flush, found.added
    yield f"The disk: {flush.rate:,.0f} bare flushes (fdatasync) a second, one after the other, of a file that grows;"
    yield f"p50 {flush.p50_ms} ms, p95 {flush.p95_ms} ms, p99 {flush.p99_ms} ms. Bare pipelined XADD, {PIPELINE} in a message:"
    yield f"{bare['embedded']:,.0f} a second with `everysec`, {bare['durable']:,.0f} with `always`."


def _commands(found: Costs) -> Iterator[str]:
    yield f"Accepted commands a second through the whole service, medians of {ROUNDS} rounds in turns; the cost is that of a"
    yield "round, as what else the machine does changes from one round to the next:"
    yield ""
    heads = ("flush slower by", "connections", "embedded", "durable", "cost", "p50 ms", "p99 ms")
    by = {(each.slower_ms, each.connections, each.level): each for each in found.commands}
    pairs = [(by[key], by[*key[:2], "durable"]) for key in by if key[2] == "embedded"]
    yield from table(heads, [_row(embedded, durable) for embedded, durable in pairs])


def _row(embedded: Rate, durable: Rate) -> tuple[str, ...]:
    costs = zip(embedded.rates, durable.rates, strict=True)
    return (
        f"{embedded.slower_ms:g} ms",
        str(embedded.connections),
        f"{embedded.rate:,.0f}",
        f"{durable.rate:,.0f}",
        f"{100 * median(1 - flushed / put_off for put_off, flushed in costs):.0f} %",
        f"{embedded.p50_ms:.2f} and {durable.p50_ms:.2f}",
        f"{embedded.p99_ms:.1f} and {durable.p99_ms:.1f}",
    )


def main() -> None:
    """Measure, print, write."""
    found = measured()
    keep("durability", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
