"""Every way in which a server can be away or refuse, for every process that talks to it: each waits, and then goes on."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rq.timeouts import TimerDeathPenalty
from structlog.testing import capture_logs

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime import job_queue
from tafelrunde.service.runtime.job_queue import Jobs, QueueName
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.service.views import notifier
from tafelrunde.workers import sweeper, worker
from tafelrunde.workers.jobs import open_context
from tafelrunde.workers.worker import QuietWorker
from tests.support.patience import PATIENCE_SECONDS
from tests.support.refusing import AWAY, RefusingServer
from tests.support.servers import Server

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow]

REFUSALS = ("READONLY", "NOREPLICAS", "MISCONF", "OOM", "LOADING", "BUSY", "MASTERDOWN", AWAY)
SEEN_BY = ("worker: queue server", "clocks: store", "bots: store", "feeds: store")


@pytest.fixture
async def refusing(valkey: Server, valkey_url: str, short_path: Path) -> AsyncIterator[RefusingServer]:
    """A server that refuses what the test wants."""
    assert valkey_url == valkey.url
    async with RefusingServer(valkey.socket, short_path / "s") as server:
        yield server


class Working(threading.Thread):
    """A worker, in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(daemon=True)
        self._settings = settings
        self.worker: QuietWorker | None = None

    def run(self) -> None:
        """Work until the stop event."""
        client = job_queue.client_of(self._settings, worker.REPLY_SECONDS, 0)
        context = open_context(self._settings, Jobs(client))
        self.worker = QuietWorker(Jobs(client), list(QueueName), client)
        self.worker.death_penalty_class = TimerDeathPenalty  # only the main thread has an alarm
        self.worker._install_signal_handlers = lambda: None  # those of the tests' process stay
        try:
            self.worker.work(logging_level=None)
        finally:
            context.close()
            client.close()

    def stop(self) -> None:
        """Stop after the job."""
        if self.worker is not None:
            self.worker.request_stop(0, None)
        self.join(PATIENCE_SECONDS)


async def until(truth: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not truth():  # noqa: ASYNC110 - the log sets no event
            await asyncio.sleep(0.02)


async def opened(application: Application, key: str) -> MatchId:
    """Start a match of bots."""
    bots = {Seat(seat): BotName("random") for seat in range(2)}
    clock = Clock(turn_seconds=600, reaction_seconds=600)
    new = NewMatch(game=GameId("coup"), seats=2, seat=None, clock=clock, bots=bots, start=True)
    return (await application.matches.open(PlayerId("host"), new, key)).match


async def test_every_process_waits_out_whatever_the_server_says(
    refusing: RefusingServer, redis_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line in the log begins an outage and one ends it; nothing ends, and a match goes on after each."""
    monkeypatch.setattr(worker, "REFUSED_SECONDS", 0.05)
    monkeypatch.setattr(notifier, "IDLE_SECONDS", 0.05)  # without anyone at a table feeds look that rarely
    settings = Settings(
        redis_url=refusing.url, bot_pause_ms=0, sweep_ms=20, lease_ms=200, limits=LimitSettings(bot_matches_per_host=100)
    )
    application = Application(redis_stores, settings)
    async with await RedisStores.connect(refusing.url) as stores:
        api = asyncio.create_task(Application(stores, settings).run())
        client = await asyncio.to_thread(job_queue.client_of, settings)
        sweeping = asyncio.create_task(sweeper._work(settings, client, patient=True))
        working = Working(settings)
        working.start()
        await until(lambda: working.worker is not None)
        for refusal in REFUSALS:
            with capture_logs() as lines:
                refusing.refusal = refusal
                reason = "no answer" if refusal == AWAY else refusal
                await until(lambda lines=lines, reason=reason: set(_seen(lines, "unavailable", reason)) >= set(SEEN_BY))
                match = await opened(application, refusal)
                await asyncio.sleep(0.5)
                refusing.refusal = ""
                await until(lambda lines=lines: set(_seen(lines, "available again")) >= set(SEEN_BY))
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while (await application.repository.load_latest(match)).match.status is not Status.OVER:  # noqa: ASYNC110 - it is on a server, which sets no event
                        await asyncio.sleep(0.02)
            assert all(count == 1 for count in Counter(_seen(lines, "unavailable", reason)).values()), (refusal, lines)
            assert [line for line in lines if line["log_level"] in {"error", "critical"}] == []
            assert (working.is_alive(), sweeping.done(), api.done()) == (True, False, False)
        await asyncio.to_thread(working.stop)
        for task in (sweeping, api):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        client.close()


def _seen(lines: Sequence[Mapping[str, Any]], what: str, reason: str | None = None) -> list[str]:
    """Return who has logged something, with a reason or any."""
    told = [line["event"] for line in lines if reason is None or line.get("reason") == reason]
    return [event.removesuffix(f" {what}") for event in told if event.endswith(f" {what}")]
