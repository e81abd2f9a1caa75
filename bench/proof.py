"""`python -m bench.proof`: the cost of folding, verifying, exporting and viewing finished matches, beside another library.

All speeds are per second of processor time: other programs on the machine do not count. The sides of a comparison take turns, and
every figure is the median of the rounds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from bench import archive, samples
from bench.beside import beside, peer
from bench.figures import commit, keep, machine, today
from bench.peak import CODEC, Log, Peak, folded
from bench.proof_report import MEGABYTE, Memory, Report, Speed, text_of
from bench.samples import Sample
from bench.scale import part, size, sized
from bench.turns import rates
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.record import Recorder, encode_lines
from tafelrunde.service.features.records.verify import verify
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer

LENGTHS = size((300, 1_000, 3_000), (60,))
"""Decisions of the long matches; 3,000 of them make 10,000 events."""


def main() -> None:
    """Measure, print, write."""
    began = time.monotonic()
    part("matches to measure with")
    ordinary = samples.ordinary()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder, EmbeddedServer.start(folder) as server:
        kept = archive.run(server.url)
        long = [samples.long(server.url, decisions) for decisions in LENGTHS]
    found = [*ordinary, *(sample for sample, _ in long)]
    other = peer()
    report = Report(
        day=today(),
        commit=commit(),
        machine=machine(),
        longest=samples.longest(),
        speeds=[speed(sample) for sample in found],
        peer=other,
        beside=[beside(sample) for sample in found] if other is not None else [],
        memory=[memory(sample.logs[0]) for sample, _ in long],
        sizes=[size for _, size in long],
        kept=kept,
        seconds=round(time.monotonic() - began, 1),
    )
    keep("proof", report, text_of(report))


def speed(sample: Sample) -> Speed:
    """Measure the operations on finished matches."""
    part(sample.name)
    loaded = [(log.match, folded(log)) for log in sample.logs]
    records = [list(encode_lines(Recorder(CODEC).lines(match, each))) for match, each in loaded]
    size = sum(len(line) for lines in records for line in lines)

    def fold() -> None:
        for log in sample.logs:
            folded(log)

    def check() -> None:
        for lines in records:
            assert verify(lines, GAMES, CODEC).right

    def export() -> None:
        for match, each in loaded:
            for _ in encode_lines(Recorder(CODEC).lines(match, each)):
                pass

    found = rates(sample.events, {"fold": fold, "verify": check, "export": export})
    return Speed(
        name=sample.name,
        events=sample.events / len(sample.logs),
        fold=found["fold"],
        verify=found["verify"],
        export=found["export"],
        records=round(found["export"] * len(sample.logs) / sample.events, 2),
        megabytes=round(found["export"] * size / sample.events / MEGABYTE, 2),
        record_bytes=round(size / sample.events, 1),
    )


def memory(log: Log) -> Memory:
    """Measure peaks, each in a process of its own."""
    part(f"memory of {len(log.entries):,} events")
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
        path = Path(folder) / "log"
        path.write_bytes(msgspec.msgpack.encode(log))
        return Memory(
            events=len(log.entries),
            entries=sum(map(len, log.entries)),
            peaks={what: _peak(what, path) for what in ("export", "verify", "view")},
        )


def _peak(what: str, path: Path) -> Peak:
    command = [sys.executable, "-m", "bench.peak", what, str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Peak)


if __name__ == "__main__":
    sized(__doc__)
    main()
