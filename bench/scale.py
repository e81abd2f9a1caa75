"""The amount of measurement. `--small` uses tiny sizes, only to see that it works: such figures mean nothing."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TypeVar

from tools.commands import CommandLine

Size = TypeVar("Size")

SMALL = "--small" in sys.argv
"""Known when a benchmark is imported, since its sizes are constants; `sized` reads the command line itself."""
_BEGAN = time.monotonic()


def size(usual: Size, small: Size) -> Size:
    """Return the size to measure with."""
    return small if SMALL else usual


def sized(told: str | None) -> None:
    """Read the command line of a benchmark: there is nothing but `--small`."""
    command = CommandLine(told)
    command.add_argument("--small", action="store_true", help="everything in tiny sizes, only to see that it works")
    command.parse_args()


def part(name: str) -> None:
    """Print which part starts: a run takes minutes."""
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {Path(sys.argv[0]).stem}: {name}", file=sys.stderr, flush=True)
