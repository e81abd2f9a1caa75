"""A disk whose flushes can be made slow, and are seen, for processes that are started with its variables.

It needs Linux and a C compiler.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.programs import required

SOURCE = Path(__file__).with_suffix(".c")
HOW_TO_GET = "there is no C compiler for the preloaded library: install it with 'apt-get install gcc libc6-dev'"


class SlowDisk:
    """The flushes of the processes that have these variables. *folder* must be there; a compiler builds the library in it."""

    def __init__(self, folder: Path, compiler: str) -> None:
        self._folder = folder
        library = folder / "slow_disk.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        self.variables: Mapping[str, str] = {"LD_PRELOAD": str(library), "SLOW_DISK": str(folder)}

    def slower(self, ms: float) -> None:
        """Make each flush that begins from now on take this much longer; 0 for full speed."""
        (self._folder / "ms").write_text(f"{ms}")

    def begun(self, file: Path) -> int:
        """Return how many flushes of a file have begun."""
        return len(self._notes("begun", file))

    def flushed(self, file: Path) -> int:
        """Return how much of a file is on the disk for certain, in bytes."""
        return max(self._notes("flushed", file), default=0)

    def _notes(self, name: str, file: Path) -> list[int]:
        notes = self._folder / name
        lines = notes.read_text().splitlines() if notes.exists() else []
        return [int(size) for inode, size in map(str.split, lines) if int(inode) == file.stat().st_ino]


def compiler() -> str | None:
    """Return the C compiler of a machine on which its libraries can be preloaded."""
    return (shutil.which("cc") or shutil.which("gcc")) if sys.platform == "linux" else None


def need_compiler() -> str:
    """Return the C compiler; skip or fail the test without one."""
    return required(compiler(), HOW_TO_GET, exists=sys.platform == "linux")


def need_slow_disk(folder: Path) -> SlowDisk:
    """Return a disk for a test; skip or fail the test without a compiler."""
    return SlowDisk(folder, need_compiler())
