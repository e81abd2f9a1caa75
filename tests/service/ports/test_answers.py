"""Kept answers: of all that come at once for a place, one has it."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.service.memory_store import answers
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store.client import Client, number
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
NOW_MS = 1_700_000_000_000
HOUR_MS = 3_600_000


async def test_place_is_one_claim_s_when_many_come_at_once(stores: Stores) -> None:
    """The others get that one. A claim that comes again has its place still: its first reply may be lost."""
    claims = [b"claim-%d" % number for number in range(20)]
    found = await asyncio.gather(*(stores.answers.claim("a", each, NOW_MS, HOUR_MS) for each in claims))
    [first] = [claim for claim, there in zip(claims, found, strict=True) if there is None]
    assert {there for there in found if there is not None} == {first}
    assert await stores.answers.claim("a", first, NOW_MS, HOUR_MS) is None
    assert await stores.answers.claim("b", b"other", NOW_MS, HOUR_MS) is None


async def test_answer_is_found_when_it_took_the_place_of_a_claim(stores: Stores) -> None:
    """By every later claim."""
    assert await stores.answers.claim("a", b"claim", NOW_MS, HOUR_MS) is None
    await stores.answers.keep("a", b"answer", NOW_MS, HOUR_MS)
    for _ in range(2):
        assert await stores.answers.claim("a", b"another", NOW_MS, HOUR_MS) == b"answer"


async def test_place_is_cleared_when_its_own_claim_is_released(stores: Stores) -> None:
    """Not by one that it belonged to before, and not where there is nothing."""
    await stores.answers.release("a", b"claim")
    assert await stores.answers.claim("a", b"claim", NOW_MS, HOUR_MS) is None
    await stores.answers.release("a", b"another")
    assert await stores.answers.claim("a", b"another", NOW_MS, HOUR_MS) == b"claim"
    await stores.answers.release("a", b"claim")
    assert await stores.answers.claim("a", b"another", NOW_MS, HOUR_MS) is None


async def test_server_forgets_claims_and_answers_after_their_time(redis_kind_stores: Stores, server: Server) -> None:
    """By itself."""
    kept = redis_kind_stores.answers
    wire = Client(server.url)
    try:
        await kept.claim("a", b"claim", NOW_MS, HOUR_MS)
        assert 0 < number(await wire.call("PTTL", "answer:a")) <= HOUR_MS
        await kept.keep("a", b"answer", NOW_MS, 2 * HOUR_MS)
        assert HOUR_MS < number(await wire.call("PTTL", "answer:a")) <= 2 * HOUR_MS
    finally:
        await wire.close()


async def test_memory_forgets_answers_when_their_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one when they are asked for, and all of them once there are many."""
    monkeypatch.setattr(answers, "_CROWD", 10)
    kept = answers.MemoryAnswers()
    assert await kept.claim("a", b"claim", NOW_MS, 10) is None
    assert await kept.claim("a", b"other", NOW_MS + 9, 10) == b"claim"
    assert await kept.claim("a", b"other", NOW_MS + 10, 10) is None
    for each in range(20):
        await kept.keep(f"{each}", b"answer", NOW_MS + 100 * each, 10)
    assert len(kept._kept) <= 10
