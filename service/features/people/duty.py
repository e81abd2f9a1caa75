"""Recurring work of people."""

from __future__ import annotations

from collections.abc import Callable

from .port import PeopleStore

PAUSE_SECONDS = 600.0
"""How often invitations and relations that have ended are looked for."""


class PeoplePruning:
    """Deletes what has ended where the store does not do so by itself."""

    def __init__(self, store: PeopleStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def step(self) -> float:
        """Delete what has ended; return after how many seconds to look again."""
        await self._store.prune(self._now_ms())
        return PAUSE_SECONDS
