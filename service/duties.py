"""The one list of what a deployment must do over and over, whether a sweeper does it or the process of a host."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeAlias

import structlog

from ..domain.match import MatchId
from .archiving.finalizer import Finalizer
from .failures import Failures
from .hooks import Hooks
from .matches.expiry import Expiry
from .matches.process_manager import ProcessManager
from .ports.agenda import AgendaKind
from .ports.events import SHARDS, Shard
from .ports.leases import Leases
from .ports.stores import Stores
from .runtime.activity import LONG_REST_SECONDS, Activity, PollPacer
from .runtime.consumer import SHORT_REST_SECONDS, Consumer, Duty, Ownership, Step
from .runtime.long_jobs import LongJobs
from .runtime.match_task import attempt, run_limited
from .runtime.memory_watch import MemoryWatch
from .runtime.queue_names import OTHERS_FIRST, QueueName
from .settings import Settings
from .slices import LONGEST_LEASE_MS
from .views.projections import Projector

AT_ONCE = 100
CARE_SECONDS = 0.25
"""How often finished matches are looked for while something moves."""
FOLLOW_SECONDS = 1.0
"""How often the clock is checked. A match stands still at most this long when the clock is set back."""
PROJECTOR, WARNER, ERASER = "projector:{}", "warner", "eraser"
"""Names of leases on the server: processes of several releases may run side by side, so never rename them."""
SHARING = "projector"
"""The group of those who share the shards."""

log = structlog.get_logger(__name__)

Work: TypeAlias = Callable[[AgendaKind, Sequence[MatchId]], Awaitable[None]]
"""Processes due matches. Those left over are offered again when their lease has expired."""


class Steppable(Protocol):
    """Work done step by step."""

    async def step(self) -> float:
        """Run one step; return after how many seconds to run the next."""
        ...


class DutyContext(Protocol):
    """The parts of an application that the duties need."""

    stores: Stores
    settings: Settings
    now_ms: Callable[[], int]
    by_the_clock: bool
    activity: Activity
    failures: Failures
    jobs: LongJobs
    process_manager: ProcessManager
    projector: Projector
    finalizer: Finalizer
    expiry: Expiry
    memory_watch: MemoryWatch
    hooks: Hooks

    @property
    def erasure(self) -> Steppable:
        """What deletes players."""
        ...


def duties(application: DutyContext, work: Work) -> Sequence[Duty]:
    """Return all duties of a deployment, to be run concurrently. Any number of processes may run them."""
    leases = application.stores.leases
    shards = Shards(leases)
    found: Sequence[Duty] = (
        Consumer("clocks", sweep(application, AgendaKind.DEADLINE, work, shards.held_shards), rest_seconds=SHORT_REST_SECONDS),
        Consumer("time", following(application), rest_seconds=SHORT_REST_SECONDS),
        Consumer("bots", sweep(application, AgendaKind.WORK, work, shards.held_shards)),
        projection(application, shards),
        Consumer("archiving", tidying(application, shards.held_shards)),
        Consumer("expiry", application.expiry.step),
        Consumer("deletions", application.erasure.step, Ownership(leases, [ERASER])),
        Consumer("memory", application.memory_watch.step, Ownership(leases, [WARNER])),
        *(make() for make in application.hooks.duties),
    )
    for duty in found:
        if isinstance(duty, Consumer):
            duty.report_to(application.failures)
    return found


class Shards:
    """The shards whose leases this process holds: its fair share, while others have the same duties."""

    def __init__(self, leases: Leases) -> None:
        self._names = {PROJECTOR.format(number): Shard(number) for number in range(SHARDS)}
        self.ownership = Ownership(leases, list(self._names), SHARING)

    def held_shards(self) -> frozenset[Shard]:
        """Return them."""
        return frozenset(self._names[name] for name in self.ownership.held)


def sweep(application: DutyContext, kind: AgendaKind, work: Work, held: Callable[[], Collection[Shard]] = frozenset) -> Step:
    """Return the step that processes due matches, never early, and wakes up when the next one comes due."""
    settings = application.settings
    pacer = PollPacer(application.activity, held, settings.sweep_ms / 1000)

    async def look(shards: Collection[Shard] | None) -> float:
        now_ms = None if application.by_the_clock else application.now_ms()
        claims = await application.stores.agenda.claim(kind, now_ms, settings.lease_ms, AT_ONCE, shards)
        if claims.due:
            await work(kind, [match_id for match_id, _ in claims.due])
        if claims.next_ms is None:
            return LONG_REST_SECONDS
        left_ms = claims.next_ms - application.now_ms()
        if kind is AgendaKind.WORK and left_ms <= max(settings.lease_ms, LONGEST_LEASE_MS):
            left_ms = min(left_ms, settings.sweep_ms)  # bots that think may want it sooner, which no log tells
        return max(0, left_ms) / 1000

    return lambda: pacer.poll(look)


def tidying(application: DutyContext, held: Callable[[], Collection[Shard]]) -> Step:
    """Return the step that logs and archives finished matches."""
    pacer = PollPacer(application.activity, held, CARE_SECONDS)
    return lambda: pacer.poll(application.finalizer.step)


def following(application: DutyContext) -> Step:
    """Return the step that moves everything planned closer if the clock was set back."""

    async def step() -> float:
        now_ms = None if application.by_the_clock else application.now_ms()
        if back_ms := await application.stores.server_time.follow(now_ms):
            log.warning("clock was set back, deadlines brought nearer", seconds=round(back_ms / 1000, 1))
            application.activity.wake()
        return FOLLOW_SECONDS

    return step


class InProcess:
    """The work of a process that has no workers.

    What takes long is not done at once: it waits for `think`, which does one job after the other, those that people wait for
    first. So no person waits for what the bots of other matches think about, but for one thought at most.
    """

    def __init__(self, application: DutyContext) -> None:
        self._application = application
        self._waiting: Mapping[QueueName, dict[MatchId, None]] = {name: {} for name in QueueName}
        self._put = asyncio.Event()
        self._taken = 0

    def duties(self) -> Sequence[Duty]:
        """Return all duties of a deployment, with the long jobs besides."""
        think = Consumer("bots that think", self.think, rest_seconds=SHORT_REST_SECONDS)
        return (*duties(self._application, self.work), think)

    async def work(self, kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        """Run what is due in matches and takes no time."""
        application = self._application
        for match_id in matches:
            late = kind is AgendaKind.DEADLINE
            task = application.process_manager.time_out(match_id) if late else self._go_on(QueueName.BOTS_FAST, match_id)
            await self._attempt(task, match_id, kind)

    async def think(self) -> float:
        """Wait for a long job, and run it."""
        await self._put.wait()
        (queue, match_id) = self._next()
        await self._attempt(run_limited(self._go_on(queue, match_id)), match_id, AgendaKind.WORK)
        return 0.0

    async def _attempt(self, work: Awaitable[object], match_id: MatchId, kind: AgendaKind) -> None:
        application = self._application
        await attempt(work, match_id, kind, application.stores.agenda, application.now_ms, application.failures)

    def put(self, queue: QueueName, match_id: MatchId) -> None:
        """Let a match wait in a queue until its turn comes."""
        self._waiting[queue][match_id] = None
        self._put.set()

    async def _go_on(self, queue: QueueName, match_id: MatchId) -> None:
        if (waits_in := await self._application.jobs.go_on(queue, match_id)) is not None:
            self.put(waits_in, match_id)

    def _next(self) -> tuple[QueueName, MatchId]:
        """Take the oldest job of the most urgent queue, now and then of one of the others, in turn."""
        self._taken += 1
        turn, rest = divmod(self._taken, OTHERS_FIRST)
        filled = [name for name, matches in self._waiting.items() if matches]
        queue = filled[1 + turn % (len(filled) - 1) if rest == 0 and len(filled) > 1 else 0]
        match_id = next(iter(self._waiting[queue]))
        del self._waiting[queue][match_id]
        if not any(self._waiting.values()):
            self._put.clear()
        return queue, match_id


def projection(application: DutyContext, shards: Shards | None = None) -> Consumer:
    """Return the consumer that projects the shards whose lease it holds."""
    mine = shards or Shards(application.stores.leases)
    return Consumer("projector", lambda: application.projector.step(mine.held_shards()), mine.ownership)
