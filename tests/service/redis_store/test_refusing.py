"""Servers that refuse writes for a while, and servers that are refused."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import CorruptHistory, StartupRefused, StoreUnavailable
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores, keys
from tafelrunde.service.runtime import job_queue
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.service.settings import Durability
from tests.service.story import Tale
from tests.support.full_disk import fill, make_room, needs_linux
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server, free_port

pytestmark = [pytest.mark.anyio, pytest.mark.real]


async def refusal(stores: Stores) -> str:
    """Return why a store takes no writes; empty if it does."""
    try:
        await stores.events.require_writable()
    except StoreUnavailable as error:
        return error.refusal or "no word"
    return ""


async def test_store_is_writable_when_nothing_is_wrong(stores: Stores) -> None:
    """Every store says so, and nothing is written for it."""
    before = await stores.events.ends()
    assert await refusal(stores) == ""
    assert await stores.events.ends() == before


CAUSES = {
    "OOM": ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "NOREPLICAS": ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
    "READONLY": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
}


@pytest.mark.parametrize("cause", CAUSES)
async def test_store_says_why_it_takes_no_writes(cause: str, server: Server, redis_kind_stores: Stores) -> None:
    """The server's own word, the same that a real write meets; and it is over when the cause is."""
    begin, end = CAUSES[cause]
    assert server.ask(begin) == "+OK"
    try:
        assert await refusal(redis_kind_stores) == cause
        with pytest.raises(StoreUnavailable) as caught:
            await redis_kind_stores.events.append(Tale(MatchId("m1")).batch("a", b"1"))
        assert caught.value.refusal == cause
    finally:
        assert server.ask(end) == "+OK"
    assert await refusal(redis_kind_stores) == ""


async def test_memory_of_the_server_is_reported(server: Server, redis_kind_stores: Stores, memory_stores: Stores) -> None:
    """How much it uses, and from which limit on it refuses writes; stores in memory have no server."""
    assert await memory_stores.events.memory() is None
    try:
        for limit in (0, 2**40):
            assert server.ask(f"CONFIG SET maxmemory {limit}") == "+OK"
            memory = await redis_kind_stores.events.memory()
            assert memory is not None
            assert (memory.used > 100_000, memory.limit) == (True, limit)
    finally:
        assert server.ask("CONFIG SET maxmemory 0") == "+OK"


@pytest.fixture
async def embedded(short_path: Path) -> AsyncIterator[EmbeddedServer]:
    """An embedded server with a deployment's data in it."""
    with EmbeddedServer.start(short_path) as server:
        async with await RedisStores.connect(server.url):
            pass
        yield server


async def until_refusal(stores: Stores, wanted: str) -> None:
    """Write until the store says what is wanted."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while await refusal(stores) != wanted:
        assert time.monotonic() < limit
        try:
            await stores.leases.take("full", "tester", 1_000)
        except StoreUnavailable:
            await asyncio.sleep(0.05)


@needs_linux
async def test_full_disk_is_reported_and_passes(embedded: EmbeddedServer) -> None:
    """The server lives on: reads go on, writes are refused, processes can start; with room again all is as before."""
    assert embedded.pid is not None
    async with await RedisStores.connect(embedded.url) as stores:
        await stores.events.append((tale := Tale(MatchId("m1"))).batch("a", b"1"))
        fill(embedded.pid, embedded.folder)
        await until_refusal(stores, "MISCONF")
        assert embedded.alive
        assert await stores.events.head(MatchId("m1")) is not None
        async with await RedisStores.connect(embedded.url) as others:
            assert await refusal(others) == "MISCONF"
        job_queue.connect(embedded.url).close()
        make_room(embedded.pid)
        await until_refusal(stores, "")
        assert (await stores.events.append(tale.batch("a", b"1"))).replayed


async def test_start_waits_when_the_server_still_reads_its_data(short_path: Path) -> None:
    """A server that is loading will answer in the end; the process need not be restarted for that."""
    slow = {"enable_debug_command": "yes", "rdbcompression": "no", "loading_process_events_interval_bytes": "1024"}
    with Server("valkey", short_path, **slow) as server:
        async with await RedisStores.connect(server.url):
            pass
        for number in range(20):
            server.ask(f"SET k{number} {'x' * 2_000}")
        server.ask("CONFIG SET key-load-delay 50000")
        reading = asyncio.create_task(asyncio.to_thread(server.ask, "DEBUG RELOAD"))
        limit = time.monotonic() + PATIENCE_SECONDS
        while not (server.ask("PING") or "").startswith("-LOADING"):
            assert time.monotonic() < limit
            await asyncio.sleep(0)
        client = await asyncio.to_thread(job_queue.connect, server.url)
        client.close()
        async with await RedisStores.connect(server.url) as stores:
            assert await refusal(stores) == ""
        assert await reading == "+OK"


# What is refused


@pytest.fixture(scope="module")
def cluster_node() -> Iterator[Server]:
    """A node of a cluster, which owns no slot."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder:
        ports = {"port": str(free_port()), "cluster_port": str(free_port()), "bind": "127.0.0.1"}
        with Server("redis7", Path(folder), cluster_enabled="yes", **ports) as server:
            yield server


@pytest.mark.parametrize("level", [Durability.EMBEDDED, Durability.UNCHECKED])
async def test_start_is_refused_when_the_server_is_a_node_of_a_cluster(cluster_node: Server, level: Durability) -> None:
    """One sentence, for the stores and for the queues, before anything else is looked at."""
    with pytest.raises(StartupRefused, match=r"^REDIS_URL leads to a node of a Redis Cluster: write redis\+cluster://.*\.$"):
        await RedisStores.connect(cluster_node.url, level)
    with pytest.raises(StartupRefused, match=r"^REDIS_URL leads to a node of a Redis Cluster"):
        job_queue.connect(cluster_node.url)


async def test_start_is_refused_when_job_queues_would_be_on_a_cluster() -> None:
    """The queues' library needs one server; the sentence says which variable names it."""
    with pytest.raises(StartupRefused, match=r"^REDIS_URL leads to a Redis Cluster, which cannot hold .* TAFELRUNDE_RQ_URL\.$"):
        job_queue.connect("redis+cluster://127.0.0.1:1")


async def test_key_of_another_program_is_named(valkey: Server, redis_stores: Stores) -> None:
    """Who reads the sentence finds the key, and what to do: in an answer to a command or a script, and at a start."""
    tale = Tale(MatchId("m1"))
    head = keys.head(tale.match)
    assert valkey.ask(f"SET {head} x") == "+OK"
    for work in (lambda: redis_stores.events.head(tale.match), lambda: redis_stores.events.append(tale.batch("a", b"1"))):
        with pytest.raises(CorruptHistory, match=r"RENAME") as caught:
            await work()
        assert head in str(caught.value)
    assert valkey.ask("SET deployment x") == "+OK"
    with pytest.raises(StartupRefused, match=r"^The server of the store \(REDIS_URL\) .* the key deployment .*RENAME.*\.$"):
        await RedisStores.connect(valkey.url)
