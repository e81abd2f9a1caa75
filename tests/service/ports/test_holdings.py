"""Holdings: no holder has more matches than allowed, with any number of concurrent requests."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.memory_store import holdings
from tafelrunde.service.ports.holdings import Holding
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store.client import Client, number
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
NOW_MS = 1_700_000_000_000
DAY_MS = 86_400_000
ONE, TWO, THREE = MatchId("m-1"), MatchId("m-2"), MatchId("m-3")


async def test_match_is_held_until_there_are_as_many_as_may_be(stores: Stores) -> None:
    """Then the matches held are returned, oldest first, and nothing is recorded."""
    hold = stores.holdings.hold
    assert list(await hold("a", TWO, 2, NOW_MS, DAY_MS)) == []
    assert list(await hold("a", ONE, 2, NOW_MS + 1, DAY_MS)) == []
    for _ in range(2):
        assert list(await hold("a", THREE, 2, NOW_MS + 2, DAY_MS)) == [Holding(TWO, NOW_MS), Holding(ONE, NOW_MS + 1)]
    assert list(await hold("b", THREE, 2, NOW_MS, DAY_MS)) == []


async def test_limit_of_nothing_tells_what_is_held_and_notes_nothing(stores: Stores) -> None:
    """So one can look, whether there is something or not."""
    hold = stores.holdings.hold
    assert list(await hold("a", MatchId(""), 0, NOW_MS, 0)) == []
    await hold("a", ONE, 1, NOW_MS, DAY_MS)
    for _ in range(2):
        assert list(await hold("a", MatchId(""), 0, NOW_MS + 1, 0)) == [Holding(ONE, NOW_MS)]


async def test_match_is_held_once_when_it_is_noted_again(stores: Stores) -> None:
    """It takes no second place, also where no place is left, and counts from the new time on."""
    hold = stores.holdings.hold
    for later in range(3):
        assert list(await hold("a", ONE, 1, NOW_MS + later, DAY_MS)) == []
    assert list(await hold("a", TWO, 1, NOW_MS, DAY_MS)) == [Holding(ONE, NOW_MS + 2)]


async def test_released_match_makes_room(stores: Stores) -> None:
    """What is not held any more, or never was, is no error."""
    await stores.holdings.hold("a", ONE, 1, NOW_MS, DAY_MS)
    for _ in range(2):
        await stores.holdings.release("a", [Holding(ONE, NOW_MS), Holding(TWO, NOW_MS)])
    await stores.holdings.release("a", [])
    await stores.holdings.release("nobody", [Holding(ONE, NOW_MS)])
    assert list(await stores.holdings.hold("a", TWO, 1, NOW_MS, DAY_MS)) == []


async def test_match_stays_held_when_it_was_noted_again_since_it_was_looked_at(stores: Stores) -> None:
    """A release after a look does not remove what was recorded meanwhile."""
    await stores.holdings.hold("a", ONE, 1, NOW_MS, DAY_MS)
    await stores.holdings.hold("a", ONE, 1, NOW_MS + 5, DAY_MS)
    await stores.holdings.release("a", [Holding(ONE, NOW_MS)])
    assert list(await stores.holdings.hold("a", TWO, 1, NOW_MS + 6, DAY_MS)) == [Holding(ONE, NOW_MS + 5)]


async def test_cap_holds_when_many_ask_at_once(stores: Stores) -> None:
    """Each of the rivals is either noted or refused, and only as many are noted as may be."""
    matches = [MatchId(f"m-{number}") for number in range(40)]
    answers = await asyncio.gather(*(stores.holdings.hold("a", match, 5, NOW_MS, DAY_MS) for match in matches))
    assert sum(not answer for answer in answers) == 5
    assert {len(answer) for answer in answers} == {0, 5}


async def test_memory_is_searched_for_expired_holders_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each of many holders, and none is kept long after its time."""
    monkeypatch.setattr(holdings, "_CROWD", 8)
    store = holdings.MemoryHoldings()
    kept = list[int]()
    searches = 0
    for holder in range(400):
        before = store._held
        later = NOW_MS + (DAY_MS if holder >= 200 else 0)
        await store.hold(f"{holder}", ONE, 1, later + holder, 1_000)
        searches += store._held is not before
        kept.append(len(store._held))
    assert 0 < searches < 20
    assert kept[199] == 200
    assert kept[-1] < 270


async def test_holder_is_forgotten_after_its_time(redis_kind_stores: Stores, server: Server) -> None:
    """A holder's name may be personal data: no key stays permanently."""
    await redis_kind_stores.holdings.hold("a", ONE, 1, NOW_MS, 1_000)
    wire = Client(server.url)
    try:
        assert 0 < number(await wire.call("PTTL", "held:{a}")) <= 1_000
    finally:
        await wire.close()
