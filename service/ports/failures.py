"""What the stores must do for work that fails again and again: keep what is known of it, for all processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Failures in a row of one job, with what it is about (`task`, such as a match; empty for a job that is one of its kind).

    `errors` has the last kinds of failure, type and place in the code, never a message. It is tried again at `rest_until_ms`.
    """

    job: str
    task: str
    errors: tuple[str, ...]
    count: int
    since_ms: int
    last_ms: int
    rest_until_ms: int


class FailureStore(Protocol):
    """Failures by job and task. If they are lost, they are counted from the beginning."""

    async def find(self, job: str, task: str) -> Failure | None:
        """Return the failures of a job, None if the last try succeeded."""
        ...

    async def put(self, failure: Failure, most: int) -> None:
        """Write down a failure in place of the one before; a new one only while there are fewer than *most*."""
        ...

    async def remove(self, job: str, task: str) -> None:
        """Forget the failures of a job, if there are any."""
        ...

    async def all(self) -> Sequence[Failure]:
        """Return all failures, in any order."""
        ...
