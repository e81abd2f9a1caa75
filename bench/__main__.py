"""`python -m bench`: measure everything in one run, print the figures, and write them to bench/results/."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from statistics import median

import msgspec
from msgspec.structs import replace

from bench import append, archive, growth, play
from bench.courses import COUP
from bench.figures import commit, keep, machine, today
from bench.load import Job, Result
from bench.report import IN_ALL, Memory, Report, text_of
from bench.scale import part, size, sized
from bench.service import serving
from bench.trivial import echoing
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer

CONNECTIONS = size(64, 4)
ROUNDS = size(3, 1)
SECONDS = size(5.0, 0.5)
WARM_SECONDS, VIEW_SECONDS, STREAM_SECONDS, PLAY_SECONDS = size((1.0, 3.0, 8.0, 2.0), (0.1, 0.2, 0.5, 0.02))
MATCHES = 10 * CONNECTIONS
OPEN_MATCHES = size(20, 2) * CONNECTIONS
STREAMS, STREAM_MATCHES, STREAM_RATE = size((1_000, 100, 200.0), (8, 4, 20.0))
LENGTHS = size((10, 30, 100, 300, 1_000), (10, 20))


def main() -> None:
    """Measure, print, write."""
    began = time.monotonic()
    rounds = [(echo(), commands()) for _ in range(ROUNDS)]
    appended, costs, kept = server_alone()
    views, streams, memory = beside()
    report = Report(
        day=today(),
        commit=commit(),
        machine=machine(),
        echo=[each.stretch for each, _ in rounds],
        commands=[each.stretch for _, each in rounds],
        cpu_us={
            "trivial POST": median(each.cpu_us[0] for each, _ in rounds),
            "command, in the api": median(each.cpu_us[0] for _, each in rounds),
            "command, in the projector": median(each.cpu_us[1] for _, each in rounds),
            IN_ALL: median(sum(each.cpu_us) for _, each in rounds),
        },
        refused=sum(each.refused for _, each in rounds) + streams.refused,
        append=appended,
        views=views.stretch,
        streams=streams.stretch,
        deliveries_expected=streams.expected,
        memory=memory,
        play={f"{game.id}, {seats} seats": played for game, seats, played in random_play()},
        growth=costs,
        kept=kept,
        seconds=round(time.monotonic() - began, 1),
    )
    keep("service", report, text_of(report))


def load(job: Job) -> Result:
    """Run a job in a process of its own."""
    command = [sys.executable, "-m", "bench.load", msgspec.json.encode(replace(job, warm_seconds=WARM_SECONDS)).decode()]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Result)


def echo() -> Result:
    """Measure the trivial POST."""
    part("a trivial POST, to compare with")
    with echoing() as (pid, port):
        job = Job(kind="echo", host="127.0.0.1", port=port, connections=CONNECTIONS, seconds=SECONDS, pids=(pid,))
        return load(job)


def commands() -> Result:
    """Measure accepted commands on a service of its own, and its processes: the api, the sweeper, then the others."""
    part("commands")
    with serving() as service:
        job = Job(
            kind="commands",
            host=service.host,
            port=service.port,
            connections=CONNECTIONS,
            matches=MATCHES,
            seconds=SECONDS,
            pids=tuple(dict.fromkeys((service.child("api"), service.child("sweeper"), *service.processes()))),
        )
        return load(job)


def server_alone() -> tuple[append.Stretch, list[growth.Cost], list[archive.Kept]]:
    """Measure the append script, how cost grows, and the size of finished matches, on a server with nothing around it."""
    part("the server alone: lengths of matches, archives, appends")
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder, EmbeddedServer.start(folder) as server:
        costs = growth.run(server.url, COUP, LENGTHS)
        kept = archive.run(server.url)
        return append.run(server.url, CONNECTIONS, SECONDS), costs, kept


def beside() -> tuple[Result, Result, Memory]:
    """Measure views, streams and memory on one service."""
    with serving() as service:
        part("views")
        base = Job(kind="views", host=service.host, port=service.port, seconds=VIEW_SECONDS)
        views = load(base)
        part("open matches, and the memory they take")
        before = service.redis_bytes(), service.api_bytes()
        load(replace(base, kind="open", connections=CONNECTIONS, matches=OPEN_MATCHES))
        time.sleep(1.0)
        after = service.redis_bytes(), service.api_bytes()
        memory = Memory(
            matches=OPEN_MATCHES,
            server_bytes=(after[0] - before[0]) // OPEN_MATCHES,
            api_bytes=(after[1] - before[1]) // OPEN_MATCHES,
        )
        part("streams")
        followed = replace(
            base, kind="streams", matches=STREAM_MATCHES, streams=STREAMS, rate=STREAM_RATE, seconds=STREAM_SECONDS
        )
        return views, load(followed), memory


def random_play() -> list[tuple[play.AnyGame, int, float]]:
    """Measure random play of every game, with its fewest and most seats."""
    part("random play")
    return [
        (game, seats, round(play.decisions_per_second(game, seats, PLAY_SECONDS)))
        for game in GAMES.values()
        for seats in sorted({game.min_seats, game.max_seats})
    ]


if __name__ == "__main__":
    sized(__doc__)
    main()
