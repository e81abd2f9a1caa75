"""The clock of a deployment, and what happens to plans when it is set back."""

from __future__ import annotations

import asyncio
import time

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.server_time import CLOCK_STEP_MS
from tafelrunde.service.ports.stores import Stores
from tests.service.story import NOON_MS, Tale, another

pytestmark = pytest.mark.anyio
HOUR_MS = 3_600_000


async def plan(stores: Stores, match: str, **at_ms: int) -> None:
    """Append a batch with these entries of the agenda."""
    await stores.events.append(another(Tale(MatchId(match)).batch("k", b"x"), **at_ms))


async def test_plans_come_nearer_by_as_much_as_the_clock_was_set_back(stores: Stores) -> None:
    """What had ten seconds left has ten seconds left, of every kind and in every shard."""
    for number in range(20):
        at_ms = NOON_MS + 10_000 + number
        await plan(stores, f"m-{number}", deadline_ms=at_ms, work_ms=at_ms, care_ms=at_ms)
    assert await stores.server_time.follow(NOON_MS) == 0
    assert await stores.server_time.follow(NOON_MS - HOUR_MS) == HOUR_MS
    for kind in (AgendaKind.DEADLINE, AgendaKind.WORK, AgendaKind.CARE):
        due_ms = NOON_MS - HOUR_MS + 10_000
        assert await stores.agenda.claim(kind, due_ms - 1, 60_000, 100) == Claims((), due_ms)
        assert len((await stores.agenda.claim(kind, due_ms + 19, 60_000, 100)).due) == 20


async def test_clock_that_was_set_back_is_followed_once(stores: Stores) -> None:
    """However many processes ask, at once and later: what is planned comes nearer once."""
    await plan(stores, "m-1", deadline_ms=NOON_MS + 10_000)
    await stores.server_time.follow(NOON_MS)
    told = await asyncio.gather(*(stores.server_time.follow(NOON_MS - HOUR_MS) for _ in range(8)))
    assert sorted(told) == [0] * 7 + [HOUR_MS]
    assert await stores.server_time.follow(NOON_MS - HOUR_MS + 3_000) == 0
    assert (await stores.agenda.claim(AgendaKind.DEADLINE, 0, 1, 1)).next_ms == NOON_MS - HOUR_MS + 10_000


@pytest.mark.parametrize("moved_ms", [0, 1, 5_000, HOUR_MS, -1, -CLOCK_STEP_MS])
async def test_plans_stay_when_the_clock_runs_is_set_forward_or_trembles(stores: Stores, moved_ms: int) -> None:
    """Only a clock that was set back for certain moves anything."""
    await plan(stores, "m-1", deadline_ms=NOON_MS + 10_000)
    await stores.server_time.follow(NOON_MS)
    assert await stores.server_time.follow(NOON_MS + moved_ms) == 0
    assert (await stores.agenda.claim(AgendaKind.DEADLINE, 0, 1, 1)).next_ms == NOON_MS + 10_000


async def test_claim_without_a_time_is_by_the_clock_of_the_store(stores: Stores) -> None:
    """What is due a minute ago is claimed, what comes in a minute is not; the lease counts from the store's now."""
    now_ms = stores.server_time.now_ms()
    assert abs(now_ms - time.time_ns() // 1_000_000) < 60_000
    await plan(stores, "m-past", deadline_ms=now_ms - 60_000)
    await plan(stores, "m-coming", deadline_ms=now_ms + 3_600_000)
    claims = await stores.agenda.claim(AgendaKind.DEADLINE, None, 600_000, 10)
    assert claims.due == ((MatchId("m-past"), now_ms - 60_000),)
    assert claims.next_ms is not None
    assert claims.next_ms >= now_ms + 600_000
