from __future__ import annotations

import asyncio

import pytest

from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.ports.quotas import WINDOW_SECONDS, Quota
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.client import Client, number
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
SIX = Quota("six", 6)
MANY = Quota("many", 600)
NOW_MS = 1_700_000_000_000


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


async def accepted(budgets: Quotas, budget: Quota, holder: str, tries: int) -> int:
    """Return how many of those attempts were not refused."""
    return sum([not (await budgets.spend(budget, holder)).wait_s for _ in range(tries)])


async def test_budget_gives_its_quota_and_then_one_unit_after_each_step(stores: Stores) -> None:
    """Six a minute: six at once, then one every ten seconds, and six again after a minute."""
    take = stores.budgets.take
    assert [(await take("a", SIX, 1, NOW_MS)).units for _ in range(8)] == [1] * 6 + [0] * 2
    assert [(await take("a", SIX, 1, NOW_MS + ms)).units for ms in (9_999, 10_000, 10_001, 20_000)] == [0, 1, 0, 1]
    assert (await take("a", SIX, 99, NOW_MS + 20_000 + 1000 * WINDOW_SECONDS)).units == 6


async def test_budget_of_a_day_gives_no_unit_for_nothing(stores: Stores) -> None:
    """A process takes one at a time, so that none is lost with a portion; all are there again after the day."""
    clock = Clock()
    daily = Quota("daily", 300, 86_400)
    budgets = Quotas(stores.budgets, clock)
    for _ in range(2):
        assert await accepted(budgets, daily, "a", 150) == 150
        clock.now_ms += 20_000
    assert (await budgets.spend(daily, "a")).wait_s == 288 - 40
    assert (await stores.budgets.take("daily:a", daily, 999, clock.now_ms + 86_400_000)).units == 300


async def test_budget_says_when_it_is_full_again(stores: Stores) -> None:
    """Each unit adds its step; what is refused adds nothing."""
    debts = [(await stores.budgets.take("a", SIX, 2, NOW_MS)).debt_us // 1_000_000 for _ in range(4)]
    assert debts == [20, 40, 60, 60]
    assert (await stores.budgets.take("a", SIX, 0, NOW_MS + 5_000)).debt_us == 55_000_000


async def test_budget_gives_less_than_asked_when_less_is_left(stores: Stores) -> None:
    """A portion may be smaller than wanted."""
    assert [(await stores.budgets.take("a", SIX, 4, NOW_MS)).units for _ in range(3)] == [4, 2, 0]


async def test_budgets_of_holders_are_apart(stores: Stores) -> None:
    """What one spends, another one has."""
    assert (await stores.budgets.take("a", SIX, 9, NOW_MS)).units == 6
    assert (await stores.budgets.take("b", SIX, 9, NOW_MS)).units == 6


async def test_budget_survives_a_clock_that_goes_back(stores: Stores) -> None:
    """No wait is longer than a minute, whatever a clock said before."""
    assert (await stores.budgets.take("a", SIX, 6, NOW_MS + 3_600_000)).units == 6
    assert (await stores.budgets.take("a", SIX, 6, NOW_MS)).debt_us == 60_000_000
    assert (await stores.budgets.take("a", SIX, 1, NOW_MS + 10_000)).units in {0, 1}


async def test_budget_that_no_one_uses_is_forgotten(server: Server, redis_kind_stores: Stores) -> None:
    """Every key ends by itself, at the moment at which its budget is full."""
    wire = Client(server.url)
    before = await server.time_ms(wire)
    await redis_kind_stores.budgets.take("a", SIX, 2, NOW_MS)
    assert before + 20_000 <= number(await wire.call("PEXPIRETIME", "budget:a")) <= await server.time_ms(wire) + 20_000
    await wire.close()


async def test_processes_share_one_budget(server: Server) -> None:
    """Two processes that spend at the same time give out together what one alone would."""
    clock = Clock()
    half = MANY.quota // 2
    async with await RedisStores.connect(server.url) as one, await RedisStores.connect(server.url) as other:
        both = [Quotas(each.budgets, clock) for each in (one, other)]
        # Half of it first: the server forgets a quota when it is full again, and its clock runs while the test's stands still.
        assert (await one.budgets.take("many:a", MANY, half, clock.now_ms)).units == half
        found = await asyncio.gather(*(accepted(each, MANY, "a", 500) for each in both))
        assert sum(found) == MANY.quota - half
        clock.now_ms += 1_000
        assert sum(await asyncio.gather(*(accepted(each, MANY, "a", 50) for each in both))) == MANY.quota // WINDOW_SECONDS


class Counting:
    """A store that counts its calls, or is down."""

    def __init__(self) -> None:
        self.store = memory_stores().budgets
        self.asked = 0
        self.away = False

    async def take(self, holder: str, budget: Quota, units: int, now_ms: int) -> object:
        """Take units, if the store is there."""
        self.asked += 1
        if self.away:
            raise StoreUnavailable("away")
        return await self.store.take(holder, budget, units, now_ms)


def counted() -> tuple[Quotas, Counting, Clock]:
    """Return budgets over a store that counts."""
    store = Counting()
    clock = Clock()
    return Quotas(store, clock), store, clock  # type: ignore[arg-type]  # it answers as a store does


async def test_store_is_asked_seldom_when_much_is_spent() -> None:
    """Portions grow while they are used up, so 600 requests ask the store some twenty times."""
    budgets, store, _ = counted()
    assert await accepted(budgets, MANY, "a", 600) == 600
    assert store.asked < 25


async def test_store_is_not_asked_for_whom_nothing_is_left() -> None:
    """To be refused costs no round trip, until there may be something again."""
    budgets, store, clock = counted()
    assert await accepted(budgets, SIX, "a", 7) == 6
    asked = store.asked
    assert await accepted(budgets, SIX, "a", 1_000) == 0
    assert store.asked == asked
    clock.now_ms += 10_000
    assert await accepted(budgets, SIX, "a", 1_000) == 1


async def test_holder_that_asks_now_and_then_loses_nothing() -> None:
    """One request every ten seconds, which is what is gained: never refused."""
    budgets, _, clock = counted()
    for _ in range(100):
        assert await accepted(budgets, SIX, "a", 1) == 1
        clock.now_ms += 10_000


async def test_no_one_is_refused_while_the_store_is_away() -> None:
    """Limits protect the service; they do not take it down, and do not wait for the store with every request."""
    budgets, store, clock = counted()
    store.away = True
    assert await accepted(budgets, SIX, "a", 100) == 100
    assert store.asked == 1
    clock.now_ms += 1_000
    store.away = False
    assert await accepted(budgets, SIX, "a", 100) == 6


@pytest.mark.parametrize("quota", [1, 7, 60, 1_199, 1_000_000])
async def test_standing_tells_what_is_left_and_how_long_to_wait(quota: int) -> None:
    """Left counts down to nothing, and after the time to wait there is one again."""
    budgets, _, clock = counted()
    budget = Quota("any", quota)
    left = [(await budgets.spend(budget, "a")).left for _ in range(min(quota, 50))]
    assert left == [quota - 1 - spent for spent in range(min(quota, 50))]
    while not (refused := await budgets.spend(budget, "b")).wait_s and quota < 100:
        pass
    if quota < 100:
        assert refused.left == 0
        clock.now_ms += 1_000 * refused.wait_s
        assert not (await budgets.spend(budget, "b")).wait_s
