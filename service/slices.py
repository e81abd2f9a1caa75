"""One job for the bots of a match, whether a worker does it or the process of a host.

Matches in which a person waits come first: so bot-only matches play in short slices, and those that think for long apart.
"""

from __future__ import annotations

from collections.abc import Callable

from ..domain.match import MatchId
from .matches.process_manager import ProcessManager, RemainingWork
from .ports.agenda import Agenda, AgendaKind
from .runtime.queue_names import QueueName

SLICE_MS = 50
"""How long the bots of one match play in one job (milliseconds); then others get their turn. A thought is not cut off."""
LEASES_MS = {QueueName.BOTS_DEEP: 2_000, QueueName.BOTS_ALONE: 15_000}
"""Milliseconds until a match that waits in one of these queues is offered again."""
LONGEST_LEASE_MS = max(LEASES_MS.values())
BOT_QUEUES = (QueueName.BOTS_FAST, QueueName.BOTS_DEEP, QueueName.BOTS_ALONE)
_OTHER_QUEUES = {RemainingWork.DEEP: QueueName.BOTS_DEEP, RemainingWork.ALONE: QueueName.BOTS_ALONE}


async def play_slice(
    manager: ProcessManager, agenda: Agenda, now_ms: Callable[[], int], match_id: MatchId, queue: QueueName
) -> QueueName | None:
    """Let the bots of a match play as a job of *queue* does; return the queue in which the rest is to wait, None without one.

    Slow bots and bot-only matches have their own queues.
    """
    deep = queue is not QueueName.BOTS_FAST
    alone = queue is QueueName.BOTS_ALONE
    left = await manager.play_bots(match_id, now_ms() + SLICE_MS, deep=deep, alone=alone)
    if left is RemainingWork.NOTHING:
        return None
    waits_in = _OTHER_QUEUES.get(left, queue)
    if (lease_ms := LEASES_MS.get(waits_in)) is not None:
        await agenda.postpone(AgendaKind.WORK, match_id, now_ms() + lease_ms)
    return waits_in
