"""The one list of what a deployment must do over and over, whether a sweeper does it or the process of a host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeAlias

from ..domain.match import MatchId
from .archiving.finalizer import Finalizer
from .bots.process_manager import ProcessManager
from .matches.expiry import Expiry
from .ports.agenda import AgendaKind
from .ports.events import SHARDS, Shard
from .ports.stores import Stores
from .ratings.projector import RatingProjector
from .runtime.consumer import SHORT_REST_SECONDS, Consumer, Duty, Ownership, Step
from .runtime.match_task import attempt
from .settings import Settings
from .views.projections import Projector
from .webhooks.dispatcher import Dispatcher
from .webhooks.outbox import Outbox

AT_ONCE = 100
RATER, HERALD, PROJECTOR = "rater", "herald", "projector:{}"
"""Names of leases on the server: processes of several releases may run side by side, so never rename them."""

Work: TypeAlias = Callable[[AgendaKind, Sequence[MatchId]], Awaitable[None]]
"""What is done with matches that are due. What is not done is offered again when their lease has run out."""


class Tended(Protocol):
    """What the duties need of an application."""

    stores: Stores
    settings: Settings
    now_ms: Callable[[], int]
    process_manager: ProcessManager
    projector: Projector
    finalizer: Finalizer
    expiry: Expiry
    rating_projector: RatingProjector
    outbox: Outbox
    dispatcher: Dispatcher


def duties(application: Tended, work: Work) -> Sequence[Duty]:
    """Return all duties of a deployment, to be done at once. Any number of processes may have them."""
    leases = application.stores.leases
    return (
        Consumer("clocks", sweep(application, AgendaKind.DEADLINE, work), rest_seconds=SHORT_REST_SECONDS),
        Consumer("bots", sweep(application, AgendaKind.WORK, work)),
        projection(application),
        Consumer("archiving", application.finalizer.step),
        Consumer("expiry", application.expiry.step),
        Consumer("ratings", application.rating_projector.step, Ownership(leases, [RATER])),
        Consumer("webhook outbox", application.outbox.step, Ownership(leases, [HERALD])),
        application.dispatcher,
    )


def sweep(application: Tended, kind: AgendaKind, work: Work) -> Step:
    """Return the step that has the work of due matches done, never early, and looks again when the next one comes due."""

    async def step() -> float:
        now_ms, settings = application.now_ms(), application.settings
        claims = await application.stores.agenda.claim(kind, now_ms, settings.lease_ms, AT_ONCE)
        if claims.due:
            await work(kind, [match for match, _ in claims.due])
        if len(claims.due) == AT_ONCE:
            return 0.0
        left_ms = settings.sweep_ms if claims.next_ms is None else claims.next_ms - application.now_ms()
        return max(0, min(settings.sweep_ms, left_ms)) / 1000

    return step


def in_process(application: Tended) -> Work:
    """Return the work of a process that has no workers: it is done here, match by match."""
    manager, agenda = application.process_manager, application.stores.agenda

    async def work(kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        for match in matches:
            task = manager.time_out(match) if kind is AgendaKind.DEADLINE else manager.play_bots(match)
            await attempt(task, match, kind, agenda, application.now_ms)

    return work


def projection(application: Tended) -> Consumer:
    """Return the consumer that projects the shards whose lease it holds."""
    shards = {PROJECTOR.format(number): Shard(number) for number in range(SHARDS)}
    ownership = Ownership(application.stores.leases, list(shards))

    async def step() -> float:
        return await application.projector.step({shards[name] for name in ownership.held})

    return Consumer("projector", step, ownership)
