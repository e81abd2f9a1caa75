"""What a service costs to which nothing happens, and how much memory it comes to: `python -m bench.idle`, or with `--small`.

The processor time that each process of `serve` takes with two api processes, in each five minutes of fifteen, and the commands
that its server gets. It is not waiting, so other programs on the same machine change it little. Then, with one api process that
caches few matches, the memory of each process as more and more of them are played: it stops growing when the caches are full.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
from redis import Redis

from bench.figures import commit, keep, machine, today
from bench.load import Job, run_job
from bench.scale import part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table

SETTLE_SECONDS = size(20, 0)
PART_SECONDS = size(300, 1)
PARTS = 3
SECONDS = PARTS * PART_SECONDS
CACHED = size(100, 2)
"""How many matches a process caches while its memory is measured."""
PORTION = size(40, 4)
PORTIONS = size(10, 2)
CONNECTIONS = 4
AIM_PERCENT = 1.0
NANOSECONDS = 1e9


class Idle(msgspec.Struct, frozen=True):
    """The processor seconds that each process took in each part of the time, by its name and id, with children that have ended.

    `commands` is how many the server got per second. `megabytes` is the memory of each process before any match, and after each
    portion of them.
    """

    seconds: Mapping[str, Sequence[float]]
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
        used = [_used(service)]
        calls = _calls(server)
        for number in range(PARTS):
            part(f"part {number + 1} of {PARTS}")
            time.sleep(PART_SECONDS)
            used.append(_used(service))
        made = _calls(server) - calls
    names = dict.fromkeys(name for each in used for name in each)
    pairs = list(pairwise(used))
    seconds = {name: [round(after.get(name, 0.0) - before.get(name, 0.0), 3) for before, after in pairs] for name in names}
    return Idle(seconds, round(made / SECONDS, 1), grown())


def grown() -> Mapping[str, Sequence[float]]:
    """Play more and more matches, and return the memory of each process in between, in MB."""
    found: dict[str, list[float]] = {}
    with serving(apis=1, cached_matches=CACHED, puzzle_matches=0) as service:  # else reviews end while they are read
        for number in range(PORTIONS + 1):
            part(f"memory after {number * PORTION} matches")
            if number:
                run_job(Job(kind="fill", host=service.host, port=service.port, matches=PORTION, connections=CONNECTIONS))
            for pid in service.processes():
                found.setdefault(_name(pid), []).append(_megabytes(pid))
    return found


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


def lines(found: Idle) -> Iterator[str]:
    """Give the lines of the table."""
    totals = [sum(each) for each in zip(*found.seconds.values(), strict=True)]
    rows = [*((name.rpartition(" ")[0], each) for name, each in found.seconds.items()), ("all together", totals)]
    heads = ("process", *(f"part {number + 1}, s" for number in range(PARTS)), "of one core")
    yield from table(heads, ((name, *(f"{each:.2f}" for each in parts), _percent(sum(parts), SECONDS)) for name, parts in rows))
    yield ""
    most = max(totals) / PART_SECONDS
    verdict = "met" if 100 * most < AIM_PERCENT else "missed"
    yield f"Parts of {PART_SECONDS} s. Aim: in each, all together take under {AIM_PERCENT:.0f} % of one core: {verdict}."
    yield f"The server gets {found.commands:,.0f} commands a second, those of scripts included."
    yield ""
    played = [number * PORTION for number in range(PORTIONS + 1)]
    yield f"Memory in MB with {CACHED} cached matches, by matches played:"
    yield ""
    heads = ("process", *map(str, played))
    yield from table(heads, ((name, *map(str, sizes)) for name, sizes in found.megabytes.items()))


def _percent(seconds: float, of: float) -> str:
    return f"{100 * seconds / of:.2f} %"


def _used(service: Service) -> dict[str, float]:
    """Return the processor seconds of each process of a service, by name and id."""
    return {f"{_name(pid)} {pid}": _seconds(pid) for pid in service.processes()}


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()


def _seconds(pid: int) -> float:
    """Return the processor time of a process: its threads to the nanosecond, children that have ended to a hundredth of a second.

    The kernel's figure for the whole process has only hundredths.
    """
    tasks = Path(f"/proc/{pid}/task").iterdir()
    own = sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / NANOSECONDS
    ended = sum(map(int, Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[13:15]))
    return own + ended / os.sysconf("SC_CLK_TCK")


def _calls(server: Redis) -> int:
    stats = msgspec.convert(server.info("stats"), dict[str, object])  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
    return msgspec.convert(stats["total_commands_processed"], int)


if __name__ == "__main__":
    sized(__doc__)
    main()
