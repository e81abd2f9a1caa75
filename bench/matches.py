"""`python -m bench.matches`: how cost grows with the length of a match, and how large finished matches are."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench import archive, growth
from bench.archive import Kept
from bench.figures import commit, keep, machine, today
from bench.growth import Cost
from bench.scale import part, size, sized
from bench.sheet import sheet, table
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer

LENGTHS = size((10, 30, 100, 300, 1_000), (10, 20))


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one run."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    growth: Sequence[Cost]
    kept: Sequence[Kept]
    seconds: float


def main() -> None:
    """Measure on a server with nothing around it, and keep the figures."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder, EmbeddedServer.start(folder) as server:
        part("lengths of matches")
        costs = growth.run(server.url, LENGTHS)
        part("finished matches")
        kept = archive.run(server.url)
    seconds = round(time.monotonic() - began, 1)
    report = Report(day=today(), commit=commit(), machine=machine(), growth=costs, kept=kept, seconds=seconds)
    keep("matches", report, text_of(report))


def text_of(report: Report) -> str:
    """Return the report for people."""
    parts = (_growth(report.growth), _tabulate_sizes(report.kept))
    return sheet(f"Matches by length of {report.day}, commit {report.commit}", report.machine, report.seconds, parts)


def _growth(costs: Sequence[Cost]) -> Iterator[str]:
    heads = ("decisions", "entries", "load and fold, cold", "command, warm", "view", "page of the feed", "feed, cold")
    return table(heads, map(_cost, costs))


def _cost(each: Cost) -> Sequence[str]:
    costs = (each.load_cold_ms, each.command_warm_ms, each.view_ms, each.feed_page_ms, each.feed_cold_ms)
    return (f"{each.decisions}", f"{each.entries}", *(f"{cost:.2f} ms" for cost in costs))


def _tabulate_sizes(found: Sequence[Kept]) -> Iterator[str]:
    heads = ("finished match", "events", "bytes per event as a log", "as an archive", "ms to archive it")
    return table(heads, map(_size, found))


def _size(each: Kept) -> Sequence[str]:
    sizes = (each.events, each.log_bytes, each.archive_bytes)
    return (f"{each.game}, {each.seats} seats", *(f"{size:,.0f}" for size in sizes), f"{each.archive_ms:.1f}")


if __name__ == "__main__":
    sized(__doc__)
    main()
