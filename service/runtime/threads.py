"""Heavy work of an api process: in two threads, piece by piece, so that the event loop goes on beside them.

One is for what a player waits for at the table, the other for what has time: so no hint waits for a verification.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

SWITCH_SECONDS = 0.0001
"""How long the event loop waits for that thread each time that it has polled its sockets; Python waits fifty times that."""
PIECE_SECONDS = 0.0002
"""After that much work a thread rests for as long: so all else that the process does takes less than twice its usual time."""
PATIENT_RESTS = 3.0
"""How many times as long the thread for what has time rests: it takes a quarter of the interpreter at most."""
Found = TypeVar("Found")


class _Rests(threading.local):
    """The processor time at which a heavy thread rested last; in other threads there is none, and none rests."""

    last: float | None = None
    times = 1.0
    piece_seconds = PIECE_SECONDS
    sleep: Callable[[float], None] | None = None

    def begin(self, times: float = 1.0) -> None:
        """Let this thread rest from now on, for *times* as long as it works."""
        self.last = time.thread_time()
        self.times = times


_rests = _Rests()
HEAVY = ThreadPoolExecutor(1, "heavy", initializer=_rests.begin)
PATIENT = ThreadPoolExecutor(1, "patient", initializer=partial(_rests.begin, PATIENT_RESTS))
"""In each of them one piece of work follows the other: many busy threads would starve the event loop."""


def share_the_interpreter() -> None:
    """Let the event loop have the interpreter soon after it asks for it: for a process that answers requests."""
    sys.setswitchinterval(SWITCH_SECONDS)


async def beside(work: Callable[[], Found]) -> Found:
    """Do some heavy work that a player waits for at the table, and return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(HEAVY, work)


async def patiently(work: Callable[[], Found]) -> Found:
    """Do some heavy work that has time, as records and verifications have, and return what it returns."""
    return await asyncio.get_running_loop().run_in_executor(PATIENT, work)


def work_sparingly(share: float, piece_seconds: float, sleep: Callable[[float], None]) -> None:
    """Let this thread take at most *share* of one core, what it has taken so far included; it rests by *sleep*."""
    _rests.begin(1 / share - 1)
    _rests.last = 0.0
    _rests.piece_seconds = piece_seconds
    _rests.sleep = sleep


def rest() -> None:
    """Leave the interpreter to the event loop for a while, if this is a heavy thread and it has worked for a piece."""
    if _rests.last is None:
        return
    worked = time.thread_time() - _rests.last
    if worked >= _rests.piece_seconds:
        (_rests.sleep or time.sleep)(_rests.times * worked)
        _rests.last = time.thread_time()


def resting(items: Iterable[Found]) -> Iterator[Found]:
    """Yield the items, with a rest now and then."""
    for item in items:
        rest()
        yield item
