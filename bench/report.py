"""The figures of one run, and their report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

import msgspec

from bench.archive import Kept
from bench.figures import Stretch
from bench.growth import Cost
from bench.sheet import kept, sheet, table

IN_ALL = "command, in all processes"


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """The size of one open match: on the server, and in the api that has it folded in memory."""

    matches: int
    server_bytes: int
    api_bytes: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one run has measured. `echo` and `commands` were measured in turns."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    echo: Sequence[Stretch]
    commands: Sequence[Stretch]
    cpu_us: Mapping[str, float]
    refused: int
    append: Stretch
    views: Stretch
    streams: Stretch
    deliveries_expected: int
    memory: Memory
    play: Mapping[str, float]
    growth: Sequence[Cost]
    kept: Sequence[Kept]
    seconds: float


def text_of(report: Report) -> str:
    """Return the report for people."""
    parts = (_ratios(report), _rates(report), _domain(report), _growth(report), _kept(report))
    return sheet(f"Benchmark of {report.day}, commit {report.commit}", report.machine, report.seconds, parts)


def _ratios(report: Report) -> Iterator[str]:
    commands = median(each.rate for each in report.commands)
    to_echo = median(mine.rate / other.rate for mine, other in zip(report.commands, report.echo, strict=True))
    p99_ms = median(each.p99_ms for each in report.commands)
    cost = report.cpu_us[IN_ALL] / report.cpu_us["trivial POST"]
    delivered = 100 * report.streams.count / max(1, report.deliveries_expected)
    rows = (
        _aim("accepted commands per trivial POST", f"{to_echo:.2f}", "at least 0.50", met=to_echo >= 0.5),
        _aim("processor time of all processes per command, in trivial POSTs", f"{cost:.1f}", "at most 3.5", met=cost <= 3.5),
        _aim("accepted commands per bare append", f"{commands / report.append.rate:.2f}", "", met=None),
        _aim("command p99", f"{p99_ms:.1f} ms", "under 50 ms", met=p99_ms < 50),
        _aim("stream delivery p99", f"{report.streams.p99_ms:.1f} ms", "under 50 ms", met=report.streams.p99_ms < 50),
        _aim("deliveries that arrived", f"{delivered:.1f} %", "100 %", met=delivered >= 100),
        _aim("requests refused", f"{report.refused}", "0", met=report.refused == 0),
    )
    return table(("what", "figure", "aim", ""), rows)


def _aim(what: str, figure: str, aim: str, *, met: bool | None) -> Sequence[str]:
    return (what, figure, aim, "" if met is None else "met" if met else "missed")


def _rates(report: Report) -> Iterator[str]:
    stretches = (
        *((f"trivial POST, round {number}", each) for number, each in enumerate(report.echo, start=1)),
        *((f"accepted commands, round {number}", each) for number, each in enumerate(report.commands, start=1)),
        ("bare append", report.append),
        ("views, one after the other", report.views),
        ("stream deliveries", report.streams),
    )
    rows = (
        (name, f"{each.rate:,.0f}", *(f"{ms:.2f}" for ms in (each.p50_ms, each.p95_ms, each.p99_ms, each.max_ms)))
        for name, each in stretches
    )
    return table(("", "per second", "p50 ms", "p95 ms", "p99 ms", "max ms"), rows)


def _domain(report: Report) -> Iterator[str]:
    memory = report.memory
    rows = (
        *((f"random play, {name}", f"{rate:,.0f} decisions/s") for name, rate in report.play.items()),
        *((f"processor time of a {name}", f"{cost:,.0f} µs") for name, cost in report.cpu_us.items()),
        ("an open match on the server", f"{memory.server_bytes:,} bytes"),
        ("an open match in the api", f"{memory.api_bytes:,} bytes"),
    )
    return table(("", ""), rows)


def _growth(report: Report) -> Iterator[str]:
    heads = ("decisions", "entries", "load and fold, cold", "command, warm", "view", "page of the feed", "feed, cold")
    return table(heads, (_cost(each) for each in report.growth))


def _cost(each: Cost) -> Sequence[str]:
    costs = (each.load_cold_ms, each.command_warm_ms, each.view_ms, each.feed_page_ms, each.feed_cold_ms)
    return (f"{each.decisions}", f"{each.entries}", *(f"{cost:.2f} ms" for cost in costs))


def _kept(report: Report) -> Iterator[str]:
    heads = ("finished match", "events", "bytes per event as a log", "as an archive", "ms to archive it")
    return table(heads, ((*kept(each), f"{each.archive_ms:.1f}") for each in report.kept))
