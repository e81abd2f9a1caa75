"""What the stores on a server stand on."""

from __future__ import annotations

from ..ports.backing import Backing, StoreKind
from .store_client import StoreClient


class RedisBacking(Backing):
    """The connections to the server, and how long an append waits for a replica (milliseconds; None: not at all)."""

    kind = StoreKind.REDIS

    def __init__(self, client: StoreClient, wait_ms: int | None) -> None:
        super().__init__()
        self.client = client
        self.wait_ms = wait_ms
