"""What a service costs to which nothing happens, and how much memory it comes to: `python -m bench.idle`, or with `--small`.

The share of one core that each process of `serve` takes with two api processes, and the commands that its server gets. It is
processor time, not waiting, so other programs on the same machine change it little. Then, with one api process that caches few
matches, the memory of each process as more and more of them are played: it stops growing when the caches are full.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from redis import Redis

from bench.figures import commit, keep, machine, today
from bench.load import Job
from bench.scale import part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table

SETTLE_SECONDS = size(20, 0)
SECONDS = size(120, 2)
CACHED = size(100, 2)
"""How many matches a process caches while its memory is measured."""
PORTION = size(40, 4)
PORTIONS = size(10, 2)
CONNECTIONS = 4
AIM_PERCENT = 1.0
NANOSECONDS = 1e9


class Idle(msgspec.Struct, frozen=True):
    """The percentage of one core that each process took, by its name and id, and the commands per second that the server got.

    `megabytes` is the memory of each process before any match, and after each portion of them.
    """

    percent: Mapping[str, float]
    commands: float
    megabytes: Mapping[str, Sequence[float]] = {}


def main() -> None:
    """Measure, and keep the figures."""
    began = time.monotonic()
    found = measure()
    title = f"A service to which nothing happens, {today()}, commit {commit()}"
    keep("idle", found, sheet(title, machine(), time.monotonic() - began, (lines(found),)))


def measure() -> Idle:
    """Start a service, let it come to rest, and watch it."""
    with serving(apis=2) as service, Redis.from_url(service.redis_url) as server:  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
        time.sleep(SETTLE_SECONDS)
        before = _used(service)
        calls = _calls(server)
        time.sleep(SECONDS)
        after = _used(service)
        made = _calls(server) - calls
    used = {name: (seconds - before[name]) / SECONDS for name, seconds in after.items() if name in before}
    percent = {name: round(100 * share, 3) for name, share in used.items()}
    return Idle(percent, round(made / SECONDS, 1), grown())


def grown() -> Mapping[str, Sequence[float]]:
    """Play more and more matches, and return the memory of each process in between, in MB."""
    found: dict[str, list[float]] = {}
    with serving(apis=1, cached_matches=CACHED) as service:
        for number in range(PORTIONS + 1):
            part(f"memory after {number * PORTION} matches")
            if number:
                _play(Job(kind="fill", host=service.host, port=service.port, matches=PORTION, connections=CONNECTIONS))
            for pid in service.processes():
                found.setdefault(_name(pid), []).append(_megabytes(pid))
    return found


def _play(job: Job) -> None:
    """Do a job of the load in a process of its own."""
    subprocess.run([sys.executable, "-m", "bench.load", msgspec.json.encode(job).decode()], check=True, stdout=subprocess.DEVNULL)


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


def lines(found: Idle) -> Iterator[str]:
    """Give the lines of the table."""
    total = sum(found.percent.values())
    rows = (
        *((name.rpartition(" ")[0], f"{share:.2f} %", "") for name, share in found.percent.items()),
        ("all together", f"{total:.2f} %", f"under {AIM_PERCENT:.0f} %: {'met' if total < AIM_PERCENT else 'missed'}"),
        ("commands at the server, those of scripts included", f"{found.commands:,.0f} a second", ""),
    )
    yield from table(("process", "of one core", "aim"), rows)
    yield ""
    played = [number * PORTION for number in range(PORTIONS + 1)]
    yield f"Memory in MB with {CACHED} cached matches, by matches played:"
    yield ""
    heads = ("process", *map(str, played))
    yield from table(heads, ((name, *map(str, sizes)) for name, sizes in found.megabytes.items()))


def _used(service: Service) -> dict[str, float]:
    """Return the processor seconds of each process of a service, by name and id."""
    return {f"{_name(pid)} {pid}": _seconds(pid) for pid in service.processes()}


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()


def _seconds(pid: int) -> float:
    """Return what all threads of a process have used, to the nanosecond: its own figures count in hundredths of a second."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / NANOSECONDS


def _calls(server: Redis) -> int:
    stats = msgspec.convert(server.info("stats"), dict[str, object])  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
    return msgspec.convert(stats["total_commands_processed"], int)


if __name__ == "__main__":
    sized(__doc__)
    main()
