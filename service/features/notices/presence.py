"""Who is there: players with a stream, a long poll or a socket open, in whatever process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence

from ....domain.match import PlayerId
from ...errors import StoreUnavailable
from ...runtime.consumer import stop_if_cancelled
from ...runtime.outage import Outage
from .port import NoticeStore

EVERY_SECONDS = 5.0
"""How often a process notes who is there: more often than the shortest delay of a notice."""


class Presence:
    """Keeps in the store when each player was last there; a note that is not repeated is all that ends it."""

    def __init__(
        self, store: NoticeStore, now_ms: Callable[[], int], connected: Sequence[Callable[[], Collection[PlayerId]]]
    ) -> None:
        self._store = store
        self._now_ms = now_ms
        self._connected = connected
        self._outage = Outage("presence: store")

    async def note(self) -> None:
        """Note who is connected to this process now."""
        if players := list(dict.fromkeys(player for each in self._connected for player in each())):
            await self._store.touch(players, self._now_ms())

    async def since(self, player: PlayerId, at_ms: int) -> bool:
        """Return whether a player has been there at a time, or since."""
        seen_ms = await self._store.seen_ms(player)
        return seen_ms is not None and seen_ms >= at_ms

    async def run(self) -> None:
        """Note it over and over, until cancelled."""
        while True:
            try:
                await self.note()
            except StoreUnavailable as error:
                self._outage.note(error)
            else:
                self._outage.over()
            stop_if_cancelled()
            await asyncio.sleep(EVERY_SECONDS)
