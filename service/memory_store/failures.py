"""Failures in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ..ports.failures import Failure


class MemoryFailures:
    """The failures of each job and task."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Failure] = {}

    async def find(self, job: str, task: str) -> Failure | None:
        return self._kept.get((job, task))

    async def put(self, failure: Failure, most: int) -> None:
        key = failure.job, failure.task
        if key in self._kept or len(self._kept) < most:
            self._kept[key] = failure

    async def remove(self, job: str, task: str) -> None:
        self._kept.pop((job, task), None)

    async def all(self) -> Sequence[Failure]:
        return list(self._kept.values())
