"""What long work says to the person at the command line, now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeAlias

Say: TypeAlias = Callable[[str], None]
SAY_SECONDS = 5.0


def to_stderr(line: str) -> None:
    """Say something to the person at the command line."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - for the person at the command line


class Pace:
    """Says something every five seconds at most."""

    def __init__(self, say: Say) -> None:
        self.began = self._said = time.monotonic()
        self._say = say

    def say(self, line: Callable[[], str]) -> None:
        """Say how far it is, unless something was said just before."""
        if time.monotonic() - self._said >= SAY_SECONDS:
            self._said = time.monotonic()
            self._say(line())
