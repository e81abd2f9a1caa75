"""The names of the job queues, for modules that need no queue."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class QueueName(Enum):
    """The queues, the most urgent first: clocks, bots that people wait for (those that think for long apart), bots alone."""

    TIMEOUTS = "timeouts"
    BOTS_FAST = "bots-fast"
    BOTS_DEEP = "bots-deep"
    BOTS_ALONE = "bots-alone"


OTHERS_FIRST = 8
"""One in this many jobs comes from another queue than the most urgent one, so that no queue starves."""


def served(names: Sequence[QueueName]) -> list[QueueName]:
    """Return the queues that a worker serves: one for slow bots also takes bot-only matches, after them."""
    alone = QueueName.BOTS_DEEP in names and QueueName.BOTS_ALONE not in names
    return [*names, *([QueueName.BOTS_ALONE] if alone else [])]
