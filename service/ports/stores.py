"""All stores of one deployment."""

from __future__ import annotations

import msgspec

from .agenda import Agenda
from .answers import AnswerStore
from .archives import ArchiveStore
from .backing import Backing
from .blobs import BlobStore
from .events import EventStore
from .failures import FailureStore
from .holdings import HoldingStore
from .leases import Leases
from .players import PlayerStore
from .quotas import QuotaStore
from .rows import RowStore
from .server_time import ServerTime


class Stores(msgspec.Struct, frozen=True):
    """All stores of one deployment; `id_key` (32 random bytes, made once per deployment) keys the ids derived from requests.

    `backing` is what they stand on, and has the stores of features. New archives go into `blobs`; without it, they stay in
    the event store.
    """

    events: EventStore
    archives: ArchiveStore
    agenda: Agenda
    server_time: ServerTime
    leases: Leases
    rows: RowStore
    players: PlayerStore
    budgets: QuotaStore
    holdings: HoldingStore
    answers: AnswerStore
    failures: FailureStore
    id_key: bytes
    backing: Backing
    blobs: BlobStore | None = None
