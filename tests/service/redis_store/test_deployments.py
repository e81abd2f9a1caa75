"""Stores on servers that change: a cluster whose slots move and whose primaries end, a primary that Sentinels replace."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from redis.crc import key_slot

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.errors import StoreReplaced, StoreUnavailable
from tafelrunde.service.features.bots.feature import STORE as THOUGHTS
from tafelrunde.service.ports.events import EventStore, Log, shard_of
from tafelrunde.service.ports.players import PlayerRecord
from tafelrunde.service.redis_store import RedisStores, keys
from tafelrunde.service.redis_store import cluster as cluster_client
from tafelrunde.service.redis_store.client import deployment_of
from tafelrunde.service.redis_store.keys import ALL_SHARDS, COPIES, DEPLOYMENT, entries
from tafelrunde.service.runtime import job_queue
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Durability
from tests.service.story import Tale, matches_of
from tests.support.deployments import ClusterOfServers, Node, Watched
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import free_port

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.xdist_group("deployments")]

MATCHES = [MatchId(f"m-{number}") for number in range(6)]


async def patiently(ask: Callable[[], Awaitable[object]]) -> None:
    """Repeat a call until the server is available, as every caller of the stores may."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await ask()
            except StoreUnavailable:
                await asyncio.sleep(0.05)
            else:
                return


async def until(changed: Callable[[], bool]) -> None:
    """Wait for a change that only servers see."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await asyncio.to_thread(changed):  # noqa: ASYNC110 - the change happens in another process
            await asyncio.sleep(0.05)


class Writer:
    """Appends to a match, one entry at a time, until it is stopped; each key again and again until it is acknowledged."""

    def __init__(self, events: EventStore, match: MatchId) -> None:
        self._events = events
        self.tale = Tale(match)
        self.stopped = False

    async def write(self, least: int) -> None:
        """Write *least* entries, and on until it is stopped."""
        while not self.stopped or len(self.tale.entries) < least:
            number = len(self.tale.entries)
            batch = self.tale.batch(f"key-{number}", b"%d" % number)
            await patiently(lambda batch=batch: self._events.append(batch))
            self.tale.note(batch)
            await asyncio.sleep(0)


async def written_through(events: EventStore, disturb: Callable[[list[Writer]], Awaitable[None]], least: int = 10) -> None:
    """Append to matches while something happens: every acknowledged entry is there afterwards, once, in order."""
    writers = [Writer(events, match) for match in MATCHES]
    async with asyncio.TaskGroup() as together:
        for each in writers:
            together.create_task(each.write(least))
        await disturb(writers)
        for each in writers:
            each.stopped = True
    for each in writers:
        found: list[Log | None] = []
        await patiently(lambda each=each, found=found: _load(events, each.tale.match, found))
        log = found[-1]
        assert log is not None
        assert list(log.entries) == each.tale.entries


async def _load(events: EventStore, match: MatchId, found: list[Log | None]) -> None:
    found.append(await events.load(match))


async def grown(writers: list[Writer], by: int = 3) -> None:
    """Wait until every writer has got further."""
    before = [len(each.tale.entries) for each in writers]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while any(len(each.tale.entries) < start + by for each, start in zip(writers, before, strict=True)):  # noqa: ASYNC110 - several tasks count
            await asyncio.sleep(0.01)


REPLICATED = {"appendfsync": "always", "min-replicas-to-write": "1"}


@pytest.fixture(scope="module")
def running() -> Iterator[ClusterOfServers]:
    """Three primaries with a replica each, as `replicated` wants them."""
    with (
        tempfile.TemporaryDirectory(prefix="tr-") as folder,
        ClusterOfServers("valkey", Path(folder), replicas=1, options=REPLICATED) as cluster,
    ):
        yield cluster


@pytest.fixture
def cluster(running: ClusterOfServers) -> ClusterOfServers:
    """The same cluster, empty."""
    running.empty()
    return running


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    """A primary and a replica under three Sentinels, as `replicated` wants them."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Watched("redis7", Path(folder), options=REPLICATED) as watched:
        yield watched


async def test_commands_go_on_while_slots_move(cluster: ClusterOfServers) -> None:
    """A shard may move to another server under way; what is on its way is waited for, or asked for there."""
    async with await RedisStores.connect(cluster.url) as stores:

        async def move(writers: list[Writer]) -> None:
            await grown(writers)
            for match in MATCHES[:3]:
                slot = key_slot(entries(match).encode())
                source = await asyncio.to_thread(cluster.owner, slot)
                target = next(node for node in cluster.primaries() if node is not source)
                await asyncio.to_thread(cluster.move, slot, source, target)
            await grown(writers)

        await written_through(stores.events, move)


@pytest.mark.parametrize("copy_first", [True, False])
async def test_no_script_runs_while_a_part_of_its_slot_has_moved(
    cluster: ClusterOfServers, monkeypatch: pytest.MonkeyPatch, copy_first: bool
) -> None:
    """Scripts use keys that they make names for: one that is not there yet must not count as missing, nor end it halfway."""
    tale = Tale(MATCHES[0])
    slot = key_slot(entries(tale.match).encode())
    async with await RedisStores.connect(cluster.url) as stores:
        tale.note(batch := tale.batch("a", b"1"))
        await stores.events.append(batch)
        await THOUGHTS.of(stores).keep(tale.match, b"first", 60_000)
        source, target = _ends_of_a_move(cluster, slot)
        cluster.begin_move(slot, source, target)
        cluster.move_keys([each for each in cluster.names_in(slot, source) if (each in COPIES) is copy_first], source, target)
        with monkeypatch.context() as patch:
            patch.setattr(cluster_client, "RIDE_SECONDS", -1)
            for ask in (
                THOUGHTS.of(stores).keep(tale.match, b"second", 60_000),
                stores.events.append(tale.batch("b", b"2")),
                stores.rows.project(shard_of(tale.match), None, "1-0", ()),
            ):
                with pytest.raises(StoreUnavailable) as caught:
                    await ask
                assert caught.value.refusal == "TRYAGAIN"
        cluster.move(slot, source, target)
        await patiently(lambda: stores.events.append(tale.batch("b", b"2")))
        assert await THOUGHTS.of(stores).read(tale.match) == b"first"


async def test_servers_are_checked_while_the_slot_of_an_id_key_moves(
    cluster: ClusterOfServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch asks its server whose data it has; while that key is on its way, other keys of the server stay usable."""
    async with await RedisStores.connect(cluster.url) as stores:
        ours = [name for name in COPIES if cluster.owner(key_slot(name.encode())) is cluster.owner(key_slot(COPIES[0].encode()))]
        asked, other = (key_slot(name.encode()) for name in (ours[0], ours[-1]))
        source, target = _ends_of_a_move(cluster, asked)
        cluster.begin_move(asked, source, target)
        cluster.move_keys([ours[0]], source, target)
        with monkeypatch.context() as patch:
            patch.setattr(cluster_client, "RIDE_SECONDS", -1)
            ids = [next(iter(matches_of(shard, 1))) for shard in ALL_SHARDS]
            match = next(each for each in ids if key_slot(entries(each).encode()) == other)
            assert await stores.events.load(match) is None
            assert source.ask("FLUSHALL") == "+OK"
            with pytest.raises(StoreReplaced):
                await stores.events.load(match)
        cluster.move(asked, source, target)


def _ends_of_a_move(cluster: ClusterOfServers, slot: int) -> tuple[Node, Node]:
    """Return the server that has a slot, and another one."""
    source = cluster.owner(slot)
    return source, next(node for node in cluster.primaries() if node is not source)


async def test_cluster_is_found_although_a_server_has_left_it(cluster: ClusterOfServers) -> None:
    """A server that was removed answers, but knows of no slot: the next one that the address names is asked."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, ExitStack() as stack:
        left = Node("valkey", Path(folder) / "left", cluster_enabled="yes", cluster_port=str(free_port()))
        stack.enter_context(left)
        url = f"redis+cluster://127.0.0.1:{left.port},127.0.0.1:{cluster.nodes[0].port}"
        async with await RedisStores.connect(url) as stores:
            await stores.events.append(Tale(MATCHES[0]).batch("a", b"1"))


async def test_reader_of_logs_hears_of_appends_on_every_server(cluster: ClusterOfServers) -> None:
    """A reader that waits is woken by an append, whichever server has the shard."""
    async with await RedisStores.connect(cluster.url) as stores:
        at = dict(await stores.events.ends())
        for shard in ALL_SHARDS[::9]:
            match = next(iter(matches_of(shard, 1)))
            waiting = asyncio.create_task(stores.events.follow(at, 60_000))
            await asyncio.sleep(0)
            await stores.events.append(Tale(match).batch("a", b"1"))
            pointers = await waiting
            assert [pointer.match for pointer in pointers] == [match]
            at[pointers[0].shard] = pointers[0].position


async def test_reader_of_logs_reads_only_those_it_has_heard_of(
    cluster: ClusterOfServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was at its end is not read again for each append anywhere, only now and then, in case a message was lost."""

    def reads() -> int:
        told = "".join(node.tell("INFO", "commandstats") for node in cluster.primaries())
        return sum(int(each.partition(",")[0]) for each in told.split("cmdstat_xread:calls=")[1:])

    async with await RedisStores.connect(cluster.url) as stores:
        at = dict(await stores.events.ends())

        async def hear(match: MatchId) -> None:
            waiting = asyncio.create_task(stores.events.follow(at, 60_000))
            await asyncio.sleep(0)
            await stores.events.append(Tale(match).batch("a", b"1"))
            for pointer in await waiting:
                at[pointer.shard] = pointer.position

        matches = iter([next(iter(matches_of(shard, 1))) for shard in ALL_SHARDS])
        client = stores.events._client  # pyright: ignore[reportAttributeAccessIssue] - only this store has it
        while not client._wake_ups._count:
            await hear(next(matches))
        for name in ("LOOK_SECONDS", "END_SECONDS"):
            monkeypatch.setattr(cluster_client, name, PATIENCE_SECONDS)
        await hear(next(matches))
        before = reads()
        for _ in range(5):
            await hear(next(matches))
        assert reads() - before < len(ALL_SHARDS)


async def test_commands_go_on_when_a_primary_of_a_cluster_is_killed(
    cluster: ClusterOfServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its replica takes over and has what was acknowledged; the killed server comes back as a replica.

    What all primaries are asked for waits for that, too.
    """
    monkeypatch.setattr(cluster_client, "RIDE_SECONDS", PATIENCE_SECONDS)
    async with await RedisStores.connect(cluster.url, Durability.REPLICATED) as stores:

        async def kill(writers: list[Writer]) -> None:
            await grown(writers)
            slot = key_slot(entries(MATCHES[0]).encode())
            victim = await asyncio.to_thread(cluster.owner, slot)
            await asyncio.to_thread(victim.kill)
            assert await stores.events.memory() is not None
            await until(lambda: cluster.owner(slot) is not victim)
            await asyncio.to_thread(victim.start)
            await grown(writers)

        await written_through(stores.events, kill)


async def test_server_of_a_cluster_that_comes_back_empty_is_refused(cluster: ClusterOfServers) -> None:
    """Its part of the data is gone: nothing is written beside what is left, whichever key it has, until a restart."""
    async with await RedisStores.connect(cluster.url) as stores:
        emptied = await asyncio.to_thread(cluster.owner, key_slot(entries(MATCHES[0]).encode()))
        assert emptied.ask("FLUSHALL") == "+OK"
        with pytest.raises(StoreReplaced):
            await stores.events.append(Tale(MatchId("m-0")).batch("a", b"1"))
        assert emptied.ask("DBSIZE") == ":0"
    async with await RedisStores.connect(cluster.url) as stores:
        await stores.events.append(Tale(MatchId("m-0")).batch("a", b"1"))


async def test_no_write_reaches_a_server_of_a_cluster_that_came_back_empty(cluster: ClusterOfServers) -> None:
    """Scripts cannot look for the id key in the slot of a player, say; so a new connection takes nothing before its answer."""
    async with await RedisStores.connect(cluster.url) as stores:
        home = cluster.owner(key_slot(DEPLOYMENT.encode()))
        ids = [PlayerId(f"p{number}") for number in range(20)]
        player, emptied = next(
            (each, node) for each in ids if (node := cluster.owner(key_slot(keys.player(each).encode()))) is not home
        )
        await stores.players.put_player(PlayerRecord(player, "Anna", False, 1))
        assert emptied.ask("FLUSHALL") == "+OK"
        emptied.tell("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        with pytest.raises(StoreReplaced):
            await stores.players.put_player(PlayerRecord(player, "Anna", False, 1))
        assert emptied.ask("DBSIZE") == ":0"


async def test_server_that_came_back_empty_stays_refused_to_what_serve_starts_again(cluster: ClusterOfServers) -> None:
    """Only those who start a deployment accept what is there: a process that crashed must not do it for all others."""
    async with await RedisStores.connect(cluster.url) as stores:
        store_id = deployment_of(stores.id_key)
    home = cluster.owner(key_slot(DEPLOYMENT.encode()))
    ids = [next(iter(matches_of(shard, 1))) for shard in ALL_SHARDS]
    match, emptied = next((each, node) for each in ids if (node := cluster.owner(key_slot(entries(each).encode()))) is not home)
    assert emptied.ask("FLUSHALL") == "+OK"
    async with await RedisStores.connect(cluster.url, store_id=store_id) as stores:
        with pytest.raises(StoreReplaced):
            await stores.events.append(Tale(match).batch("a", b"1"))
        assert emptied.ask("DBSIZE") == ":0"


async def test_commands_go_on_when_sentinels_replace_the_primary(watched: Watched) -> None:
    """The replica that they choose has what was acknowledged, and the job queues are found there too."""
    jobs = await asyncio.to_thread(job_queue.connect, watched.url)
    async with await RedisStores.connect(watched.url, Durability.REPLICATED) as stores:

        async def kill(writers: list[Writer]) -> None:
            await grown(writers)
            await asyncio.to_thread(watched.primary.kill)
            await until(lambda: "role:master" in watched.replicas[0].tell("INFO", "replication"))
            await asyncio.to_thread(watched.primary.start)
            await grown(writers)

        await written_through(stores.events, kill)
    await asyncio.to_thread(job_queue.require_usable, jobs, "REDIS_URL")
    assert await asyncio.to_thread(job_queue.Jobs(jobs).put, QueueName.TIMEOUTS, MATCHES) == len(MATCHES)
    jobs.close()
