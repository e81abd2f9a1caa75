"""How processes share leases, and when their duties look for work, on a clock that jumps and on the stores' own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from tafelrunde.service.memory_store.agenda import MemoryLeases
from tafelrunde.service.ports.events import SHARDS, Shard
from tafelrunde.service.runtime.activity import LONG_REST_SECONDS, REST_SECONDS, Activity, PollPacer
from tafelrunde.service.runtime.consumer import LEASE_MS, RENEW_SECONDS, Consumer, Ownership
from tests.support.clockwork import run

NAMES = [f"work:{number}" for number in range(64)]
LOOK_SECONDS = 0.1
MINE = frozenset({Shard(3)})
ALL = frozenset(Shard(number) for number in range(SHARDS))


def now() -> float:
    """Return the time of the loop, in seconds."""
    return asyncio.get_running_loop().time()


def leases() -> MemoryLeases:
    """Return leases by the clock of the loop."""
    return MemoryLeases(lambda: round(1000 * now()))


def sharers(count: int, shared: MemoryLeases) -> list[Ownership]:
    """Return processes that share all names."""
    return [Ownership(shared, NAMES, "workers") for _ in range(count)]


async def live(owners: Collection[Ownership], seconds: float) -> None:
    """Let processes renew for a while, at their own pace; no name ever has two owners."""
    until = now() + seconds
    while now() < until:
        for each in owners:
            await each.renew()
            held = [name for other in owners for name in other.held]
            assert len(held) == len(set(held))
        await asyncio.sleep(RENEW_SECONDS)


def counts(owners: Collection[Ownership]) -> list[int]:
    """Return how many names each process holds, the fewest first."""
    return sorted(len(each.held) for each in owners)


def test_work_is_shared_fairly_when_processes_come_and_go() -> None:
    """Who comes gets its share within two renewals; that of one that left is taken at once, of one that died after its lease."""

    async def main() -> None:
        shared = leases()
        first, second, third = sharers(3, shared)
        await live([first], 2)
        assert counts([first]) == [64]
        await live([first, second], 2 * RENEW_SECONDS)
        assert counts([first, second]) == [32, 32]
        kept = first.held
        await live([first, second, third], 2 * RENEW_SECONDS)
        assert counts([first, second, third]) == [20, 22, 22]
        assert first.held < kept
        await third.give_back()
        await live([first, second], RENEW_SECONDS)
        assert counts([first, second]) == [32, 32]
        died = now()
        while len(first.held) < 64:
            await live([first], RENEW_SECONDS)
        assert LEASE_MS / 1000 <= now() - died <= LEASE_MS / 1000 + 2 * RENEW_SECONDS

    run(main())


class Duty:
    """A duty whose next work is due at a time; it notes when it looked, and in which shards."""

    def __init__(self, activity: Activity, due: float, held: frozenset[Shard] = MINE) -> None:
        self.due = due
        self.looks: list[tuple[float, Collection[Shard] | None]] = []
        self.pacer = PollPacer(activity, lambda: held, LOOK_SECONDS)

    async def look(self, shards: Collection[Shard] | None) -> float:
        """Say when the next work is due."""
        self.looks.append((now(), shards))
        return max(0.0, self.due - now())

    async def work(self) -> None:
        """Look until cancelled."""
        await Consumer("duty", self._step).run()

    async def _step(self) -> float:
        return await self.pacer.poll(self.look) or 0.001


async def follow(activity: Activity, every: float = 0.5) -> None:
    """Follow the logs, in which nothing moves."""
    while True:
        activity.note(moved=False)
        await asyncio.sleep(every)


def looks(
    due: float, *, followed: bool, moves_at: float, until: float, held: frozenset[Shard] = MINE
) -> list[tuple[float, Collection[Shard] | None]]:
    """Return when a duty looks, and where, if something moves once."""

    async def main() -> list[tuple[float, Collection[Shard] | None]]:
        activity = Activity()
        duty = Duty(activity, due, held)
        tasks = [asyncio.create_task(duty.work())]
        if followed:
            tasks.append(asyncio.create_task(follow(activity)))
        await asyncio.sleep(moves_at)
        if followed:
            activity.note(moved=True)
        await asyncio.sleep(until - moves_at)
        for task in tasks:
            task.cancel()
        return duty.looks

    return run(main())


def test_duty_rests_while_nothing_moves_and_wakes_at_once_when_something_does() -> None:
    """It looks once a second at all shards; from the moment something moves, often and at its own ones, for a while."""
    found = looks(1_000, followed=True, moves_at=10.35, until=30)
    before = [shards for at, shards in found if 2 < at < 10.3]
    assert before == [None] * len(before)
    assert 7 <= len(before) <= 9
    assert min(at - 10.35 for at, _ in found if at >= 10.35) < 0.01
    awake = [shards for at, shards in found if 10.35 <= at < 10.35 + REST_SECONDS]
    assert len(awake) >= 9
    assert awake.count(MINE) >= len(awake) - 2
    assert len([at for at, _ in found if at > 12.5]) <= 18


def test_duty_rests_longer_when_all_shards_are_its_own() -> None:
    """No other process can have died with a clock that it would have to find; what moves wakes it at once all the same."""
    found = looks(1_000, followed=True, moves_at=22.35, until=30, held=ALL)
    before = [(at, shards) for at, shards in found if 5 < at < 22.35]
    assert [shards for _, shards in before] == [ALL] * len(before)
    assert 3 <= len(before) <= 17 / LONG_REST_SECONDS + 1
    assert min(at - 22.35 for at, _ in found if at >= 22.35) < 0.01


def test_duty_wakes_when_its_work_is_due() -> None:
    """Rest never makes anything late."""
    found = looks(7.4321, followed=True, moves_at=29, until=30)
    assert any(0 <= at - 7.4321 < 0.01 for at, _ in found)


def test_duty_looks_often_when_no_one_follows_the_logs() -> None:
    """A projector that is busy or broken delays no clock: without it all look as often as under load."""
    found = looks(1_000, followed=False, moves_at=1, until=10)
    assert len(found) >= 90
