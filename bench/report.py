"""The figures of one run, and how they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

import msgspec

from bench.archive import Kept
from bench.figures import Stretch
from bench.growth import Cost


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What one open match takes: on the server, and in the api that has it folded in memory."""

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
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# Benchmark of {report.day}, commit {report.commit}"
    yield ""
    yield ", ".join(f"{name} {value}" for name, value in report.machine.items()) + f"; {report.seconds:.0f} s in all"
    yield ""
    yield from _ratios(report)
    yield ""
    yield from _rates(report)
    yield ""
    yield from _domain(report)
    yield ""
    yield from _growth(report)
    yield ""
    yield from _kept(report)


def _ratios(report: Report) -> Iterator[str]:
    commands = median(each.rate for each in report.commands)
    to_echo = median(mine.rate / other.rate for mine, other in zip(report.commands, report.echo, strict=True))
    p99_ms = median(each.p99_ms for each in report.commands)
    delivered = 100 * report.streams.count / max(1, report.deliveries_expected)
    yield "| what | figure | aim | |"
    yield "|---|---|---|---|"
    yield _aim("accepted commands per trivial POST", f"{to_echo:.2f}", "at least 0.50", met=to_echo >= 0.5)
    yield _aim("accepted commands per bare append", f"{commands / report.append.rate:.2f}", "", met=None)
    yield _aim("command p99", f"{p99_ms:.1f} ms", "under 50 ms", met=p99_ms < 50)
    yield _aim("stream delivery p99", f"{report.streams.p99_ms:.1f} ms", "under 50 ms", met=report.streams.p99_ms < 50)
    yield _aim("deliveries that arrived", f"{delivered:.1f} %", "100 %", met=delivered >= 100)
    yield _aim("requests refused", f"{report.refused}", "0", met=report.refused == 0)


def _aim(what: str, figure: str, aim: str, *, met: bool | None) -> str:
    return f"| {what} | {figure} | {aim} | {'' if met is None else 'met' if met else 'missed'} |"


def _rates(report: Report) -> Iterator[str]:
    yield "| | per second | p50 ms | p95 ms | p99 ms | max ms |"
    yield "|---|---|---|---|---|---|"
    rows = [
        *((f"trivial POST, round {number}", each) for number, each in enumerate(report.echo, start=1)),
        *((f"accepted commands, round {number}", each) for number, each in enumerate(report.commands, start=1)),
        ("bare append", report.append),
        ("views, one after the other", report.views),
        ("stream deliveries", report.streams),
    ]
    for name, each in rows:
        yield f"| {name} | {each.rate:,.0f} | {each.p50_ms:.2f} | {each.p95_ms:.2f} | {each.p99_ms:.2f} | {each.max_ms:.2f} |"


def _domain(report: Report) -> Iterator[str]:
    memory = report.memory
    yield "| | |"
    yield "|---|---|"
    for name, rate in report.play.items():
        yield f"| random play, {name} | {rate:,.0f} decisions/s |"
    for name, cost in report.cpu_us.items():
        yield f"| processor time of a {name} | {cost:,.0f} µs |"
    yield f"| an open match on the server | {memory.server_bytes:,} bytes |"
    yield f"| an open match in the api | {memory.api_bytes:,} bytes |"


def _growth(report: Report) -> Iterator[str]:
    yield "| decisions | entries | load and fold, cold | command, warm | view | page of the feed | feed, cold |"
    yield "|---|---|---|---|---|---|---|"
    for each in report.growth:
        costs = (each.load_cold_ms, each.command_warm_ms, each.view_ms, each.feed_page_ms, each.feed_cold_ms)
        yield f"| {each.decisions} | {each.entries} | " + " | ".join(f"{cost:.2f} ms" for cost in costs) + " |"


def _kept(report: Report) -> Iterator[str]:
    yield "| finished match | events | bytes per event as a log | as an archive | ms to archive it |"
    yield "|---|---|---|---|---|"
    for each in report.kept:
        yield (
            f"| {each.game}, {each.seats} seats | {each.events:,.0f} | {each.log_bytes:,.0f} "
            f"| {each.archive_bytes:,.0f} | {each.archive_ms:.1f} |"
        )
