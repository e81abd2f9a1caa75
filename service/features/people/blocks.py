"""Who wants nothing of whom: asked by all that brings players together, and known to the feature that keeps it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from ....domain.match import PlayerId


class Blocks:
    """Says whether a player has blocked another one. A feature offers it (`Core.provide`); without it, no one has.

    *any_blocked* says whether in any of some pairs the first has blocked the second.
    """

    def __init__(self, any_blocked: Callable[[Sequence[tuple[PlayerId, PlayerId]]], Awaitable[bool]]) -> None:
        self._any_blocked = any_blocked

    async def blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether either has blocked the other; raise StoreUnavailable."""
        return one != other and await self._any_blocked([(one, other), (other, one)])

    async def has_blocked(self, one: PlayerId, other: PlayerId) -> bool:
        """Return whether *one* has blocked *other*; raise StoreUnavailable."""
        return one != other and await self._any_blocked([(one, other)])
