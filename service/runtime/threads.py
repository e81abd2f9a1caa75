"""Heavy work of an api process: in one thread, piece by piece, so that the event loop goes on beside it."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

SWITCH_SECONDS = 0.0001
"""How long the event loop waits for that thread each time that it has polled its sockets; Python waits fifty times that."""
PIECE_SECONDS = 0.0002
"""After that much work the thread rests for as long: so all else that the process does takes less than twice its usual time."""
Found = TypeVar("Found")


class _Rests(threading.local):
    """The processor time at which the heavy thread rested last; in other threads there is none, and none rests."""

    last: float | None = None

    def begin(self) -> None:
        """Let this thread rest from now on."""
        self.last = time.thread_time()


_rests = _Rests()
HEAVY = ThreadPoolExecutor(1, "heavy", initializer=_rests.begin)
"""Requests are served one after the other: many busy threads would starve the event loop."""


def share_the_interpreter() -> None:
    """Let the event loop have the interpreter soon after it asks for it: for a process that answers requests."""
    sys.setswitchinterval(SWITCH_SECONDS)


async def beside(work: Callable[[], Found]) -> Found:
    """Do some work in the thread that all heavy work of a process shares, and return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(HEAVY, work)


def rest() -> None:
    """Leave the interpreter to the event loop for a while, if this is the heavy thread and it has worked for a piece."""
    if _rests.last is None:
        return
    worked = time.thread_time() - _rests.last
    if worked >= PIECE_SECONDS:
        time.sleep(worked)
        _rests.last = time.thread_time()


def resting(items: Iterable[Found]) -> Iterator[Found]:
    """Yield the items, with a rest now and then."""
    for item in items:
        rest()
        yield item
