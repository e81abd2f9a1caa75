"""The command line of every module of `bench` and `tools` that can be started."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn


class CommandLine(argparse.ArgumentParser):
    """Reads what a module is started with: `--help` says its docstring and its arguments, all else that is wrong a line.

    Everything is read before anything is done. The exit code is 0 after `--help`, and 2 after a refusal.
    """

    def __init__(self, told: str | None) -> None:
        spec = sys.modules["__main__"].__spec__
        name = spec.name.removesuffix(".__main__") if spec is not None else sys.argv[0]
        super().__init__(
            prog=f"python -m {name}",
            description=told,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """End with one line."""
        self.exit(2, f"{self.prog}: {message} (--help says more)\n")


def alone(told: str | None) -> None:
    """Read the command line of a module that takes no arguments."""
    CommandLine(told).parse_args()
