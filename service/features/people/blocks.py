"""Who wants nothing of whom: asked by all that brings players together, and known to the feature that keeps it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ....domain.match import PlayerId


class Blocks:
    """Says whether one of two players has blocked the other. A feature offers it (`Core.provide`); without it, no one has."""

    def __init__(self, blocked: Callable[[PlayerId, PlayerId], Awaitable[bool]]) -> None:
        self._blocked = blocked

    async def blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether either has blocked the other; raise StoreUnavailable."""
        return one != other and await self._blocked(one, other)
