"""What a service costs to which nothing happens: `python -m bench.idle`, or with `--small` for two seconds.

The share of one core that each process of `serve` takes with two api processes, and the commands that its server gets. It is
processor time, not waiting, so other programs on the same machine change it little.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from redis import Redis

from bench.figures import commit, keep, machine, today
from bench.scale import size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table

SETTLE_SECONDS = size(20, 0)
SECONDS = size(120, 2)
AIM_PERCENT = 1.0
NANOSECONDS = 1e9


class Idle(msgspec.Struct, frozen=True):
    """The percentage of one core that each process took, by its name and id, and the commands per second that the server got."""

    percent: Mapping[str, float]
    commands: float


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
        before, calls = _used(service), _calls(server)
        time.sleep(SECONDS)
        after, made = _used(service), _calls(server) - calls
    used = {name: (seconds - before[name]) / SECONDS for name, seconds in after.items() if name in before}
    return Idle({name: round(100 * share, 3) for name, share in used.items()}, round(made / SECONDS, 1))


def lines(found: Idle) -> Iterator[str]:
    """Give the lines of the table."""
    total = sum(found.percent.values())
    rows = (
        *((name.rpartition(" ")[0], f"{share:.2f} %", "") for name, share in found.percent.items()),
        ("all together", f"{total:.2f} %", f"under {AIM_PERCENT:.0f} %: {'met' if total < AIM_PERCENT else 'missed'}"),
        ("commands at the server, those of scripts included", f"{found.commands:,.0f} a second", ""),
    )
    return table(("process", "of one core", "aim"), rows)


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
