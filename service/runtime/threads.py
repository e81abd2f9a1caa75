"""Heavy work of an api process: in one thread, piece by piece, so that the event loop goes on beside it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

HEAVY = ThreadPoolExecutor(1, "heavy")
"""Requests are served one after the other: many busy threads would starve the event loop."""
SWITCH_SECONDS = 0.0001
"""How long the event loop waits for that thread each time that it has polled its sockets; Python waits fifty times that."""
Found = TypeVar("Found")


def share_the_interpreter() -> None:
    """Let the event loop have the interpreter soon after it asks for it: for a process that answers requests."""
    sys.setswitchinterval(SWITCH_SECONDS)


async def beside(work: Callable[[], Found]) -> Found:
    """Do some work in the thread that all heavy work of a process shares, and return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(HEAVY, work)
