"""Paying for what players do to others, out of two budgets: the player's own, and that of the address from which it asks.

A guest is made in no time, so what is counted by player alone is not counted.
"""

from __future__ import annotations

import hmac

import msgspec

from ...domain.match import PlayerId
from ..ports.quotas import Quota
from .quotas import Quotas, QuotaState

PLAYERS_AT_AN_ADDRESS = 10
"""How many times as much as a player those may do together who ask from the same address: a school, for instance."""


class Purse:
    """Pays for one kind of thing that players do; `id_key` hides addresses. With no quota, there is no limit."""

    def __init__(self, quotas: Quotas, id_key: bytes, quota: Quota | None) -> None:
        self._quotas = quotas
        self._id_key = id_key
        self._quota = quota

    async def pay(self, player: PlayerId, address: str) -> QuotaState | None:
        """Spend a unit of a player and one of its address; return which budget has nothing left, or None if both had.

        *address* is where the player asks from, empty if that does not count. What the address refuses costs the player nothing.
        """
        if (own := self._quota) is None:
            return None
        standing = await self._quotas.spend(own, player)
        if standing.wait_s:
            return standing
        if not address:
            return None
        shared = msgspec.structs.replace(own, name=f"{own.name}-at", quota=PLAYERS_AT_AN_ADDRESS * own.quota)
        there = await self._quotas.spend(shared, self._hide(address))
        if there.wait_s:
            self._quotas.give_back(own, player)
            return there
        return None

    def _hide(self, address: str) -> str:
        return hmac.digest(self._id_key, f"purse|{address}".encode(), "sha256").hex()[:32]
