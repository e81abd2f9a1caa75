"""The figures of one run about proofs, and their report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench import samples
from bench.archive import Kept
from bench.beside import Beside
from bench.peak import Peak
from bench.samples import Size
from bench.sheet import kept, sheet, table
from bench.turns import ROUNDS

MEGABYTE = 1_000_000


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Of some matches: events per second of folding from stored bytes, of checking, and of exporting; the size of a record."""

    name: str
    events: float
    fold: float
    verify: float
    export: float
    records: float
    megabytes: float
    record_bytes: float


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """The memory peaks of one match by operation, and the bytes of its entries."""

    events: int
    entries: int
    peaks: Mapping[str, Peak]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one run has measured."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    longest: tuple[str, int]
    speeds: Sequence[Speed]
    peer: str | None
    beside: Sequence[Beside]
    memory: Sequence[Memory]
    sizes: Sequence[Size]
    kept: Sequence[Kept]
    seconds: float


def text_of(report: Report) -> str:
    """Return the report for people."""
    parts = [_about(report), _speeds(report), _memory(report), _sizes(report)]
    if report.peer is not None:
        parts.append(_beside(report.peer, report.beside))
    return sheet(f"Proofs: benchmark of {report.day}, commit {report.commit}", report.machine, report.seconds, parts)


def _about(report: Report) -> Iterator[str]:
    yield f"All rates are per second of processor time on one core, the median of {ROUNDS} rounds."
    yield f"- Ordinary matches: {samples.BATCH} of random bots at each table. The longest that they played by themselves, of"
    yield f"  {samples.SEARCHED} at each table, had {report.longest[1]:,} events ({report.longest[0]})."
    yield "- Long ones: Coup with its option `max_decisions`; two players steal from each other, command by command through"
    yield "  the service, until that limit ends the match."
    yield "- *fold*: entries hashed, decoded, folded. *verify*: everything done again from the lines of a record. *export*: those"
    yield "  lines made from a folded match."


def _speeds(report: Report) -> Iterator[str]:
    heads = ("matches", "events", "fold, ev./s", "verify, ev./s", "export, ev./s", "records/s", "MB/s", "record, bytes per event")
    return table(heads, (_speed(each) for each in report.speeds))


def _speed(each: Speed) -> Sequence[str]:
    rates = (f"{figure:,.0f}" for figure in (each.events, each.fold, each.verify, each.export))
    return (each.name, *rates, f"{each.records:,.1f}", f"{each.megabytes:,.1f}", f"{each.record_bytes:,.0f}")


def _memory(report: Report) -> Iterator[str]:
    yield "Memory beyond the entries themselves: the peak, and what is kept afterwards (MB)."
    yield ""
    heads = ("events", "entries", "export", "verify", "view at the end and in the middle")
    yield from table(heads, (_taken(each) for each in report.memory))


def _taken(each: Memory) -> Sequence[str]:
    peaks = (f"{peak.most / MEGABYTE:.2f} ({peak.after / MEGABYTE:.2f})" for peak in each.peaks.values())
    return (f"{each.events:,}", f"{each.entries / MEGABYTE:.2f}", *peaks)


def _sizes(report: Report) -> Iterator[str]:
    heads = ("match", "events", "bytes per event on the server, as a log", "as an archive")
    long = (("coup, long", f"{e.events:,}", f"{e.log_bytes:,.0f}", f"{e.archive_bytes:,.0f}") for e in report.sizes)
    return table(heads, (*map(kept, report.kept), *long))


def _beside(peer: str, found: Sequence[Beside]) -> Iterator[str]:
    yield f"Beside {peer}: the same facts into the same `Match`, whose state digest must be equal on all sides."
    yield ""
    names = list(found[0].rates)
    yield from table(("events/s", *names), ((each.name, *(f"{each.rates[name]:,.0f}" for name in names)) for each in found))
    yield ""
    heads = ("ours to theirs", *(name for name, _, _ in RATIOS), f"bytes per event: {', '.join(found[0].stored)}")
    yield from table(heads, (_ratios(each) for each in found))
    yield ""
    yield WHAT


def _ratios(each: Beside) -> Sequence[str]:
    ratios = (f"{each.rates[ours] / each.rates[theirs]:.2f}" for _, ours, theirs in RATIOS)
    return (each.name, *ratios, ", ".join(f"{size:,.0f}" for size in each.stored.values()))


RATIOS = (
    ("fold to mutate", "ours: fold", "peer: mutate"),
    ("JSON to JSON", "ours: stored as JSON", "peer: stored as JSON"),
    ("the same, one decoder", "ours: stored as JSON", "peer: stored as JSON, our decoder"),
    ("and no repository", "ours: stored as JSON", "peer: our decoder, no repository"),
    ("as each stores it", "ours: stored and chained", "peer: stored as JSON"),
)
"""Numerator and denominator of each ratio."""

WHAT = """\
- *ours: fold*: facts in memory into a match. *peer: mutate*: the library's events in memory, made beforehand from the same
  facts, through `mutate`: it checks id and version, calls the aggregate's `@event` method, which folds the fact, and sets
  version and time.
- *ours: stored as JSON*: envelopes (time, actor, ids, fact, and where they are, command and state digest) from JSON bytes,
  then folded. *peer: stored as JSON*: `repository.get` from the recorder in memory: events selected, decoded (id, version,
  time, fact) by the library's JSON with a transcoding for each kind of facts, and mutated. No snapshots, no cache.
- *peer: stored as JSON, our decoder*: the same with a transcoder that decodes with msgspec, into types that it knows
  beforehand. *No repository*: decoded and mutated in a plain loop. On Python 3.11 the repository spends more than half of
  its time on one assertion, an `isinstance` with a protocol for each event, which later versions of Python do faster.
- *ours: stored*: as we do it, from MessagePack; *and chained*: the hash chain over all entries besides, as every load does.
  The library has no such chain."""
