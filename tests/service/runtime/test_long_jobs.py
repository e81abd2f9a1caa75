"""Long jobs of matches: where they wait, and who does a slice of one."""

from __future__ import annotations

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.runtime.long_jobs import LongJobs
from tafelrunde.service.runtime.queue_names import QueueName

MATCH = MatchId("m" + "0" * 26)
COACHING, FAST = QueueName.COACHING, QueueName.BOTS_FAST


def test_job_goes_to_the_workers_unless_the_process_does_it_itself() -> None:
    """A host that works them off takes its own; once it has stopped, workers get them again."""
    posted, waiting = list[tuple[QueueName, MatchId]](), list[tuple[QueueName, MatchId]]()
    jobs = LongJobs(lambda *job: posted.append(job))
    jobs.put(COACHING, MATCH)
    with jobs.done_here(lambda *job: waiting.append(job)):
        jobs.put(FAST, MATCH)
    assert (posted, waiting) == ([(COACHING, MATCH)], [(FAST, MATCH)])
    jobs.put(FAST, MATCH)
    assert posted == [(COACHING, MATCH), (FAST, MATCH)]


def test_job_is_dropped_by_a_process_without_workers_or_duties() -> None:
    """Who needs it asks again: nothing fails, and nothing piles up."""
    LongJobs().put(COACHING, MATCH)


@pytest.mark.anyio
async def test_slice_is_done_by_the_feature_that_has_the_queue() -> None:
    """What is left waits where the feature says; a job of a feature that is not there is over at once."""
    jobs = LongJobs()

    async def go_on(match: MatchId) -> QueueName | None:
        return COACHING if match == MATCH else None

    jobs.add(COACHING, go_on)
    assert await jobs.go_on(COACHING, MATCH) is COACHING
    assert await jobs.go_on(COACHING, MatchId("other")) is None
    assert await jobs.go_on(FAST, MATCH) is None
