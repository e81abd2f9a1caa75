"""Budgets of matches: how many a player and an address may open a day, and how many bot-only ones a host begins a minute.

Each match is stored for good, so what one player or address can store in a day is bounded by what it may open.
"""

from __future__ import annotations

from ...domain.match import PlayerId
from ..errors import TooManyHeld
from ..players.accounts import Accounts
from ..players.quotas import Quotas
from ..ports.quotas import Quota
from ..settings import Settings

DAY_SECONDS = 86_400


class MatchBudgets:
    """Pays for matches; each method raises TooManyHeld where nothing is left."""

    def __init__(self, quotas: Quotas, accounts: Accounts, settings: Settings) -> None:
        self._quotas = quotas
        self._accounts = accounts
        self._of_player = Quota("matches", settings.limits.matches_per_player_daily, DAY_SECONDS)
        self._of_address = Quota("matches-at", settings.limits.matches_per_address_daily, DAY_SECONDS)
        self._bots = Quota("bot-matches", settings.limits.bot_matches_per_minute)

    async def pay(self, player: PlayerId, address: str) -> None:
        """Pay for a new match of a player; *address* is a keyed hash, empty if unknown. What one refuses costs neither a unit.

        A player with a token of the scope `embed` pays nothing: an operator has allowed it to open matches for others.
        """
        standing = await self._quotas.spend(self._of_player, player)
        if standing.wait_s and not await self.embeds(player):
            raise TooManyHeld("daily", self._of_player.quota, standing.wait_s)
        at = await self._quotas.spend(self._of_address, address) if address else None
        if at is not None and at.wait_s and not await self.embeds(player):
            if not standing.wait_s:
                self._quotas.give_back(self._of_player, player)
            raise TooManyHeld("daily-at", self._of_address.quota, at.wait_s)

    async def pay_ahead(self, player: PlayerId, address: str, matches: int) -> int:
        """Pay for matches that begin later without being asked for, and return how many were paid for; *address* is a keyed hash.

        All are paid for, or none; where nothing is left, a player with a token of the scope `embed` pays only for the first ones.
        Only the address pays: no one of those who will play opens them.
        """
        for paid in range(matches):
            standing = await self._quotas.spend(self._of_address, address)
            if standing.wait_s:
                if await self.embeds(player):
                    return paid
                self.give_back(address, paid)
                raise TooManyHeld("daily-at", self._of_address.quota, standing.wait_s)
        return matches

    def give_back(self, address: str, matches: int) -> None:
        """Give back what an address has paid ahead a moment ago for matches that will not begin."""
        for _ in range(matches):
            self._quotas.give_back(self._of_address, address)

    async def pay_for_bots(self, host: PlayerId) -> None:
        """Pay for beginning a bot-only match, from a budget that pays for nothing else."""
        standing = await self._quotas.spend(self._bots, host)
        if standing.wait_s:
            raise TooManyHeld("bots-begun", self._bots.quota, standing.wait_s)

    async def embeds(self, player: PlayerId) -> bool:
        """Return whether an operator has given a player a token to open matches for others."""
        return any("embed" in token.scopes for token in await self._accounts.tokens(player))
