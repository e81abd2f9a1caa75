"""Leases: one owner at a time for a piece of work."""

from __future__ import annotations

from typing import Protocol


class Leases(Protocol):
    """Ownership for a while: one owner per name."""

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        """Take or renew the lease; False if another owner holds it."""
        ...

    async def give_back(self, name: str, owner: str) -> None:
        """End the lease if *owner* still holds it."""
        ...
