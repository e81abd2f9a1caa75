"""Long jobs of matches: what takes too long for a request waits in a queue, and is done slice by slice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from ...domain.match import MatchId
from .queue_names import QueueName

PostJob: TypeAlias = Callable[[QueueName, MatchId], None]
"""Puts a job for a match into a queue. It must not wait."""
Slice: TypeAlias = Callable[[MatchId], Awaitable[QueueName | None]]
"""Goes on with a match for a moment; returns the queue in which the rest is to wait, None if there is none."""


class LongJobs:
    """The long jobs of a process. They go where *post* puts them: into the queues of workers.

    While the process does them itself, they wait there. A process that has neither drops them: who needs them asks again.
    """

    def __init__(self, post: PostJob | None = None) -> None:
        self._post = post
        self._here: PostJob | None = None
        self._slices: dict[QueueName, Slice] = {}

    def add(self, queue: QueueName, go_on: Slice) -> None:
        """Have the jobs of a queue done by *go_on*."""
        self._slices[queue] = go_on

    def put(self, queue: QueueName, match_id: MatchId) -> None:
        """Put a job for a match into a queue, without waiting."""
        post = self._here or self._post
        if post is not None:
            post(queue, match_id)

    async def go_on(self, queue: QueueName, match_id: MatchId) -> QueueName | None:
        """Do a slice of a job; return the queue in which the rest is to wait. Nothing is done for a queue of no feature."""
        slice_of = self._slices.get(queue)
        return await slice_of(match_id) if slice_of is not None else None

    @contextmanager
    def done_here(self, post: PostJob) -> Generator[None]:
        """Let what is put wait in this process, where *post* puts it, for as long as this lasts."""
        self._here = post
        try:
            yield
        finally:
            self._here = None
