"""The names of the job queues, for modules that need no queue."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class QueueName(Enum):
    """The queues, the most urgent first: clocks, bots people wait for (those that think for long apart), bots alone, coaching."""

    TIMEOUTS = "timeouts"
    BOTS_FAST = "bots-fast"
    BOTS_DEEP = "bots-deep"
    BOTS_ALONE = "bots-alone"
    COACHING = "coaching"


MATCHES_NEED = (QueueName.TIMEOUTS, QueueName.BOTS_FAST, QueueName.BOTS_DEEP, QueueName.BOTS_ALONE)
"""Those without which a match stands still."""


OTHERS_FIRST = 8
"""One in this many jobs comes from another queue than the most urgent one, so that no queue starves."""


def queues_served(names: Sequence[QueueName]) -> list[QueueName]:
    """Return the queues that a worker serves: one for slow bots also takes bot-only matches and coaching, after them."""
    more = [QueueName.BOTS_ALONE, QueueName.COACHING] if QueueName.BOTS_DEEP in names else []
    return [*names, *(name for name in more if name not in names)]
