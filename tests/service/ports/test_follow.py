from __future__ import annotations

import asyncio
import time

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.memory_store import MemoryAgenda, MemoryEvents
from tafelrunde.service.ports.events import SHARDS, EventStore, Pointer, Shard, Version, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.service.story import MATCH, Tale, matches_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
SHARD = shard_of(MATCH)
LONG_MS = 600_000
"""Longer than any wait in this file: a follower that does not wake shows up as a timeout."""


async def write(events: EventStore, tale: Tale, count: int = 1) -> None:
    """Append *count* batches of one entry."""
    for _ in range(count):
        batch = tale.batch(f"k{len(tale.entries)}", b"x")
        await events.append(batch)
        tale.note(batch)


def order(position: str) -> tuple[int, int]:
    """Return a position as something to compare."""
    first, _, second = position.partition("-")
    return int(first), int(second)


async def test_logs_begin_at_zero(stores: Stores) -> None:
    """An empty log has an end to follow from, for every shard, and no oldest line."""
    assert await stores.events.ends() == {Shard(number): "0-0" for number in range(SHARDS)}
    assert await stores.events.oldest(SHARD) is None


async def test_follow_returns_lines_in_order(stores: Stores) -> None:
    """One line for each batch, with the version that the match then had; positions grow."""
    one, two = (Tale(match) for match in matches_of(SHARD, 2))
    for tale in (one, two, one):
        await write(stores.events, tale)
    found = await stores.events.follow({SHARD: "0-0"}, 0)
    assert [(each.shard, each.match, each.version) for each in found] == [
        (SHARD, one.match, 1),
        (SHARD, two.match, 1),
        (SHARD, one.match, 2),
    ]
    positions = [order(each.position) for each in found]
    assert positions == sorted(set(positions))
    assert await stores.events.follow({SHARD: found[1].position}, 0) == [found[2]]
    assert list(await stores.events.follow({SHARD: found[2].position}, 0)) == []
    assert (await stores.events.ends())[SHARD] == found[2].position
    assert await stores.events.oldest(SHARD) == found[0].position


async def test_follow_returns_at_once_when_it_may_not_wait(stores: Stores) -> None:
    """Waiting 0 ms means not to wait, although a server takes it as waiting without a limit."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert list(await stores.events.follow(await stores.events.ends(), 0)) == []
        assert list(await stores.events.follow({}, 0)) == []


async def test_follow_waits_its_time_when_nothing_comes(stores: Stores) -> None:
    """Without new lines it returns empty when its time is over, and not before."""
    began = time.monotonic()
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert list(await stores.events.follow(await stores.events.ends(), 60)) == []
    assert time.monotonic() - began > 0.05


async def test_follow_wakes_when_any_shard_has_something_new(stores: Stores) -> None:
    """One follower waits for all shards at once, and comes back long before its time is over."""
    ends = await stores.events.ends()
    tale = Tale(MatchId("somewhere"))
    waiting = asyncio.create_task(stores.events.follow(ends, LONG_MS))
    await asyncio.sleep(0.03)
    assert not waiting.done()
    await write(stores.events, tale)
    async with asyncio.timeout(PATIENCE_SECONDS):
        found = await waiting
    assert [(each.shard, each.match, each.version) for each in found] == [(shard_of(tale.match), tale.match, 1)]


async def test_follow_sees_only_its_shards(stores: Stores) -> None:
    """Events of other shards neither wake a follower nor show."""
    other = Shard((SHARD + 1) % SHARDS)
    await write(stores.events, Tale())
    assert list(await stores.events.follow({other: "0-0"}, 30)) == []


async def test_follower_can_be_cancelled(stores: Stores) -> None:
    """A cancelled follower leaves the stores in order."""
    waiting = asyncio.create_task(stores.events.follow(await stores.events.ends(), LONG_MS))
    await asyncio.sleep(0.03)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await write(stores.events, Tale())
    assert len(await stores.events.follow({SHARD: "0-0"}, LONG_MS)) == 1


async def _check_trimmed(events: EventStore) -> None:
    """Follow while 700 batches are written, over many trims; then come late."""
    tales = [Tale(match) for match in matches_of(SHARD, 3)]
    seen: list[Pointer] = []

    async def follower() -> None:
        position = "0-0"
        while len(seen) < 700:
            found = await events.follow({SHARD: position}, LONG_MS)
            seen.extend(found)
            position = found[-1].position

    following = asyncio.create_task(follower())
    for number in range(700):
        await write(events, tales[number % 3])
        if number % 50 == 0:
            await asyncio.sleep(0.01)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await following
    assert [each.version for each in seen] == [Version(number // 3 + 1) for number in range(700)]
    oldest = await events.oldest(SHARD)
    assert oldest is not None
    assert order(oldest) > order(seen[400].position), "the log was not trimmed"
    left = await events.follow({SHARD: "0-0"}, 0)
    assert list(left) == seen[-len(left) :]
    assert left[0].position == oldest


async def test_follower_loses_nothing_over_trims_in_memory() -> None:
    """A follower that keeps up gets every line although the log is trimmed; a late one can detect the gap by the oldest line."""
    await _check_trimmed(MemoryEvents(MemoryAgenda(), log_lines=100))


async def test_follower_loses_nothing_over_trims(server: Server) -> None:
    """The same on a server, which trims in larger pieces."""
    async with await RedisStores.connect(server.url, log_lines=100) as stores:
        await _check_trimmed(stores.events)
