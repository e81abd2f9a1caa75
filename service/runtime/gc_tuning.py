"""Garbage collection settings of a long-running process."""

from __future__ import annotations

import gc

ALLOCATIONS = 50_000
YOUNG_LOOKS = 20
MIDDLE_LOOKS = 100


def collect_rarely() -> None:
    """Look for cycles rarely. With the defaults a tenth of the time that imports take goes into it."""
    gc.set_threshold(ALLOCATIONS, YOUNG_LOOKS, MIDDLE_LOOKS)


def calm_collector() -> None:
    """Look for cycles rarely, and never among the objects that exist at the start.

    A process that keeps a thousand matches folded has millions of objects, hardly any of them in cycles. With the defaults every
    full collection costs a tenth of a second or more, several times a second under load: half the throughput, and all of
    the worst latencies.
    """
    gc.collect()
    gc.freeze()
    collect_rarely()
