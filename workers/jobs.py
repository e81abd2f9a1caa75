"""The jobs of the queues. Each reads from the match what there is to do, so a job that comes late or twice changes nothing.

A worker process has one event loop and one application for all its jobs.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial

import structlog
import uvloop
from redis.exceptions import RedisError

from ..domain.game import AnyGame, GameId
from ..domain.match import MatchId
from ..domain.registry import GAMES
from ..service.bots.turns import RemainingWork
from ..service.deployment import open_application
from ..service.ports.agenda import AgendaKind
from ..service.runtime.job_queue import Jobs, QueueName
from ..service.runtime.match_task import attempt
from ..service.settings import Settings

SLICE_MS = 50
"""How long the bots of one match play in one job (milliseconds); then others get their turn."""
LEASES_MS = {QueueName.BOTS_DEEP: 2_000, QueueName.BOTS_ALONE: 15_000}
"""Milliseconds until a match that waits in one of these queues is offered again."""
QUEUE_SECONDS, LEAST_SECONDS = 0.4, 0.02
"""Seconds that all matches in `bots-deep` share, which the pause of bots hides, and the least that a bot thinks."""
LIMIT_SECONDS = 20.0

log = structlog.get_logger(__name__)


class WorkerContext:
    """The loop, the application and the queues of a worker process."""

    def __init__(self, settings: Settings, jobs: Jobs, games: Mapping[GameId, AnyGame] = GAMES) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._jobs = jobs
        self._next: dict[MatchId, QueueName] = {}
        self._opened = AsyncExitStack()
        opening = open_application(settings, games=games, on_bot_work=self._note_work)
        try:
            self.application = self._runner.run(self._opened.enter_async_context(opening))
        except BaseException:
            self._runner.close()
            raise

    def time_out(self, match: MatchId) -> None:
        """Play the defaults of a decision whose time is up."""
        self._do(match, AgendaKind.DEADLINE, self.application.process_manager.time_out)
        self._pass_on()

    def play_bots(self, match: MatchId, queue: QueueName = QueueName.BOTS_FAST) -> None:
        """Let the bots of a match play as a job of *queue* does; what is left then goes to the end of a queue.

        Slow bots and bot-only matches have their own queues.
        """
        self._do(match, AgendaKind.WORK, partial(self._play, queue=queue))
        self._pass_on()

    async def _play(self, match: MatchId, queue: QueueName) -> None:
        deep, alone = queue is not QueueName.BOTS_FAST, queue is QueueName.BOTS_ALONE
        until_ms, seconds = self.application.now_ms() + SLICE_MS, self._seconds() if queue is QueueName.BOTS_DEEP else math.inf
        left = await self.application.process_manager.play_bots(match, until_ms, deep=deep, alone=alone, seconds=seconds)
        self._next.pop(match, None)
        if left is RemainingWork.NOTHING:
            return
        self._next[match] = waits_in = {RemainingWork.DEEP: QueueName.BOTS_DEEP, RemainingWork.ALONE: QueueName.BOTS_ALONE}.get(
            left, queue
        )
        if (lease_ms := LEASES_MS.get(waits_in)) is not None:
            await self.application.stores.agenda.postpone(AgendaKind.WORK, match, self.application.now_ms() + lease_ms)

    def _seconds(self) -> float:
        """Return for how long bots may think that people wait for."""
        try:
            return max(QUEUE_SECONDS / (1 + self._jobs.waiting(QueueName.BOTS_DEEP)), LEAST_SECONDS)
        except (RedisError, OSError):
            return math.inf

    def _note_work(self, match: MatchId) -> None:
        self._next[match] = QueueName.BOTS_FAST

    def _do(self, match: MatchId, kind: AgendaKind, work: Callable[[MatchId], Awaitable[None]]) -> None:
        self._next.clear()
        agenda, now_ms = self.application.stores.agenda, self.application.now_ms
        self._runner.run(attempt(_limited(work(match)), match, kind, agenda, now_ms))

    def _pass_on(self) -> None:
        """Ask for the bots that are to move now."""
        try:
            for match, queue in self._next.items():
                self._jobs.put(queue, [match])
        except (RedisError, OSError) as error:
            log.warning("enqueue failed, sweeper will retry", error=type(error).__name__)

    def close(self) -> None:
        """Close connections and the loop."""
        self._runner.run(self._opened.aclose())
        self._runner.close()


async def _limited(work: Awaitable[None]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        await work


_open: list[WorkerContext] = []


def open_context(settings: Settings, jobs: Jobs, games: Mapping[GameId, AnyGame] = GAMES) -> WorkerContext:
    """Make this process ready for jobs; raise StartupRefused."""
    _open[:] = [WorkerContext(settings, jobs, games)]
    return _open[0]


def time_out(match: str) -> None:
    """Job of the queue `timeouts`."""
    _open[0].time_out(MatchId(match))


def play_bots(match: str) -> None:
    """Job of the queue `bots-fast`."""
    _open[0].play_bots(MatchId(match))


def play_deep_bots(match: str) -> None:
    """Job of the queue `bots-deep`."""
    _open[0].play_bots(MatchId(match), QueueName.BOTS_DEEP)


def play_bots_alone(match: str) -> None:
    """Job of the queue `bots-alone`."""
    _open[0].play_bots(MatchId(match), QueueName.BOTS_ALONE)
