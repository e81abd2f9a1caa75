"""Kills the processes of `serve` at random moments, in every way: once, twice in a row, stopped for a while, with their work."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from redis.exceptions import RedisError

from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.runtime.data_folder import socket_url
from tafelrunde.service.runtime.job_queue import Jobs, QueueName, connect
from tafelrunde.service.settings import Settings
from tafelrunde.workers.bootstrap import with_embedded
from tests.support.kinds import SERVER
from tests.support.processes import LOOK_SECONDS, Serve

CHILDREN = ("api", "sweeper", "worker", "thinker", SERVER)
TWICE, STOP, JOBS = "twice", "stop", "jobs"
KINDS = (*CHILDREN, TWICE, STOP, JOBS)
HOLD_SECONDS = 8.0
"""Longer than the longest pause before something is started again."""
AGAIN_SECONDS = 0.3
PATIENT, BREATH_SECONDS = 0.75, 60.0
"""The share of kills that wait until the service works again, and for how long: on a machine with much to do it would else be
killed again each time before it has started, and no match would go on. The others do not wait."""
PREFIX = "tr-"


def processes(serve: Serve) -> Mapping[str, int]:
    """Return the children of `serve` that run now, by name (Linux)."""
    supervisor = serve.process.pid
    with suppress(OSError):
        children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text(encoding="ascii").split()
        return {name: int(child) for child in children if (name := _name(child))}
    return {}


def _name(pid: str) -> str:
    """Return the name of a child of `serve`: the server is the one that is no fork of it. Empty if it has ended."""
    with suppress(OSError):
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        return name.removeprefix(PREFIX) if name.startswith(PREFIX) else SERVER if "valkey" in name else ""
    return ""


def megabytes(serve: Serve) -> Mapping[str, float]:
    """Return the resident memory of `serve` and each of its children."""
    return {name: _megabytes(pid) for name, pid in [("serve", serve.process.pid), *sorted(processes(serve).items())]}


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)
    return 0.0


class Killer:
    """Kills each of *kinds* once, then any of them, until *kills* are done.

    *lose* kills a server that `serve` does not watch over, and returns what it was when it is back.
    """

    def __init__(
        self,
        serve: Serve,
        rng: random.Random,
        progress: Callable[[], int],
        *,
        pause_seconds: tuple[float, float],
        stop_seconds: float,
        kinds: Sequence[str] = KINDS,
        lose: Callable[[random.Random], str] | None = None,
    ) -> None:
        self._serve = serve
        self._kinds = kinds
        self._lose = lose
        self._progress = progress
        self._rng = rng
        self._pause_seconds = pause_seconds
        self._stop_seconds = stop_seconds
        self._going_on: set[asyncio.Task[None]] = set()
        self.kills: Counter[str] = Counter()
        self.lost_jobs = 0

    async def run(self, kills: int, until: float) -> None:
        """Kill that often, or until a time, or until `serve` itself has ended, which it must not."""
        first = list(self._kinds)
        before = 0
        self._rng.shuffle(first)
        while self.kills.total() < kills and time.monotonic() < until and self._serve.process.poll() is None:
            await asyncio.sleep(self._rng.uniform(*self._pause_seconds))
            if self._rng.random() < PATIENT:
                await self._until_progress(before)
            before = self._progress()
            kind = first[-1] if first else self._rng.choice(self._kinds)
            if (done := await self._kill(kind)) is not None:
                self.kills[done] += 1
                del first[-1:]
        await asyncio.gather(*self._going_on)

    async def _until_progress(self, before: int) -> None:
        """Wait until the matches have moved on since the last kill, up to a limit."""
        limit = time.monotonic() + BREATH_SECONDS
        while self._progress() <= before and time.monotonic() < limit:  # noqa: ASYNC110 - it is counted by many
            await asyncio.sleep(LOOK_SECONDS)

    async def _kill(self, kind: str) -> str | None:
        """Return what was done, None if there was nothing to kill."""
        if kind == JOBS:
            return await self._lose_jobs()
        victim = kind if kind in CHILDREN else self._rng.choice(CHILDREN)
        if victim == SERVER and self._lose is not None:
            return await asyncio.to_thread(self._lose, self._rng)
        if kind == STOP:
            return self._stop(victim)
        if (pid := self._pid(victim)) is None or not _send(pid, signal.SIGKILL):
            return None
        if kind != TWICE:
            return kind
        return f"{victim} twice" if await self._again(victim, pid) else victim

    async def _again(self, victim: str, before: int) -> bool:
        """Kill what is started in the place of a process, while it starts."""
        limit = time.monotonic() + HOLD_SECONDS
        while (pid := self._pid(victim)) is None or pid == before:
            if time.monotonic() > limit:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        await asyncio.sleep(self._rng.uniform(0, AGAIN_SECONDS))
        return _send(pid, signal.SIGKILL)

    def _pid(self, victim: str) -> int | None:
        """Return one of the processes of a name, of which there may be several (`worker-1`)."""
        running = processes(self._serve)
        found = [pid for name, pid in running.items() if name.rstrip("0123456789").rstrip("-") == victim]
        return self._rng.choice(found) if found else None

    def _stop(self, victim: str) -> str | None:
        if (pid := self._pid(victim)) is None or not _send(pid, signal.SIGSTOP):
            return None
        task = asyncio.create_task(_continue(pid, self._rng.uniform(0.1, self._stop_seconds)))
        self._going_on.add(task)
        task.add_done_callback(self._going_on.discard)
        return f"{victim} stopped"

    async def _lose_jobs(self) -> str | None:
        """Kill a worker together with all jobs that wait."""
        if (pid := self._pid("worker")) is None or not _send(pid, signal.SIGSTOP):
            return None
        with suppress(RedisError, StartupRefused):  # the server may be away as well
            self.lost_jobs += await asyncio.to_thread(lose_jobs, queues_of(self._serve))
        _send(pid, signal.SIGKILL)
        return JOBS


def queues_of(serve: Serve) -> str:
    """Return the address of the job queues."""
    return str(serve.settings.get("rq_url") or store_of(serve))


def store_of(serve: Serve) -> str:
    """Return the address of the store."""
    return str(serve.settings.get("redis_url") or socket_url(serve.data_dir))


def deployment_of(serve: Serve) -> Settings:
    """Return settings that lead to the store, and to the archives that may be beside it."""
    settings = Settings(data_dir=str(serve.data_dir))
    url = store_of(serve)
    return msgspec.structs.replace(settings, redis_url=url) if "redis_url" in serve.settings else with_embedded(settings, url)


def lose_jobs(url: str) -> int:
    """Wait for the job of a clock and empty the queues; return how many jobs of clocks were lost."""
    limit = time.monotonic() + HOLD_SECONDS

    def not_for_ever() -> None:
        if time.monotonic() > limit:
            raise StartupRefused("The server of the queues is down for too long.")

    with connect(url, while_waiting=not_for_ever) as client:
        clocks, *others = (Jobs(client).queue(name) for name in QueueName)
        while clocks.is_empty() and time.monotonic() < limit:
            time.sleep(LOOK_SECONDS)
        for each in others:
            each.empty()
        return clocks.empty()


async def _continue(pid: int, seconds: float) -> None:
    await asyncio.sleep(seconds)
    _send(pid, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False
