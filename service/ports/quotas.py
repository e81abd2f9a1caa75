"""Quotas of requests: where all processes of a deployment take their portions."""

from __future__ import annotations

from typing import Protocol

import msgspec

WINDOW_SECONDS = 60


class Quota(msgspec.Struct, frozen=True):
    """Units per minute, or per another window, for each holder, which are also the largest burst."""

    name: str
    quota: int
    window_s: int = WINDOW_SECONDS

    @property
    def step_us(self) -> int:
        """How long it takes to gain one unit."""
        return 1_000_000 * self.window_s // self.quota

    @property
    def room_us(self) -> int:
        """How long it takes to gain all of them."""
        return self.step_us * self.quota


class Grant(msgspec.Struct, frozen=True):
    """What a store has given: `units`, and how long it takes until the budget is full again."""

    units: int
    debt_us: int


class QuotaStore(Protocol):
    """Where all processes of a deployment take their portions."""

    async def take(self, holder: str, budget: Quota, units: int, now_ms: int) -> Grant:
        """Take up to *units* out of a holder's budget, in one step. What is unused for a window is forgotten."""
        ...
