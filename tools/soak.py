"""Kills the processes of a service at random for long: `make soak MINUTES=30`, or `KILLS=1000`. The report is JSON, and a table.

`SEED` repeats the draws of a run, `APIS` says how many api processes there are (2), `DURABILITY=embedded` shows what the level
below loses. `ON` says what keeps the data: the server of `serve` (`embedded`), `redis7` or `redis8`, three primaries with a
replica each (`cluster`), or a primary and a replica under three Sentinels (`sentinels`); those servers are killed, too. A fault
ends it with 1, other than with `DURABILITY=embedded`.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from tests.support.kinds import DEPLOYMENTS, deployment
from tests.support.processes import Serve
from tests.support.soak.run import Plan, Report, Run
from tools.commands import CommandLine

PROGRESS_SECONDS = 60.0
LOSSLESS = ("durable", "replicated")
ARCHIVE_SECONDS = 30
"""Short, so that much of the final comparison is with archives."""


def text_of(report: Report) -> str:
    """Return the figures for people."""
    return "".join(f"{name:<18} {value}\n" for name, value in _lines(report))


def _lines(report: Report) -> Iterator[tuple[str, object]]:
    yield "seed", report.seed
    yield "durability", report.durability
    yield "seconds", report.seconds
    yield "kills", f"{report.killed}: {_listed(report.kills)}; jobs of clocks lost {report.jobs_lost}"
    yield "serve", f"{report.serve}, {'the same process' if report.serve_is_the_same else 'ENDED'}"
    yield (
        "matches",
        f"{report.matches} ({_listed(report.games)}): {report.ended} ended, {report.verified} verified, {report.gone} gone",
    )
    yield (
        "acknowledged",
        f"{report.acknowledged}, {report.replayed} of them asked for again and answered alike, "
        f"{report.over_sockets} over sockets",
    )
    yield "heard", f"{report.heard} items, {report.resets} resets"
    yield "faults", _listed(report.faults) or "none"
    yield "unexpected", _listed(report.unexpected) or "none"
    yield "clocks", f"{report.clocks}, late by ms: {_listed(report.late_ms)}"
    for when, sizes in report.megabytes.items():
        yield f"MB at the {when}", _listed(sizes)
    yield from report.examples


def _listed(figures: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in figures.items())


async def watched(run: Run) -> Report:
    """Do a run, and report progress now and then."""
    running = asyncio.create_task(run.run())
    while not (await asyncio.wait({running}, timeout=PROGRESS_SECONDS))[0]:
        sys.stdout.write(f"{run.progress()}\n")
        sys.stdout.flush()
    return running.result()


def main() -> None:
    """Run, print, write."""
    parser = CommandLine(__doc__)
    parser.add_argument("--kills", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--durability", help="that of the server by itself if there is none")
    parser.add_argument("--apis", type=int, default=2)
    parser.add_argument("--on", choices=DEPLOYMENTS, default="embedded")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    plan = Plan(seed=wanted.seed, tables=wanted.tables, kills=wanted.kills, minutes=wanted.minutes)
    sys.stdout.write(f"seed {plan.seed}\n")
    sys.stdout.flush()
    settings = {"apis": wanted.apis, "bot_pause_ms": 50, "rate_limits": "false", "archive_after_seconds": ARCHIVE_SECONDS}
    with tempfile.TemporaryDirectory(prefix="tr-") as name, deployment(wanted.on, folder := Path(name)) as servers:
        level = {"durability": wanted.durability} if wanted.durability else {}
        with Serve(folder, **{**settings, **servers.settings, **level}) as serve:
            report = asyncio.run(watched(Run(serve, plan, servers.lose)))
    sys.stdout.write(text_of(report))
    if wanted.out is not None:
        wanted.out.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
    if (
        not report.serve_is_the_same
        or report.ended + report.gone < report.matches
        or (report.durability in LOSSLESS and report.faults)
    ):
        sys.exit("Something is wrong, see above.")


if __name__ == "__main__":
    main()
