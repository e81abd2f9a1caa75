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
        self._of_player = Quota("matches", settings.matches_per_player_daily, DAY_SECONDS)
        self._of_address = Quota("matches-at", settings.matches_per_address_daily, DAY_SECONDS)
        self._bots = Quota("bot-matches", settings.bot_matches_per_minute)

    async def pay(self, player: PlayerId, address: str) -> None:
        """Pay for a new match of a player; *address* is a keyed hash, empty if unknown.

        A player with a token of the scope `embed` pays nothing: an operator has allowed it to open matches for others.
        """
        payers = [("daily", self._of_player, player), *([("daily-at", self._of_address, address)] if address else [])]
        for kind, budget, holder in payers:
            standing = await self._quotas.spend(budget, holder)
            if standing.wait_s and not await self._embeds(player):
                raise TooManyHeld(kind, budget.quota, standing.wait_s)

    async def pay_for_bots(self, host: PlayerId) -> None:
        """Pay for beginning a bot-only match, from a budget that pays for nothing else."""
        standing = await self._quotas.spend(self._bots, host)
        if standing.wait_s:
            raise TooManyHeld("bots-begun", self._bots.quota, standing.wait_s)

    async def _embeds(self, player: PlayerId) -> bool:
        return any("embed" in token.scopes for token in await self._accounts.tokens(player))
