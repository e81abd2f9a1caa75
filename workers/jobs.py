"""The jobs of the queues. Each reads from the match what there is to do, so a job that comes late or twice changes nothing.

A worker process has one event loop and one application for all its jobs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from functools import partial
from typing import TypeAlias, TypeVar

import uvloop
from redis.exceptions import RedisError

from ..domain.match import MatchId
from ..service.deployment import open_application
from ..service.games import Games
from ..service.ports.agenda import AgendaKind
from ..service.runtime.job_queue import SERVER, Jobs, QueueName
from ..service.runtime.match_task import attempt, run_limited
from ..service.runtime.outage import Outage
from ..service.settings import Settings

Life: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]
Result = TypeVar("Result")


class WorkerContext:
    """The loop, the application and the queues of a worker process."""

    def __init__(
        self,
        settings: Settings,
        jobs: Jobs,
        games: Games | None = None,
        life: Life | None = None,
        *,
        patient: bool = False,
    ) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._jobs = jobs
        self._life = life
        self._next: dict[MatchId, QueueName] = {}
        self._outage = Outage(SERVER)
        self._opened = AsyncExitStack()
        opening = open_application(settings, games=games, post_job=self._note, patient=patient)
        try:
            self.application = self._run(self._opened.enter_async_context(opening))
        except BaseException:
            self._runner.close()
            raise

    def _run(self, work: Coroutine[None, None, Result]) -> Result:
        """Return the result of work on the event loop, which sends heartbeats meanwhile."""

        async def living() -> Result:
            async with self._life() if self._life is not None else nullcontext():
                return await work

        return self._runner.run(living())

    def time_out(self, match_id: MatchId) -> None:
        """Play the defaults of a decision whose time is up."""
        self._do(match_id, AgendaKind.DEADLINE, self.application.process_manager.time_out)
        self._pass_on()

    def play_bots(self, match_id: MatchId, queue: QueueName = QueueName.BOTS_FAST) -> None:
        """Let the bots of a match play as a job of *queue* does; what is left then goes to the end of a queue.

        Slow bots and bot-only matches have their own queues.
        """
        self._do(match_id, AgendaKind.WORK, partial(self._go_on, queue=queue))
        self._pass_on()

    def coach(self, match_id: MatchId) -> None:
        """Let the coach go on with a match; what is left goes to the end of its queue."""
        self._do(match_id, AgendaKind.WORK, partial(self._go_on, queue=QueueName.COACHING))
        self._pass_on()

    async def _go_on(self, match_id: MatchId, queue: QueueName) -> None:
        waits_in = await self.application.jobs.go_on(queue, match_id)
        self._next.pop(match_id, None)
        if waits_in is not None:
            self._note(waits_in, match_id)

    def _note(self, queue: QueueName, match_id: MatchId) -> None:
        self._next[match_id] = queue

    def _do(self, match_id: MatchId, kind: AgendaKind, work: Callable[[MatchId], Awaitable[None]]) -> None:
        self._next.clear()
        agenda = self.application.stores.agenda
        now_ms = self.application.now_ms
        self._run(attempt(run_limited(work(match_id)), match_id, kind, agenda, now_ms, self.application.failures))

    def _pass_on(self) -> None:
        """Enqueue what is to be done next."""
        try:
            for match_id, queue in self._next.items():
                self._jobs.put(queue, [match_id])
        except (RedisError, OSError) as error:
            self._outage.note(error)  # the sweeper will offer them
        else:
            self._outage.over()

    def close(self) -> None:
        """Close connections and the loop."""
        self._run(self._opened.aclose())
        self._runner.close()


_open: list[WorkerContext] = []


def open_context(
    settings: Settings,
    jobs: Jobs,
    games: Games | None = None,
    life: Life | None = None,
    *,
    patient: bool = False,
) -> WorkerContext:
    """Make this process ready for jobs, *patient* while the server is down; raise StartupRefused.

    *life* beats for the duration of a job.
    """
    _open[:] = [WorkerContext(settings, jobs, games, life, patient=patient)]
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


def coach(match: str) -> None:
    """Job of the queue `coaching`."""
    _open[0].coach(MatchId(match))
