"""The amount of measurement. `--small` uses tiny sizes, only to see that it works: such figures mean nothing."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TypeVar

Size = TypeVar("Size")

SMALL = "--small" in sys.argv
_BEGAN = time.monotonic()


def size(usual: Size, small: Size) -> Size:
    """Return the size to measure with."""
    return small if SMALL else usual


def part(name: str) -> None:
    """Print which part starts: a run takes minutes."""
    print(
        f"{time.monotonic() - _BEGAN:6.1f} s  {Path(sys.argv[0]).stem.replace('__main__', 'bench')}: {name}",
        file=sys.stderr,
        flush=True,
    )
