"""A disk whose flushes take longer, for the processes that are started with an environment; it needs Linux and a C compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")
HOW_TO_GET = "there is no C compiler for the preloaded library: install it with 'apt-get install gcc libc6-dev'"


def compiler() -> str | None:
    """Return the C compiler of a machine on which its libraries can be preloaded."""
    return shutil.which("cc") or shutil.which("gcc") if sys.platform == "linux" else None


def slow_disk(folder: Path, ms: float) -> Mapping[str, str]:
    """Return the variables that make each flush *ms* slower. Skip the test without a compiler, and fail it if this is CI."""
    found = compiler()
    if found is None and sys.platform == "linux" and os.environ.get("CI") == "true":
        pytest.fail(HOW_TO_GET)
    if found is None:
        pytest.skip(HOW_TO_GET)
    return preload(found, folder, ms)


def preload(found: str, folder: Path, ms: float) -> Mapping[str, str]:
    """Compile the library into a folder with a compiler, and return the variables that preload it."""
    library = folder / "slow_disk.so"
    subprocess.run([found, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "SLOW_DISK_MS": str(ms)}
