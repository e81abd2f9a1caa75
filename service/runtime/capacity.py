"""How much memory and how many cores this process and its children may use together, according to the machine or container."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from ..settings import Settings

Limit = TypeVar("Limit", int, float)

BYTES_FOR_A_MATCH = 8 << 20
"""Of a machine, of which the embedded server has half: a cached match takes a quarter of a MiB in each of several processes."""
FEWEST_MATCHES, MOST_MATCHES = 100, 1_000

_MEMORY = {"": ("", "memory.max"), "memory": ("memory", "memory.limit_in_bytes")}
"""For the control groups of version 2 and 1: the folder below /sys/fs/cgroup, and the file with the limit."""
_CORES = {"": ("", "cpu.max"), "cpu,cpuacct": ("cpu", "cpu.cfs_quota_us"), "cpu": ("cpu", "cpu.cfs_quota_us")}
_PERIOD = "cpu.cfs_period_us"


def usable_bytes(root: Path = Path("/")) -> int | None:
    """Return the machine's memory in bytes, or the smallest limit of the control groups of this process; None if unknown."""
    known = [limit for limit in (_machine(), *_groups(root, _MEMORY, _bytes)) if limit is not None]
    return min(known, default=None)


def cached_matches(settings: Settings, root: Path = Path("/")) -> int:
    """Return how many matches a process caches: as many as the settings say, or one for each 8 MiB of memory, 100 to 1,000."""
    if settings.cached_matches:
        return settings.cached_matches
    return min(max((usable_bytes(root) or 0) // BYTES_FOR_A_MATCH, FEWEST_MATCHES), MOST_MATCHES)


def usable_cores(root: Path = Path("/")) -> int:
    """Return how many cores this process may use, by its affinity and the quotas of its control groups; at least 1."""
    known = [quota for quota in (_affinity(), *_groups(root, _CORES, _quota)) if quota is not None]
    return max(1, math.floor(min(known)))


def _machine() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):  # a system without these names
        return None


def _affinity() -> float:
    return float(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _groups(root: Path, files: dict[str, tuple[str, str]], read: Callable[[Path], Limit | None]) -> Iterator[Limit | None]:
    """Yield the limit of each group around this process, from the inside out; None where there is none."""
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers in files:
            below, name = files[controllers]
            mount = root / "sys/fs/cgroup" / below
            inside = mount / path.strip("/")
            for folder in (inside, *inside.parents):
                if folder.is_relative_to(mount):
                    yield read(folder / name)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _bytes(file: Path) -> int | None:
    """Return the number in a file; None if there is no file or the word `max`."""
    lines = _lines(file)
    return int(lines[0]) if lines and lines[0].isdigit() else None


def _quota(file: Path) -> float | None:
    """Return a quota in cores; None if there is none. Version 2 has quota and period in one file, version 1 in two."""
    lines = [*_lines(file), *([] if file.name == "cpu.max" else _lines(file.with_name(_PERIOD)))]
    quota, period, *_ = (*" ".join(lines).split(), "", "")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None
