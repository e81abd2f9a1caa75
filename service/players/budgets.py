"""Budgets of what players do: each has a share, and so have all together who ask from one address.

A guest is made in no time, so what is counted by player only is not counted.
"""

from __future__ import annotations

import hmac

import msgspec

from ...domain.match import PlayerId
from .accounts import Accounts
from .quota_table import Row
from .quotas import Quotas, QuotaState


class Budgets:
    """Makes the budgets of a deployment by their rows in the table; `id_key` hides addresses."""

    def __init__(self, quotas: Quotas, accounts: Accounts, id_key: bytes, *, limited: bool) -> None:
        self.quotas = quotas
        self.accounts = accounts
        self.limited = limited
        self._id_key = id_key

    def of_row(self, row: Row, settings: msgspec.Struct | None = None) -> Budget:
        """Return the budget of a row, whose shares are numbers or fields of *settings*."""
        return Budget(self, row, settings)

    def hide(self, place: str) -> str:
        """Return a keyed hash of an address of a client, or of a mail address."""
        return hmac.digest(self._id_key, f"budget|{place}".encode(), "sha256").hex()[:32]


class Budget:
    """What pays for one kind of thing that players do. Without limits, it always has something left."""

    def __init__(self, budgets: Budgets, row: Row, settings: msgspec.Struct | None) -> None:
        self._budgets = budgets
        self._is_limited = budgets.limited or row.always
        self._own = row.quota(settings)
        self._of_sender = None
        if row.of_sender is not None:
            self._of_sender = msgspec.structs.replace(self._own, name=f"{row.name}-from", quota=row.of_sender)
        self._shared = row.quota_at(settings) if row.together is not None else None

    async def spend(self, player: PlayerId, address: str) -> QuotaState | None:
        """Spend a unit of a player and one of its address; return which budget has nothing left, or None if both had.

        *address* is where the player asks from, empty if that does not count. What one of the two refuses costs neither anything.
        """
        if (refused := await self.spend_by(player)) is not None:
            return refused
        if (refused := await self.spend_at(player, address)) is not None:
            self._budgets.quotas.give_back(self._own, player)
        return refused

    async def spend_by(self, holder: str, *, hidden: bool = False) -> QuotaState | None:
        """Spend a unit of one spender only; return its budget if that has nothing left. *hidden*: it is an address."""
        if not self._is_limited:
            return None
        standing = await self._budgets.quotas.spend(self._own, self._budgets.hide(holder) if hidden else holder)
        return standing if standing.wait_s else None

    async def spend_for(self, sender: PlayerId, recipient: str) -> QuotaState | None:
        """Spend a unit of a recipient, of which one sender uses a part at most; otherwise as `spend_by`."""
        of_sender = self._of_sender
        if not self._is_limited or of_sender is None:
            return await self.spend_by(recipient, hidden=True)
        pair = self._budgets.hide(f"{sender}>{recipient}")
        standing = await self._budgets.quotas.spend(of_sender, pair)
        if standing.wait_s:
            return standing
        if (refused := await self.spend_by(recipient, hidden=True)) is not None:
            self._budgets.quotas.give_back(of_sender, pair)
        return refused

    async def spend_at(self, player: PlayerId, address: str) -> QuotaState | None:
        """Spend a unit of a player's address only, as `spend`."""
        if not self._is_limited or self._shared is None or not address:
            return None
        standing = await self._budgets.quotas.spend_shared(
            self._shared, self._budgets.hide(address), lambda: self._budgets.accounts.is_guest(player)
        )
        return standing if standing.wait_s else None

    def give_back(self, player: PlayerId, address: str) -> None:
        """Take back what a player and its address have spent a moment ago for what was not done."""
        if self._is_limited:
            self._budgets.quotas.give_back(self._own, player)
        self.give_back_at(address)

    def give_back_at(self, address: str, units: int = 1) -> None:
        """Take back what an address has paid a moment ago for what was not done."""
        if not self._is_limited or self._shared is None or not address:
            return
        for _ in range(units):
            self._budgets.quotas.give_back(self._shared, self._budgets.hide(address))
