"""The queues: what jobs hold, how many are taken, and how the api hands work over without waiting."""

from __future__ import annotations

import json
import threading
import zlib
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Disconnected
from structlog.testing import capture_logs

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.runtime import job_queue
from tafelrunde.service.runtime.job_queue import Jobs, Postbox, client_of, connect, missing, unchecked_client
from tafelrunde.service.runtime.presence import GONE_SECONDS, NEEDED, SWEEPER, Presence
from tafelrunde.service.runtime.queue_names import QueueName, queues_served
from tafelrunde.service.settings import Settings
from tafelrunde.workers.sweeper import queue_of
from tests.support.patience import PATIENCE_SECONDS

ONE, TWO, THREE = MatchId("m1"), MatchId("m2"), MatchId("m3")


def test_job_holds_ids_as_json_only(jobs: Jobs, client: Redis) -> None:
    """The server holds a name and an id for a reader, and nothing that a writer could have executed."""
    jobs.put(QueueName.TIMEOUTS, [ONE])
    job = jobs.queue(QueueName.TIMEOUTS).jobs[0]
    stored = client.hget(job.key, "data")
    assert json.loads(zlib.decompress(stored)) == ["tafelrunde.workers.jobs.time_out", None, ["m1"], {}]  # pyright: ignore[reportArgumentType] - bytes at run time


def test_job_leaves_nothing_behind(jobs: Jobs) -> None:
    """No result is kept, a failure for a minute, and a job that no worker fetches for a minute."""
    jobs.put(QueueName.BOTS_FAST, [ONE])
    job = jobs.queue(QueueName.BOTS_FAST).jobs[0]
    assert (job.result_ttl, job.failure_ttl, job.ttl) == (0, 60, 60)


def test_queue_takes_nothing_more_when_crowded(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches offered over and over while workers are behind do not pile up."""
    monkeypatch.setattr(job_queue, "CROWDED", 2)
    assert jobs.put(QueueName.TIMEOUTS, [ONE, TWO]) == 2
    assert jobs.put(QueueName.TIMEOUTS, [THREE]) == 0
    assert jobs.queue(QueueName.TIMEOUTS).count == 2


def test_match_that_waits_already_is_not_put_again(jobs: Jobs, client: Redis) -> None:
    """One job does all that there is to do; a job that was fetched waits no more."""
    assert jobs.put(QueueName.BOTS_FAST, [ONE]) == 1
    assert jobs.put(QueueName.BOTS_FAST, [ONE, TWO]) == 1
    assert jobs.put(QueueName.BOTS_DEEP, [ONE]) == 1
    client.lpop(jobs.queue(QueueName.BOTS_FAST).key)
    assert jobs.put(QueueName.BOTS_FAST, [ONE, TWO]) == 1
    assert [job.args[0] for job in jobs.queue(QueueName.BOTS_FAST).jobs] == [TWO, ONE]


@pytest.mark.anyio
async def test_match_that_waits_for_a_thinker_is_not_offered_again(jobs: Jobs) -> None:
    """A fast job would find that a slow bot has to think, and send it back to the queue in which it waits."""
    jobs.put(QueueName.BOTS_DEEP, [ONE])
    jobs.put(QueueName.BOTS_ALONE, [THREE])
    work = queue_of(jobs)
    await work(AgendaKind.WORK, [ONE, TWO, THREE])
    assert [job.args[0] for job in jobs.queue(QueueName.BOTS_FAST).jobs] == [TWO, THREE]
    await work(AgendaKind.DEADLINE, [ONE])
    assert jobs.waiting(QueueName.TIMEOUTS) == 1


def test_who_thinks_for_people_also_plays_what_no_one_waits_for() -> None:
    """A worker that was set up before there were queues for it takes those matches, and coaching, when nothing else waits."""
    deep, alone, coaching = QueueName.BOTS_DEEP, QueueName.BOTS_ALONE, QueueName.COACHING
    assert queues_served([deep]) == [deep, alone, coaching]
    assert queues_served([alone, deep]) == [alone, deep, coaching]
    assert queues_served([QueueName.TIMEOUTS, QueueName.BOTS_FAST]) == [QueueName.TIMEOUTS, QueueName.BOTS_FAST]
    assert queues_served(list(QueueName)) == list(QueueName)


def test_postbox_hands_over_each_match(jobs: Jobs) -> None:
    """What is posted before the end arrives."""
    postbox = Postbox(jobs)
    for match in (ONE, TWO):
        postbox.post(QueueName.BOTS_FAST, match)
    postbox.close()
    assert {job.args[0] for job in jobs.queue(QueueName.BOTS_FAST).jobs} == {ONE, TWO}


def test_postbox_puts_each_job_into_its_queue(jobs: Jobs) -> None:
    """Coaching waits in a queue of its own, also for a match whose bots are to play."""
    postbox = Postbox(jobs)
    postbox.post(QueueName.COACHING, ONE)
    postbox.post(QueueName.BOTS_FAST, ONE)
    postbox.close()
    for name in (QueueName.COACHING, QueueName.BOTS_FAST):
        assert [job.args[0] for job in jobs.queue(name).jobs] == [ONE]


class SlowJobs(Jobs):
    """A server that says nothing until it is let go, and then is gone."""

    def __init__(self) -> None:
        self.batches: list[list[MatchId]] = []
        self.going = threading.Event()
        self.waited_for_us = True

    def put(self, name: QueueName, matches: list[MatchId]) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - always a list here
        """Wait, note the batch, and fail."""
        self.waited_for_us &= self.going.wait(PATIENCE_SECONDS)
        self.batches.append(matches)
        raise Disconnected


def test_post_returns_at_once_when_the_server_is_slow_or_gone() -> None:
    """The event loop never waits for the queue; matches that wait together go together, each once."""
    slow = SlowJobs()
    postbox = Postbox(slow)
    for _ in range(1_000):
        postbox.post(QueueName.BOTS_FAST, ONE)
        postbox.post(QueueName.BOTS_FAST, TWO)
    slow.going.set()
    postbox.close()
    assert slow.waited_for_us
    assert sum(map(len, slow.batches)) <= 4


def test_those_who_are_missing_are_named(client: Redis) -> None:
    """The sweeper first, as nothing moves without it; then the queues that no worker serves, until one is seen."""
    assert missing(client) == "No sweeper has been seen for 20 s."
    Presence(client, [SWEEPER]).renew()
    assert missing(client) == "No worker for timeouts and bots-fast and bots-deep and bots-alone has been seen for 20 s."
    Presence(client, [QueueName.TIMEOUTS.value, QueueName.BOTS_FAST.value, QueueName.BOTS_ALONE.value]).renew()
    assert missing(client) == "No worker for bots-deep has been seen for 20 s."
    Presence(client, [QueueName.BOTS_DEEP.value]).renew()
    assert missing(client) == ""
    for name in NEEDED:
        assert 0 < client.ttl(f"present:{name}") <= GONE_SECONDS


def test_queues_without_a_server_are_named() -> None:
    """What is put there will not be done."""
    assert missing(unchecked_client("redis://127.0.0.1:1", retries=0)) == "The server of the job queues does not answer."


def test_server_that_is_away_is_waited_for_when_that_is_wanted(valkey_url: str, short_path: Path) -> None:
    """By the processes of `serve`: they beat meanwhile, and one line in the log begins the wait and one ends it."""
    there = short_path / "s"
    waits = list[int]()

    def wait() -> None:
        waits.append(1)
        if len(waits) == 2:
            there.symlink_to(valkey_url.removeprefix("unix://"))

    with capture_logs() as lines:
        connect(f"unix://{there}", retries=0, while_waiting=wait).close()
    assert len(waits) == 2
    assert [line["event"] for line in lines] == ["queue server unavailable", "queue server available again"]


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "unix:///nowhere/s"])
def test_start_is_refused_when_the_server_of_the_queues_does_not_answer(url: str) -> None:
    """One sentence says what is wrong."""
    with pytest.raises(StartupRefused, match=r"^The server of the job queues .REDIS_URL. does not work: .+\.$"):
        connect(url)


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        pytest.param(Settings(redis_url="redis://127.0.0.1:1"), "REDIS_URL", id="the-same-server"),
        pytest.param(Settings(redis_url="redis://a", rq_url="redis://127.0.0.1:1"), "TAFELRUNDE_RQ_URL", id="another-one"),
        pytest.param(Settings(), "REDIS_URL", id="none"),
    ],
)
def test_server_of_the_queues_is_named_by_its_variable(settings: Settings, variable: str) -> None:
    """The queues may have a server of their own; the sentence names the variable that leads to the one that fails."""
    with pytest.raises(StartupRefused, match=rf"\b{variable}\b"):
        client_of(settings)


def test_sentinels_that_are_down_are_passed_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would try each for seconds, and a worker would not find the primary that the next one names meanwhile."""
    pauses: list[float] = []
    monkeypatch.setattr("redis.retry.sleep", pauses.append)
    with pytest.raises(StartupRefused):
        connect("redis+sentinel://127.0.0.1:1,127.0.0.1:2/name")
    assert set(pauses) <= {job_queue.PAUSE_SECONDS}
