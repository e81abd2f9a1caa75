"""Limits in the open: what each request costs, whose budget pays, and the headers that show what is left.

A request with a token is paid by its player, and by the address besides: that budget is not shown, as it changes with what others
at the same address do in secret. All requests of an address without a token share one budget. What brings proof of itself, as a
code or a signed assertion, pays only if that is not valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from ...domain.match import PlayerId
from ...service.players import quota_table
from ...service.players.accounts import Accounts, Principal
from ...service.players.quotas import Quotas, QuotaState
from ...service.ports.quotas import Quota
from ...service.runtime.connections import address_of
from ...service.settings import Settings
from ..problems import Refused

HEADER_BYTES = 16 * 1024
HEADER_COUNT = 100
READS_PER_LOAD = 10
"""A read costs as many more if the process has to load a match for it. It is the same for all: a length would be a secret."""
Headers = tuple[tuple[bytes, bytes], ...]


class Cost(Enum):
    """The quota that a request is charged to. `PROOF`: it brings what proves itself, and pays only where that is not valid."""

    NOTHING = "nothing"
    READ = "reads"
    ADVICE = "advice"
    COMMAND = "commands"
    STREAM = "streams"
    SIGN_UP = "sign-ups"
    CHALLENGE = "challenges"
    PROOF = "proof"


class TooMany(Refused):
    """A quota is used up; `standing` says which, and for how long. `shown`: its state is the caller's own to see."""

    def __init__(self, standing: QuotaState, *, shown: bool = True) -> None:
        detail = f"{standing.budget.name}: {standing.budget.quota} a minute"
        super().__init__("too-many-requests", detail=detail, retry_seconds=standing.wait_s)
        self.standing = standing
        self.shown = shown


OF_ADDRESS = frozenset({Cost.SIGN_UP, Cost.CHALLENGE, Cost.PROOF})
"""What is charged to the address, whether a token comes with it or not."""


class Limits:
    """The quotas of requests, over those that all processes share."""

    def __init__(self, settings: Settings, budgets: Quotas, accounts: Accounts) -> None:
        self._budgets = budgets
        self._accounts = accounts
        limits = settings.limits
        self._by_cost: Mapping[Cost, Quota] = {
            Cost.READ: quota_table.READS.quota(limits),
            Cost.ADVICE: quota_table.ADVICE.quota(limits),
            Cost.COMMAND: quota_table.COMMANDS.quota(limits),
            Cost.STREAM: quota_table.STREAMS.quota(limits),
            Cost.SIGN_UP: quota_table.SIGN_UPS.quota(limits),
            Cost.CHALLENGE: quota_table.CHALLENGES.quota(limits),
        }
        self._address = quota_table.ADDRESS.quota(limits)
        self._no_token = quota_table.NO_TOKEN.quota(limits)
        self._failures = quota_table.FAILURES.quota(limits)

    async def pay(self, cost: Cost, caller: Principal | None, peer: str) -> QuotaState | None:
        """Charge a request; return what its own budget has left. Raises TooMany; what is refused costs nothing."""
        if cost is Cost.PROOF:
            return None
        budget, holder = self._own(cost, caller, peer)
        standing = await self._spend(budget, holder)
        if caller is not None:
            try:
                await self.enter(peer, caller.player)
            except TooMany:
                self._budgets.give_back(budget, holder)
                raise
        return standing

    async def pay_more(self, cost: Cost, caller: Principal | None, peer: str, units: int) -> QuotaState:
        """Charge further units for a request that costs as much as that many others; raise TooMany."""
        standing = None
        for budget, holder in ((self._address, address_of(peer)), self._own(cost, caller, peer)):
            if budget is self._address and caller is None:
                continue
            standing = await self._budgets.spend_all(budget, holder, units)
            if standing.wait_s:
                raise TooMany(standing)
        assert standing is not None, "the last of the budgets is always charged"
        return standing

    async def enter(self, peer: str, player: PlayerId | None = None) -> None:
        """Charge an address for a request of a player, or for one without a token; raise TooMany."""
        if player is None:
            await self._spend(self._no_token, address_of(peer))
            return
        holder = address_of(peer)
        standing = self._budgets.at_once(self._address, holder) or await self._budgets.spend(self._address, holder)
        if not standing.wait_s and 2 * standing.left < self._address.quota:
            standing = await self._budgets.leave_to_named(standing, holder, lambda: self._accounts.is_guest(player))
        if standing.wait_s:
            raise TooMany(standing, shown=False)

    async def note_failure(self, peer: str) -> None:
        """Count an invalid token; raise TooMany if there were too many of them."""
        await self._spend(self._failures, address_of(peer))

    def require_trust(self, peer: str) -> None:
        """Raise TooMany while an address has sent too many invalid tokens. No store is asked."""
        standing = self._budgets.find_block(self._failures, address_of(peer))
        if standing is not None:
            raise TooMany(standing)

    def _own(self, cost: Cost, caller: Principal | None, peer: str) -> tuple[Quota, str]:
        """Return the budget that a request is charged to beside that of all at its address, and its holder."""
        if caller is not None:
            return self._by_cost[cost], caller.grant or caller.player
        return self._by_cost[cost] if cost in OF_ADDRESS else self._no_token, address_of(peer)

    async def _spend(self, budget: Quota, holder: str) -> QuotaState:
        standing = self._budgets.at_once(budget, holder) or await self._budgets.spend(budget, holder)
        if standing.wait_s:
            raise TooMany(standing)
        return standing


def headers_of(standing: QuotaState) -> Headers:
    """Return the headers with the state of a client's quota (draft-ietf-httpapi-ratelimit-headers)."""
    name = standing.budget.name
    state = f'"{name}";r={standing.left};t={standing.wait_s or standing.full_s}'
    return (
        (b"ratelimit", state.encode()),
        (b"ratelimit-policy", f'"{name}";q={standing.budget.quota};w={standing.budget.window_s}'.encode()),
    )


def require_small(headers: Sequence[tuple[bytes, bytes]]) -> None:
    """Refuse headers that are too many or too large."""
    if len(headers) > HEADER_COUNT or sum([len(name) + len(value) for name, value in headers]) > HEADER_BYTES:
        raise Refused("headers-too-large")
