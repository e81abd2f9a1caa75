"""Quotas on a server, shared by all processes."""

from __future__ import annotations

from ..ports.quotas import Grant, Quota
from ..ports.server_time import CLOCK_STEP_MS
from . import keys
from .client import items, number
from .script import Script
from .store_client import StoreClient

_SPEND = Script("spend")


class RedisQuotas:
    """When each holder's quota will be full again, each in a key of its own that expires."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def take(self, holder: str, budget: Quota, units: int, now_ms: int) -> Grant:
        """Take up to *units* out of a holder's budget, in one step. A lost reply may cost the holder units."""
        facts = (1000 * now_ms, budget.step_us, budget.room_us, units, 1000 * CLOCK_STEP_MS)
        reply = await self._client.run(_SPEND, (keys.budget(holder),), facts)
        given, debt_us = items(reply)
        return Grant(number(given), number(debt_us))
