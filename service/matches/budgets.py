"""Budgets of matches: how many a player and an address may open a day, and how many bot-only ones a host begins a minute.

Each match is stored for good, so what one player or address can store in a day is bounded by what it may open.
"""

from __future__ import annotations

from ...domain.match import PlayerId
from ..errors import TooManyHeld
from ..players.accounts import Accounts
from ..players.budgets import Budgets
from ..players.quota_table import BOT_MATCHES, MATCHES
from ..players.quotas import QuotaState
from ..settings import Settings


class MatchBudgets:
    """Pays for matches; each method raises TooManyHeld where nothing is left."""

    def __init__(self, budgets: Budgets, accounts: Accounts, settings: Settings) -> None:
        self._accounts = accounts
        self._matches = budgets.of_row(MATCHES, settings.limits)
        self._bots = budgets.of_row(BOT_MATCHES, settings.limits)

    async def pay(self, player: PlayerId, address: str) -> None:
        """Pay for a new match of a player; *address* is empty if unknown. What one refuses costs neither a unit.

        A player with a token of the scope `embed` pays nothing: an operator has allowed it to open matches for others.
        """
        refused = await self._matches.spend(player, address)
        if refused is not None and not await self.embeds(player):
            raise _too_many(refused)

    async def pay_ahead(self, player: PlayerId, address: str, matches: int) -> int:
        """Pay for matches that begin later without being asked for, and return how many were paid for.

        All are paid for, or none; where nothing is left, a player with a token of the scope `embed` pays only for the first ones.
        Only the address pays: no one of those who will play opens them.
        """
        for paid in range(matches):
            refused = await self._matches.spend_at(player, address)
            if refused is not None:
                if await self.embeds(player):
                    return paid
                self.give_back(address, paid)
                raise _too_many(refused)
        return matches

    def give_back(self, address: str, matches: int) -> None:
        """Give back what an address has paid ahead a moment ago for matches that will not begin."""
        self._matches.give_back_at(address, matches)

    async def pay_for_bots(self, host: PlayerId) -> None:
        """Pay for beginning a bot-only match, from a budget that pays for nothing else."""
        if (refused := await self._bots.spend_by(host)) is not None:
            raise TooManyHeld("bots-begun", refused.budget.quota, refused.wait_s)

    async def is_guest(self, player: PlayerId) -> bool:
        """True if a player comes after named ones where its address has little left."""
        return await self._accounts.is_guest(player)

    async def embeds(self, player: PlayerId) -> bool:
        """Return whether an operator has given a player a token to open matches for others."""
        return any("embed" in token.scopes for token in await self._accounts.tokens(player))


def _too_many(refused: QuotaState) -> TooManyHeld:
    return TooManyHeld("daily" if refused.budget.name == MATCHES.name else "daily-at", refused.budget.quota, refused.wait_s)
