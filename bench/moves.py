"""`python -m bench.moves`: moves by turns beside boardgame.io and beside physical limits, all in one run.

Of every match both seats are connected and get every update; a seat moves once the update of the move before has arrived. On our
side that is a command by POST and a stream for each seat, or a socket for each seat; on boardgame.io's a Socket.IO connection for
each seat. Its game is as
small as they come (play a card, draw a card); ours is Coup. Each side has a load generator of its own kind, which shares the
cores with the server: the processor time of the servers is measured without it. A side that fails is named in the report, and the
others are measured all the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Literal

import msgspec
from redis.exceptions import RedisError

from bench import append
from bench.figures import Stopwatch, Stretch, commit, cpu_seconds, keep, machine, today
from bench.load import Job, run_job
from bench.scale import SMALL, part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table
from bench.trivial import measure_echo
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tests.support.paths import ROOT
from tools.node import environment, installed

MATCHES = size((8, 32, 64), (2,))
ROUNDS = size(3, 1)
SECONDS, WARM_SECONDS = size((4.0, 1.0), (0.3, 0.1))
CONNECTIONS = size(64, 2)
RECIPE = Path(__file__).parent / "boardgame"
MEMORY = "boardgame.io, in memory"
APIS = size((1, 2), (1,))
BESIDE = {MEMORY: "memory", "boardgame.io, FlatFile": "flatfile"}
TRIVIAL, APPEND = "trivial POST", "bare append of a command's events"


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side with that many matches (or connections): its figures in each round, and the servers' processor time for a move."""

    side: str
    matches: int
    stretches: Sequence[Stretch]
    cpu_us: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All sides of a run, in turns, and why sides are missing."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    sides: Sequence[Side]
    failed: Mapping[str, str]
    seconds: float


Measure = Callable[[int], "tuple[Stretch, float]"]


def used(pids: Sequence[int]) -> float:
    """Return how much processor time these processes have used."""
    return sum(map(cpu_seconds, pids))


def ours(apis: int, kind: Literal["moves", "socket"]) -> Measure:
    """Return what measures our service with that many api processes, over HTTP or over sockets."""

    def measure(matches: int) -> tuple[Stretch, float]:
        with serving(apis=apis, thinkers=1) as service:
            return _loaded(service, Job(kind=kind, host=service.host, port=service.port, matches=matches))

    return measure


def _loaded(service: Service, job: Job) -> tuple[Stretch, float]:
    result = run_job(msgspec.structs.replace(job, seconds=SECONDS, warm_seconds=WARM_SECONDS, pids=tuple(service.processes())))
    if result.refused:
        raise RuntimeError(f"{result.refused} commands were refused")
    return result.stretch, sum(result.cpu_us)


def boardgame(kind: str) -> Measure:
    """Return what measures boardgame.io's server with its matches in memory or in files."""

    def measure(matches: int) -> tuple[Stretch, float]:
        with _boardgame_server(kind) as (pid, port):
            return _boardgame_load(pid, port, matches)

    return measure


def _folder() -> Path:
    return installed(RECIPE, ROOT / "build" / "boardgame").parent.parent


@contextmanager
def _boardgame_server(kind: str) -> Generator[tuple[int, int]]:
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as data:
        command = _node("server.cjs", kind, data)
        with subprocess.Popen(command, cwd=_folder(), env=_environment(), stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                word, _, port = process.stdout.readline().strip().partition(" ")
                if word != "listening":
                    raise RuntimeError("boardgame.io's server does not start")
                yield process.pid, int(port)
            finally:
                process.terminate()


def _boardgame_load(pid: int, port: int, matches: int) -> tuple[Stretch, float]:
    job = {"port": port, "matches": matches, "warmSeconds": WARM_SECONDS, "seconds": SECONDS}
    command = _node("load.cjs", json.dumps(job))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=_folder(), env=_environment(), stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stderr.readline()  # all matches are open
        time.sleep(WARM_SECONDS)
        before = used([pid])
        time.sleep(SECONDS)
        spent = used([pid]) - before
        text = process.stdout.read()
    watch = Stopwatch()
    for ms in json.loads(text)["times"]:
        watch.add(ms / 1000)
    stretch = watch.read(SECONDS)
    return stretch, 1e6 * spent / max(1, stretch.count)


def _node(script: str, *arguments: str) -> Sequence[str]:
    return ["node", str(RECIPE / script), *arguments]


def _environment() -> Mapping[str, str]:
    return {**environment(), "NODE_PATH": str(_folder() / "node_modules"), "NODE_ENV": "production"}


def trivial(connections: int) -> tuple[Stretch, float]:
    """Measure a POST that does nothing, on the same server and framework."""
    result = measure_echo(connections, SECONDS, WARM_SECONDS)
    return result.stretch, sum(result.cpu_us)


def appended(tasks: int) -> tuple[Stretch, float]:
    """Measure what the store's server and client do for a command, without anything around it."""
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder, EmbeddedServer.start(folder) as server:
        return append.run(server.url, tasks, SECONDS), 0.0


def measured() -> Iterator[tuple[str, int, Stretch, float] | tuple[str, str]]:
    """Give the figures of every side, round after round in turns; of a side that fails the reason, once."""
    sides: dict[str, Measure] = {}
    for apis, said in zip(APIS, ("1 api", "2 apis"), strict=False):
        sides |= {f"ours, {said}": ours(apis, "moves"), f"ours over the socket, {said}": ours(apis, "socket")}
    sides |= {name: boardgame(kind) for name, kind in BESIDE.items()}
    turns = [(name, matches, measure) for matches in MATCHES for name, measure in sides.items()]
    turns += [(TRIVIAL, CONNECTIONS, trivial), (APPEND, CONNECTIONS, appended)]
    if SMALL:  # what only this benchmark has; its peer takes long to install
        turns = turns[:2]
        for script in sorted(RECIPE.glob("*.cjs")):
            subprocess.run(["node", "--check", str(script)], env=environment(), check=True)
    failed = set[str]()
    for number in range(ROUNDS):
        for name, matches, measure in turns:
            if name in failed:
                continue
            part(f"round {number + 1}: {name}, {matches}")
            try:
                stretch, cpu_us = measure(matches)
            except (OSError, RuntimeError, subprocess.SubprocessError, msgspec.DecodeError, RedisError, ValueError) as error:
                failed.add(name)
                yield name, f"{type(error).__name__}: {error}"
            else:
                yield name, matches, stretch, cpu_us


def report_of() -> Report:
    """Measure everything."""
    began = time.monotonic()
    found: dict[tuple[str, int], list[tuple[Stretch, float]]] = {}
    failed: dict[str, str] = {}
    for each in measured():
        if len(each) == 2:
            failed[each[0]] = each[1]
        else:
            name, matches, stretch, cpu_us = each
            found.setdefault((name, matches), []).append((stretch, cpu_us))
    sides = [
        Side(
            side=name,
            matches=matches,
            stretches=[stretch for stretch, _ in rounds],
            cpu_us=round(median(cpu_us for _, cpu_us in rounds), 1),
        )
        for (name, matches), rounds in found.items()
    ]
    seconds = round(time.monotonic() - began, 1)
    return Report(day=today(), commit=commit(), machine=machine(), sides=sides, failed=failed, seconds=seconds)


def rate(side: Side) -> float:
    """Return the moves a second of a side: the median of its rounds."""
    return median(each.rate for each in side.stretches)


def text_of(report: Report) -> str:
    """Return the report for people."""
    parts = (_rows(report), [f"- {name} could not be measured: {why}" for name, why in report.failed.items()])
    return sheet(f"Moves by turns of {report.day}, commit {report.commit}", report.machine, report.seconds, parts)


def _rows(report: Report) -> Iterator[str]:
    by = {(side.side, side.matches): side for side in report.sides}
    trivial_side = by.get((TRIVIAL, CONNECTIONS))
    rows: list[Sequence[str]] = []
    for side in report.sides:
        ms = [median(getattr(each, name) for each in side.stretches) for name in ("p50_ms", "p99_ms")]
        peer = by.get((MEMORY, side.matches)) if side.side not in {TRIVIAL, APPEND} else None
        rows.append(
            (
                side.side,
                str(side.matches),
                f"{rate(side):,.0f}",
                f"{rate(side) / rate(peer):.2f}" if peer else "",
                *(f"{each:.1f}" for each in ms),
                f"{side.cpu_us:,.0f}" if side.cpu_us else "",
                f"{side.cpu_us / trivial_side.cpu_us:.1f}" if trivial_side and side.cpu_us else "",
            )
        )
    heads = ("side", "matches", "moves/s", "of boardgame.io in memory", "p50 ms", "p99 ms", "processor us", "of a trivial POST")
    yield from table(heads, rows)


def main() -> int:
    """Measure, print, write; return 1 if a side of a small run failed."""
    report = report_of()
    keep("moves", report, text_of(report))
    return int(SMALL and bool(report.failed))


if __name__ == "__main__":
    sized(__doc__)
    sys.exit(main())
