"""Consumers: the recurring work of a process, each piece in a task of its own.

A step that follows a log reads its own position, and writes it together with its results. So interrupted work is repeated,
concurrent work of two processes counts once, and a lease only avoids wasted effort.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from ..errors import StoreUnavailable
from ..failures import Failures
from ..memory_store.failures import MemoryFailures
from ..ports.leases import Leases
from .outage import Outage

LEASE_MS = 5_000
"""How long after a process died another one takes over."""
RENEW_SECONDS = 2.0
RETRY_SECONDS = 0.25
"""The pause after the first failure of the store; it doubles with each further one."""
MAX_RETRY_SECONDS = 1.0
"""Short enough that nothing is late for long once the store is back."""
REST_SECONDS = 10.0
"""The pause after an error in this code: long enough not to flood the log."""
SHORT_REST_SECONDS = 1.0
"""The same for work that is urgent: clocks, or work under a lease that expires."""
LONGEST_REST_MS = 60_000
"""The longest pause: this work is done for all matches."""

Step: TypeAlias = Callable[[], Awaitable[float]]
"""Does a piece of the work, and returns after how many seconds to do more."""


class Ownership:
    """The leases of some names that this process holds: all that are free, or its fair share of them in a *group*.

    Who joins a group waits until the others have given back what they hold beyond their share, which takes two renewals at most.
    """

    def __init__(self, leases: Leases, names: Sequence[str], group: str = "") -> None:
        self._leases = leases
        self._names = names
        self._group = group
        self._owner = uuid.uuid4().hex
        self._renewed = float("-inf")
        self.held: frozenset[str] = frozenset()

    async def renew(self) -> frozenset[str]:
        """Take or renew the leases if it is time, and return the names of those held. Raises StoreUnavailable."""
        now = asyncio.get_running_loop().time()
        if not self.held or now - self._renewed >= RENEW_SECONDS:
            most = await self._share()
            held = [name for name in self._names if name in self.held]
            await self._end(held[most:])
            wanted = (*held[:most], *(name for name in self._names if name not in self.held))
            self.held = frozenset(await self._leases.take_each(wanted, self._owner, LEASE_MS, most))
            self._renewed = now
        return self.held

    async def _share(self) -> int:
        """Return how many leases are to be held, at most."""
        owners = await self._leases.join(self._group, self._owner, LEASE_MS) if self._group else 1
        return -(-len(self._names) // owners)

    async def give_back(self) -> None:
        """End the leases, so that another process need not wait for them to expire."""
        self.held = frozenset()
        leaving = [self._leases.leave(self._group, self._owner)] if self._group else []
        await asyncio.gather(self._end(self._names), *leaving, return_exceptions=True)

    async def _end(self, names: Iterable[str]) -> None:
        await asyncio.gather(*(self._leases.give_back(name, self._owner) for name in names))


class Consumer:
    """Does one piece of recurring work until cancelled; nothing else ends it.

    It waits for a store that is down, and rests for *rest_seconds* after any other error, for longer after many. With
    *ownership* it works only while it holds a lease.
    """

    def __init__(self, name: str, step: Step, ownership: Ownership | None = None, *, rest_seconds: float = REST_SECONDS) -> None:
        self.name = name
        self._step = step
        self._ownership = ownership
        self._rest_seconds = rest_seconds
        self._retry_seconds = RETRY_SECONDS
        self._outage = Outage(f"{name}: store")
        self._failures = Failures(MemoryFailures(), lambda: time.monotonic_ns() // 1_000_000)
        self._failed = False

    def report_to(self, failures: Failures) -> None:
        """Count errors in *failures* from now on."""
        self._failures = failures

    async def run(self) -> None:
        """Run steps until cancelled, then release the leases."""
        try:
            while True:
                pause = await self.round()
                stop_if_cancelled()
                await asyncio.sleep(pause)
        finally:
            if self._ownership is not None:
                await asyncio.shield(self._ownership.give_back())

    async def round(self) -> float:
        """Run one step if it is this process's turn, and return after how many seconds to run the next."""
        try:
            pause = await self._step() if await self._owns() else RENEW_SECONDS
        except StoreUnavailable as error:
            self._outage.note(error)
            pause = self._retry_seconds
            self._retry_seconds = min(2 * self._retry_seconds, MAX_RETRY_SECONDS)
            return pause
        except (Exception, asyncio.CancelledError) as error:
            if is_cancelled(error):
                raise
            self._failed = True
            return await self._failures.note(self.name, "", error, round(1000 * self._rest_seconds), LONGEST_REST_MS) / 1000
        if self._failed:
            self._failed = False
            await self._failures.clear(self.name, "")
        self._retry_seconds = RETRY_SECONDS
        self._outage.over()
        return pause

    async def _owns(self) -> bool:
        return self._ownership is None or bool(await self._ownership.renew())


class Duty(Protocol):
    """Recurring work that only a cancellation ends."""

    name: str

    async def run(self) -> None:
        """Work until cancelled."""
        ...


async def run_together(duties: Iterable[Duty]) -> None:
    """Do all duties at once until cancelled; return when each has ended."""
    async with asyncio.TaskGroup() as group:
        for duty in duties:
            group.create_task(duty.run(), name=duty.name)


def stop_if_cancelled() -> None:
    """Raise CancelledError if this task was cancelled: a library may have swallowed that."""
    task = asyncio.current_task()
    assert task is not None, "runs in a task"
    if task.cancelling():
        raise asyncio.CancelledError


def is_cancelled(error: BaseException) -> bool:
    """Return whether this task was cancelled, rather than something it waited for."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
