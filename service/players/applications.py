"""Which application a player is a user of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ...domain.match import PlayerId
from ..ports.players import PlayerStore

REMEMBERED = 10_000
"""The most players of whom it is remembered."""


class Applications:
    """The applications of players. That of a player never changes, so each is looked up once."""

    def __init__(self, players: PlayerStore) -> None:
        self._players = players
        self._known: dict[PlayerId, PlayerId | None] = {}

    async def of(self, player: PlayerId) -> PlayerId | None:
        """Return the application that a player is a user of; None if it is no user of any, or was deleted."""
        if player not in self._known:
            record = await self._players.player(player)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[player] = record.application if record is not None else None
        return self._known[player]

    async def of_all(self, players: Iterable[PlayerId]) -> list[PlayerId]:
        """Return the applications of players, each once."""
        found = await asyncio.gather(*map(self.of, players))
        return list(dict.fromkeys(each for each in found if each is not None))
