"""Limits in the open: what each request costs, whose budget pays, and the headers that show what is left.

A request with a token is paid by that token's budget, one without by that of its address. All requests of an address have a
budget besides. It is shown only when it is empty: it changes with what others at the same address do in secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

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
    """The quota that a request is charged to."""

    NOTHING = "nothing"
    READ = "reads"
    ADVICE = "advice"
    COMMAND = "commands"
    STREAM = "streams"
    SIGN_UP = "sign-ups"


class TooMany(Refused):
    """A quota is used up; `standing` says which, and for how long."""

    def __init__(self, standing: QuotaState) -> None:
        detail = f"{standing.budget.name}: {standing.budget.quota} a minute"
        super().__init__("too-many-requests", detail=detail, retry_seconds=standing.wait_s)
        self.standing = standing


class Limits:
    """The quotas from the settings, over those that all processes share."""

    def __init__(self, settings: Settings, budgets: Quotas) -> None:
        self._budgets = budgets
        self._by_cost: Mapping[Cost, Quota] = {
            Cost.READ: Quota(Cost.READ.value, settings.limits.reads_per_minute),
            Cost.ADVICE: Quota(Cost.ADVICE.value, settings.limits.advice_per_minute),
            Cost.COMMAND: Quota(Cost.COMMAND.value, settings.limits.commands_per_minute),
            Cost.STREAM: Quota(Cost.STREAM.value, settings.limits.streams_per_minute),
            Cost.SIGN_UP: Quota(Cost.SIGN_UP.value, settings.limits.sign_ups_per_minute),
        }
        self._address = Quota("address", settings.limits.requests_per_minute)
        self._failures = Quota("failures", settings.limits.failures_per_minute)

    async def pay(self, cost: Cost, holder: str) -> QuotaState:
        """Charge a request; raise TooMany."""
        return await self._spend(self._by_cost[cost], holder)

    async def pay_more(self, cost: Cost, holder: str, peer: str, units: int) -> QuotaState:
        """Charge further units for a request that costs as much as that many others; raise TooMany."""
        for budget, who in ((self._address, address_of(peer)), (self._by_cost[cost], holder)):
            standing = await self._budgets.spend_all(budget, who, units)
            if standing.wait_s:
                raise TooMany(standing)
        return standing

    async def enter(self, peer: str) -> None:
        """Charge the per-address budget for a request; raise TooMany."""
        await self._spend(self._address, address_of(peer))

    async def note_failure(self, peer: str) -> None:
        """Count an invalid token; raise TooMany if there were too many of them."""
        await self._spend(self._failures, address_of(peer))

    def require_trust(self, peer: str) -> None:
        """Raise TooMany while an address has sent too many invalid tokens. No store is asked."""
        standing = self._budgets.find_block(self._failures, address_of(peer))
        if standing is not None:
            raise TooMany(standing)

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
