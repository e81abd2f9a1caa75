"""`python -m bench.cost`: what a command costs beside a trivial POST, in turns.

The ratio of processor times is the one to look at where other programs run on the same machine: it counts what the service
does, not how long it waits for a core.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median

import msgspec

from bench.figures import commit, keep, machine, today
from bench.load import Job, Result, run_job
from bench.scale import part, size, sized
from bench.service import serving
from bench.sheet import sheet, table
from bench.trivial import measure_echo

CONNECTIONS = size(64, 4)
MATCHES = 10 * CONNECTIONS
ROUNDS = size(5, 1)
SECONDS, WARM_SECONDS = size((5.0, 1.0), (0.5, 0.1))
KINDS = ("api", "sweeper", "the others")


class Turn(msgspec.Struct, frozen=True):
    """Both sides, one after the other. `cpu_us` of a command is that of each process of `KINDS` in order, then of the others."""

    echo: Result
    command: Result

    def shares(self) -> Sequence[float]:
        """Return the processor time of a command by kind of process, in trivial POSTs."""
        api, sweeper, *others = (used / self.echo.cpu_us[0] for used in self.command.cpu_us)
        return (api, sweeper, sum(others))


def main() -> None:
    """Measure, and keep the figures."""
    began = time.monotonic()
    turns = [Turn(measure_echo(CONNECTIONS, SECONDS, WARM_SECONDS), measure_commands()) for _ in range(ROUNDS)]
    title = f"A command beside a trivial POST, {today()}, commit {commit()}"
    keep("cost", turns, sheet(title, machine(), time.monotonic() - began, (lines(turns),)))


def measure_commands() -> Result:
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
            warm_seconds=WARM_SECONDS,
            pids=tuple(dict.fromkeys((service.child("api"), service.child("sweeper"), *service.processes()))),
        )
        return run_job(job)


def lines(turns: Sequence[Turn]) -> Iterator[str]:
    """Give the lines of the table: for each figure the median of all turns, and each of them."""
    shares = [turn.shares() for turn in turns]
    rows = (
        ("accepted commands per trivial POST", [turn.command.stretch.rate / turn.echo.stretch.rate for turn in turns]),
        ("processor time of a command, in trivial POSTs", [sum(each) for each in shares]),
        *((f"of that in {kind}", each) for kind, each in zip(KINDS, zip(*shares, strict=True), strict=True)),
        ("processor time of a trivial POST, us", [turn.echo.cpu_us[0] for turn in turns]),
        ("command p99, ms", [turn.command.stretch.p99_ms for turn in turns]),
        ("requests refused", [turn.command.refused for turn in turns]),
    )
    return table(("what", "median", "by turn"), ((name, *_figures(found)) for name, found in rows))


def _figures(found: Sequence[float]) -> tuple[str, str]:
    return f"{median(found):.2f}", ", ".join(f"{each:.2f}" for each in found)


if __name__ == "__main__":
    sized(__doc__)
    main()
