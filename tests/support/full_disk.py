"""A full disk for one process: its files cannot grow, until there is room again. No rights are needed for that (Linux)."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import pytest

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets the limits of another process")


def fill(pid: int, folder: Path) -> None:
    """Let no file of a process become longer than the longest in its folder is now."""
    longest = max(file.stat().st_size for file in folder.rglob("*.aof"))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (longest, resource.RLIM_INFINITY))


def make_room(pid: int) -> None:
    """Let the files grow again."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
