"""The stores in plain memory: for hosts without a server, and for fast tests. One process, one event loop, nothing kept.

They answer as the stores on a server do; tests/service/ports runs one suite over all of them.
"""

from __future__ import annotations

import secrets

from ..ports.backing import Backing
from ..ports.blobs import BlobStore
from ..ports.stores import Stores
from .agenda import MemoryAgenda, MemoryLeases
from .answers import MemoryAnswers
from .archives import MemoryArchives
from .blobs import MemoryBlobs
from .clock import MemoryClock
from .events import MemoryEvents
from .failures import MemoryFailures
from .holdings import MemoryHoldings
from .players import MemoryPlayers
from .quotas import MemoryQuotas
from .rows import MemoryRows

__all__ = ["MemoryAgenda", "MemoryBlobs", "MemoryEvents", "memory_stores"]


def memory_stores(blobs: BlobStore | None = None) -> Stores:
    """Return fresh, empty stores in memory. Archives are put into *blobs*, or stay with the events."""
    agenda = MemoryAgenda()
    rows = MemoryRows()
    events = MemoryEvents(agenda, blobs=blobs)
    return Stores(
        events=events,
        archives=MemoryArchives(events, agenda),
        agenda=agenda,
        server_time=MemoryClock(agenda, rows),
        leases=MemoryLeases(),
        rows=rows,
        players=MemoryPlayers(),
        budgets=MemoryQuotas(),
        holdings=MemoryHoldings(),
        answers=MemoryAnswers(),
        failures=MemoryFailures(),
        id_key=secrets.token_bytes(32),
        backing=Backing(),
        blobs=blobs,
    )
