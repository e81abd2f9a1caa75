"""Budgets of requests for each holder, shared by all processes of a deployment.

A budget of `quota` units holds as many and gains `quota` in every window, a minute unless it says otherwise (GCRA: one number
for each holder, the moment at which its budget will be full again). A process takes units out of the shared store in portions,
and spends them by itself: the store is asked seldom, and never for a holder that is known to have nothing left. A portion is a
hundredth of what is gained in a minute at first, grows while portions are used up within a second, and is worth nothing after
ten. So no process gives out what another one has given, and a holder gets at most its quota, what is gained meanwhile, and what
is left of one portion for each process.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable

import msgspec

from ..errors import StoreUnavailable
from ..ports.quotas import WINDOW_SECONDS, Grant, Quota, QuotaStore
from ..ports.server_time import CLOCK_STEP_MS

PORTION_MS = 10_000
BUSY_MS = 1_000
AWAY_MS = 1_000
LARGEST_SHARE = 16
SMALLEST_SHARE = 100
REMEMBERED = 20_000


class QuotaState(msgspec.Struct, frozen=True):
    """The state of a quota: what is left, after how many seconds it is full, and when the next request may come (0: now)."""

    budget: Quota
    left: int
    full_s: int
    wait_s: int


class _Portion:
    """What a process has of one holder's budget."""

    __slots__ = ("blocked_ms", "debt_us", "end_ms", "left", "size", "taken_ms")

    def __init__(self) -> None:
        self.left = 0
        self.size = 1
        self.taken_ms = 0
        self.end_ms = 0
        self.debt_us = 0
        self.blocked_ms = 0


class Quotas:
    """Spends units of budgets; `now_ms` is the clock."""

    def __init__(self, store: QuotaStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms
        self._portions: OrderedDict[str, _Portion] = OrderedDict()
        self._away_until_ms = 0

    def at_once(self, budget: Quota, holder: str) -> QuotaState | None:
        """Spend a unit, or say how long there is none, without asking the store; None if the store has to be asked."""
        portion = self._portion(budget, holder)
        now = self._now_ms()
        if now < portion.blocked_ms or self._away_until_ms - AWAY_MS <= now < self._away_until_ms:
            return self._standing(budget, portion, now)
        if portion.left and now < portion.end_ms:
            portion.left -= 1
            return self._standing(budget, portion, now)
        return None

    async def spend(self, budget: Quota, holder: str) -> QuotaState:
        """Spend a unit. While the store does not answer, no request is refused."""
        standing = self.at_once(budget, holder)
        if standing is not None:
            return standing
        portion = self._portion(budget, holder)
        now = self._now_ms()
        size = _next_size(budget, portion, now)
        try:
            grant = await self._store.take(f"{budget.name}:{holder}", budget, size, now)
        except StoreUnavailable:
            self._away_until_ms = now + AWAY_MS
            return self._standing(budget, portion, now)
        _receive(portion, grant, size, now, budget)
        return self._standing(budget, portion, now)

    async def spend_shared(self, budget: Quota, holder: str, is_guest: Callable[[], Awaitable[bool]]) -> QuotaState:
        """Spend a unit of what many share. Guests use at most half of it, and are asked for only beyond that."""
        standing = self.at_once(budget, holder) or await self.spend(budget, holder)
        return await self.leave_to_named(standing, holder, is_guest)

    async def leave_to_named(self, standing: QuotaState, holder: str, is_guest: Callable[[], Awaitable[bool]]) -> QuotaState:
        """Return the state after a unit was spent, or take that back and refuse a guest beyond the half that guests may use."""
        budget = standing.budget
        missing = budget.quota // 2 - standing.left
        if standing.wait_s or missing <= 0 or not await is_guest():
            return standing
        self.give_back(budget, holder)
        return msgspec.structs.replace(standing, wait_s=-(-missing * budget.step_us // 1_000_000))

    async def spend_all(self, budget: Quota, holder: str, units: int) -> QuotaState:
        """Spend several units, or all that are left if there are too few; the wait is then until that many have been gained."""
        standing = await self.spend(budget, holder)
        for _ in range(min(units, budget.quota) - 1):
            if standing.wait_s:
                break
            standing = await self.spend(budget, holder)
        if standing.wait_s:
            wait_s = min(budget.window_s, -(-units * budget.window_s // budget.quota))
            return msgspec.structs.replace(standing, wait_s=max(standing.wait_s, wait_s))
        return standing

    def give_back(self, budget: Quota, holder: str) -> None:
        """Take back a unit that was spent a moment ago for what was not done; it is worth as much as the rest of its portion.

        It may be spent even if the store had no more just now.
        """
        portion = self._portion(budget, holder)
        portion.left += 1
        portion.blocked_ms = 0

    def find_block(self, budget: Quota, holder: str) -> QuotaState | None:
        """Say how long a holder has nothing left, as far as this process knows; None if it may have something."""
        portion = self._portions.get(f"{budget.name}:{holder}")
        now = self._now_ms()
        return self._standing(budget, portion, now) if portion is not None and now < portion.blocked_ms else None

    def _portion(self, budget: Quota, holder: str) -> _Portion:
        name = f"{budget.name}:{holder}"
        portion = self._portions.get(name)
        if portion is None or portion.taken_ms > self._now_ms() + CLOCK_STEP_MS:  # taken before the clock was set back
            portion = self._portions[name] = _Portion()
            if len(self._portions) > REMEMBERED:
                self._portions.popitem(last=False)
        else:
            self._portions.move_to_end(name)
        return portion

    def _standing(self, budget: Quota, portion: _Portion, now: int) -> QuotaState:
        unspent = portion.left if now < portion.end_ms else 0
        debt_us = max(0, portion.debt_us - 1000 * (now - portion.taken_ms) - unspent * budget.step_us)
        blocked_ms = max(0, portion.blocked_ms - now)
        left = 0 if blocked_ms else (budget.room_us - debt_us) // budget.step_us
        return QuotaState(budget, left, -(-debt_us // 1_000_000), -(-blocked_ms // 1000))


def _next_size(budget: Quota, portion: _Portion, now: int) -> int:
    """Return how many units to take: twice the last portion if that was used up within a second, else few."""
    used_up = not portion.left and now < portion.taken_ms + BUSY_MS
    per_minute = WINDOW_SECONDS * budget.quota // budget.window_s
    share = per_minute // (LARGEST_SHARE if used_up else SMALLEST_SHARE)
    return max(1, min(2 * portion.size, share) if used_up else share)


def _receive(portion: _Portion, grant: Grant, size: int, now: int, budget: Quota) -> None:
    """Record what the store has granted, and spend one unit of it."""
    portion.debt_us = grant.debt_us
    portion.taken_ms = now
    portion.size = size
    if now >= portion.end_ms:
        portion.left = 0
    portion.end_ms = now + PORTION_MS
    if grant.units:
        portion.left += grant.units - 1
    else:
        wait_us = grant.debt_us + budget.step_us - budget.room_us
        portion.blocked_ms = now + max(1, -(-wait_us // 1000))
