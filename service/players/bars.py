"""What a player may not do for a time: features say so, and everything that a player begins asks here first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import TypeAlias

from ...domain.match import PlayerId
from ..errors import Barred


class Deed(Enum):
    """What a player is about to do: speak, take part in something new, or act in a match that it is in."""

    TALK = "talk"
    TAKE_PART = "take-part"
    PLAY = "play"


Bar: TypeAlias = Callable[[PlayerId, Deed, str], Awaitable[None]]
"""Raises Barred if a player may not do something now; the text is the address that it asks from, empty if that does not count."""


class Bars:
    """Asks all bars of a deployment."""

    def __init__(self) -> None:
        self._bars: list[Bar] = []

    def add(self, bar: Bar) -> None:
        """Ask this bar, too, from now on."""
        self._bars.append(bar)

    async def require(self, player: PlayerId, deed: Deed, address: str = "") -> None:
        """Raise Barred if a player may not do something now."""
        for bar in self._bars:
            await bar(player, deed, address)

    async def may(self, player: PlayerId, deed: Deed) -> bool:
        """True if nothing bars a player now."""
        try:
            await self.require(player, deed)
        except Barred:
            return False
        return True
