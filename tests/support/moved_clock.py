"""A clock of the day that a test moves, for processes that are started with it (Linux, with a C compiler)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.slow_disk import need_compiler

SOURCE = Path(__file__).with_name("moved_clock.c")


class MovedClock:
    """The clock; processes that get `environment` have it."""

    def __init__(self, folder: Path) -> None:
        compiler = need_compiler()
        library = folder / "moved_clock.so"
        self._file = folder / "moved"
        self.move(0)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)], check=True)
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "MOVED_CLOCK": str(self._file)}

    def move(self, seconds: float) -> None:
        """Let the clock be that many seconds ahead (negative: behind), at once."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(int(seconds * 1_000_000_000).to_bytes(8, sys.byteorder, signed=True))
