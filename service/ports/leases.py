"""Leases: one owner at a time for a piece of work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Leases(Protocol):
    """Ownership for a while: one owner per name."""

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        """Take or renew the lease; False if another owner holds it."""
        ...

    async def take_each(self, names: Sequence[str], owner: str, ttl_ms: int, most: int) -> Collection[str]:
        """Take or renew the first *most* of several leases that no other owner holds, in their order; return those."""
        ...

    async def give_back(self, name: str, owner: str) -> None:
        """End the lease if *owner* still holds it."""
        ...

    async def join(self, group: str, owner: str, ttl_ms: int) -> int:
        """Be in a group for that long; return how many owners are in it now."""
        ...

    async def leave(self, group: str, owner: str) -> None:
        """Be in a group no longer."""
        ...
