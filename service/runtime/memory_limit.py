"""How much memory this process and its children may take together, as the machine or a container says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_FILES = {"": ("", "memory.max"), "memory": ("memory", "memory.limit_in_bytes")}
"""For the control groups of version 2 and 1: the folder below /sys/fs/cgroup, and the file with the limit."""


def usable_bytes(root: Path = Path("/")) -> int | None:
    """Return the machine's memory in bytes, or the least limit of the control groups around this process; None if unknown."""
    known = [limit for limit in (_machine(), *_groups(root)) if limit is not None]
    return min(known, default=None)


def _machine() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):  # a system without these names
        return None


def _groups(root: Path) -> Iterator[int | None]:
    """Yield the limit of each group around this process, from the inside out; None where there is none."""
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers in _FILES:
            below, name = _FILES[controllers]
            mount = root / "sys/fs/cgroup" / below
            inside = mount / path.strip("/")
            for folder in (inside, *inside.parents):
                if folder.is_relative_to(mount):
                    yield _limit(folder / name)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _limit(file: Path) -> int | None:
    """Return the number in a file; None if there is no file or the word `max`."""
    lines = _lines(file)
    return int(lines[0]) if lines and lines[0].isdigit() else None
