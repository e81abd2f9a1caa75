"""Work that fails again and again: it rests for longer and longer, is logged with a trace once, and is shown to an operator."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import PurePath

import structlog

from .errors import StoreUnavailable
from .ports.failures import Failure, FailureStore

MANY = 10
"""After this many failures in a row a job rests, and is shown."""
LONG_REST_MS = 600_000
"""The first long rest. It doubles with each further failure."""
LONGEST_REST_MS = 6 * 3_600_000
FORGET_MS = 4 * LONGEST_REST_MS
"""Failures are forgotten after this time: a match that no longer exists is not tried again."""
MOST = 1_000
"""How many failing jobs are kept; all others are tried without a long rest."""
MOST_ERRORS = 5
"""How many kinds of failure are kept for one job."""
LOOK_MS = 60_000
"""How old the failures of other processes may be that this one knows."""

log = structlog.get_logger(__name__)


class Failures:
    """Counts the failures in a row of each job of a deployment, and says for how long it is to be left alone."""

    def __init__(self, store: FailureStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms
        self._known: dict[tuple[str, str], Failure] = {}
        self._looked_ms: int | None = None

    async def note(
        self, job: str, task: str, error: BaseException, rest_ms: int, longest_ms: int = LONGEST_REST_MS, *, quiet: bool = False
    ) -> int:
        """Count a failure; return for how many milliseconds to leave the job alone: *rest_ms*, or longer after many failures.

        Its trace is logged the first time, unless it is *quiet*; that it rests is logged once.
        """
        now_ms = self._now_ms()
        before = await self._find(job, task)
        kind = _kind_of(error)
        known = before.errors if before is not None else ()
        count = 1 + (before.count if before is not None else 0)
        if kind not in known and not quiet:
            log.exception("work failed, will retry", job=job, task=task, error=type(error).__name__, exc_info=error)
        if count >= MANY:
            doubled = LONG_REST_MS << min(count - MANY, 16)
            rest_ms = max(rest_ms, min(longest_ms, doubled))
        if count == MANY:
            log.error("work keeps failing, tried rarely from now on", job=job, task=task, error=kind, count=count)
        failure = Failure(
            job=job,
            task=task,
            errors=(*(each for each in known if each != kind), kind)[-MOST_ERRORS:],
            count=count,
            since_ms=before.since_ms if before is not None else now_ms,
            last_ms=now_ms,
            rest_until_ms=now_ms + rest_ms,
        )
        self._known[job, task] = failure
        with suppress(StoreUnavailable):
            await self._store.put(failure, MOST)
        return rest_ms

    async def clear(self, job: str, task: str) -> None:
        """Note that a job has succeeded.

        Successes are many and write nothing, so this ends only failures that this process knows: its own, and those of others
        that were there when it last looked, up to a minute ago. A job that has failed in another process since then is shown
        until it succeeds again, or a day after its last failure.
        """
        with suppress(StoreUnavailable):
            await self._look()
            if self._known.pop((job, task), None) is not None:
                await self._store.remove(job, task)

    async def rests(self, job: str, task: str) -> bool:
        """Return whether a job is to be left alone now, since it has failed many times."""
        with suppress(StoreUnavailable):
            await self._look()
        found = self._known.get((job, task))
        return found is not None and found.count >= MANY and self._now_ms() < found.rest_until_ms

    async def resting(self) -> Sequence[Failure]:
        """Return the jobs that have failed many times in a row, the latest first. Raises StoreUnavailable."""
        found = [each for each in await self._all() if each.count >= MANY]
        return sorted(found, key=lambda each: each.last_ms, reverse=True)

    async def _find(self, job: str, task: str) -> Failure | None:
        try:
            return await self._store.find(job, task)
        except StoreUnavailable:
            return self._known.get((job, task))

    async def _look(self) -> None:
        """Learn of the failures that other processes have counted."""
        now_ms = self._now_ms()
        if self._looked_ms is None or not 0 <= now_ms - self._looked_ms < LOOK_MS:
            self._looked_ms = now_ms
            self._known = {(each.job, each.task): each for each in await self._all()}

    async def _all(self) -> Sequence[Failure]:
        """Return all failures, and forget old ones."""
        found = await self._store.all()
        old_ms = self._now_ms() - FORGET_MS
        for each in found:
            if each.last_ms < old_ms:
                await self._store.remove(each.job, each.task)
        return [each for each in found if each.last_ms >= old_ms]


def _kind_of(error: BaseException) -> str:
    """Return the type of an error and where it was raised; no message, which may contain a card or a token."""
    frames = traceback.extract_tb(error.__traceback__)
    name = type(error).__name__
    return f"{name} at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else name
