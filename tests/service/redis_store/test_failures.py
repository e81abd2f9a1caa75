from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import (
    CorruptHistory,
    HistoryForked,
    StartupRefused,
    StoreError,
    StoreUnavailable,
)
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import Version, Written, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores, circuit_breaker, layout
from tafelrunde.service.redis_store import client as wire
from tafelrunde.service.redis_store.client import Client, Reply, Script, Value, items, text
from tafelrunde.service.redis_store.events import RedisEvents
from tafelrunde.service.settings import Durability
from tests.service.redis_store.proxy import Proxy
from tests.service.story import MATCH, NOON_MS, Tale
from tests.support.patience import PATIENCE_SECONDS
from tests.support.refusing import HUNG, RefusingServer
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
TAG = f"{{s{shard_of(MATCH):02d}}}"
STREAM, HEAD = f"m:{TAG}:{MATCH}:e", f"m:{TAG}:{MATCH}:h"


@pytest.fixture
async def proxy(server: Server, short_path: Path) -> AsyncIterator[Proxy]:
    """A proxy in front of each server in turn, whose scripts are loaded already."""
    async with await RedisStores.connect(server.url) as stores:
        await stores.events.append(Tale(MatchId("earlier")).batch("a", b"1"))
    async with Proxy(server.socket, short_path / "p") as proxy:
        yield proxy


@pytest.fixture
async def lossy(proxy: Proxy) -> AsyncIterator[Stores]:
    """Stores behind the proxy."""
    async with await RedisStores.connect(proxy.url) as stores:
        yield stores


async def check_written_once(stores: Stores, tale: Tale) -> None:
    """Check the log, its line in the shard's log and the agenda."""
    log = await stores.events.load(MATCH)
    assert log is not None
    assert (list(log.entries), log.head.chain) == (tale.entries, tale.chain)
    lines = await stores.events.follow({shard_of(MATCH): "0-0"}, 0)
    assert [line.version for line in lines if line.match == MATCH] == [Version(2)]
    assert [match for match in await stores.events.matches(shard_of(MATCH)) if match == MATCH] == [MATCH]


async def until_available(call: Callable[[], Awaitable[Written]]) -> Written:
    """Return what a call returns, once stores that wait for a fifth of a second get an answer."""
    while True:
        with suppress(StoreUnavailable):
            return await call()
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("losses", [1, 2])
async def test_batch_is_written_once_when_replies_are_lost(proxy: Proxy, lossy: Stores, losses: int) -> None:
    """A lost reply is answered by the retry: nothing is written twice, and the caller sees no conflict."""
    tale = Tale()
    batch = tale.batch("a", b"1", b"2", deadline_ms=NOON_MS)
    proxy.losing = losses
    assert await lossy.events.append(batch) == Written(Version(1), Version(2), replayed=True)
    assert proxy.lost == losses
    tale.note(batch)
    await check_written_once(lossy, tale)


async def test_batch_is_written_once_when_all_replies_are_lost(proxy: Proxy, lossy: Stores) -> None:
    """After the last retry the caller does not know; the same key brings the answer, however often it is tried."""
    tale = Tale()
    batch = tale.batch("a", b"1", b"2", deadline_ms=NOON_MS)
    for _ in range(2):
        proxy.losing = wire.RETRIES + 1
        with pytest.raises(StoreUnavailable):
            await lossy.events.append(batch)
        assert proxy.losing == 0
    assert await lossy.events.append(batch) == Written(Version(1), Version(2), replayed=True)
    tale.note(batch)
    await check_written_once(lossy, tale)


async def test_request_gives_up_when_server_is_silent(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that takes requests and says nothing costs a bounded time, and still nothing is written twice."""
    tale = Tale()
    batch = tale.batch("a", b"1", b"2")
    with monkeypatch.context() as hurried:
        hurried.setattr(wire, "TRY_SECONDS", 0.2)
        connected = await RedisStores.connect(proxy.url, patient=True)
    async with connected as stores, asyncio.timeout(PATIENCE_SECONDS):
        while not proxy.lost:  # on a busy machine no try of a command may come as far as the server
            proxy.losing = wire.RETRIES + 1
            proxy.silent = True
            with pytest.raises(StoreUnavailable):
                await stores.events.append(batch)
            await asyncio.sleep(0.02)
        proxy.losing = 0
        assert (await until_available(lambda: stores.events.append(batch))).replayed
        tale.note(batch)
    async with await RedisStores.connect(proxy.url) as again:
        await check_written_once(again, tale)


async def test_no_command_waits_for_a_server_of_which_others_know_that_it_hangs(
    valkey: Server, valkey_url: str, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of before wait for one time limit, all later ones for one probe at a time; the first answer ends it."""
    assert valkey_url == valkey.url
    monkeypatch.setattr(wire, "TRY_SECONDS", 0.5)
    async with RefusingServer(valkey.socket, short_path / "p") as server, await RedisStores.connect(server.url) as stores:

        async def ask(count: int) -> int:
            """Send that many failing calls at once, and return how many tries they took."""
            before = server.unanswered
            found = await asyncio.gather(
                *(stores.leases.take(f"{each}", "x", 1) for each in range(count)), return_exceptions=True
            )
            assert [type(each) for each in found] == [StoreUnavailable] * count
            return server.unanswered - before

        server.refusal = HUNG
        monkeypatch.setattr(circuit_breaker, "RETRY_SECONDS", PATIENCE_SECONDS)
        assert await ask(50) <= wire.RETRIES + 1
        assert [await ask(50) for _ in range(3)] == [1, 0, 0]
        monkeypatch.setattr(circuit_breaker, "RETRY_SECONDS", 0.0)
    async with RefusingServer(valkey.socket, short_path / "q") as server, await RedisStores.connect(server.url) as stores:
        server.refusal = HUNG
        await ask(1)
        assert [await ask(50) for _ in range(3)] == [1, 1, 1]
        server.refusal = "MISCONF"
        with pytest.raises(StoreUnavailable) as caught:
            await stores.leases.take("a", "x", 1)
        assert caught.value.refusal == "MISCONF"
        server.refusal = ""
        assert await stores.leases.take("a", "x", 1)


async def test_lost_claim_is_offered_again(proxy: Proxy, lossy: Stores) -> None:
    """What was claimed for a reply that got lost is due again after the lease."""
    await lossy.agenda.claim(AgendaKind.DEADLINE, 0, 0, 0)  # so that the server has the script
    await lossy.events.append(Tale().batch("a", b"1", deadline_ms=NOON_MS))
    proxy.losing = 1
    lost = await lossy.agenda.claim(AgendaKind.DEADLINE, NOON_MS, 500, 10)
    assert (lost.due, lost.next_ms) == ((), NOON_MS + 500)
    assert (await lossy.agenda.claim(AgendaKind.DEADLINE, NOON_MS + 500, 500, 10)).due == ((MATCH, NOON_MS + 500),)


async def test_script_itself_refuses_empty_append(server: Server) -> None:
    """A call without entries writes nothing, and neither does one with a used key."""
    client = Client(server.url)
    append = Script("time", "append")
    events = RedisEvents(client)
    arguments = (0, bytes(32), b"c", b"key", b"print", MATCH, "open", "", "", "", 10, "", "", "", "", "", "", "", "", 0)
    keys = (STREAM, HEAD, *(f"{TAG}{name}" for name in "ildwcmrto"))
    assert await client.run(append, keys, arguments) == [b"empty"]
    assert server.ask("DBSIZE") == ":0"
    assert items(await client.run(append, keys, (*arguments, b"entry")))[:3] == [b"appended", 1, 1]
    assert await client.run(append, keys, arguments) == [b"empty"]
    head = await events.head(MATCH)
    assert head is not None
    assert head.version == 1
    await client.close()


async def test_append_forks_when_stream_is_ahead_of_head(server: Server, redis_kind_stores: Stores) -> None:
    """The stream's own order is a second fence: a head that fell behind cannot make it take a version twice."""
    tale = Tale()
    for key in ("a", "b"):
        batch = tale.batch(key, key.encode())
        await redis_kind_stores.events.append(batch)
        tale.note(batch)
    server.ask(f"DEL {HEAD}")
    with pytest.raises(HistoryForked):
        await redis_kind_stores.events.append(Tale().batch("c", b"1"))
    assert server.ask(f"XLEN {STREAM}") == ":2"
    assert server.ask(f"EXISTS {HEAD}") == ":0"


class Overtaken(Client):
    """A wire on which another writer comes in between the reading of the head and of the entries."""

    async def together(self, commands: Iterable[Sequence[Value]]) -> list[Reply]:
        read_head, read_entries = commands
        head = await self.call(*read_head)
        tale = Tale()
        tale.entries = [b"1"]
        await RedisEvents(self).append(tale.batch("late", b"2", b"3"))
        return [head, await self.call(*read_entries)]


async def test_load_ends_at_its_head_when_overtaken(server: Server) -> None:
    """Entries that came after the head was read are left for the next time, so that entries and chain belong together."""
    client = Overtaken(server.url)
    first = Tale().batch("a", b"1")
    await RedisEvents(client).append(first)
    log = await RedisEvents(client).load(MATCH)
    assert log is not None
    assert (log.head.version, log.head.chain, log.entries) == (1, first.next_chain, (b"1",))
    await client.close()


async def test_load_tells_when_entries_are_missing(server: Server, redis_kind_stores: Stores) -> None:
    """A log that is shorter than its head says is corrupt, never just short."""
    await redis_kind_stores.events.append(Tale().batch("a", b"1", b"2"))
    server.ask(f"XDEL {STREAM} 0-2")
    with pytest.raises(CorruptHistory):
        await redis_kind_stores.events.load(MATCH)


async def test_wrong_kind_of_key_is_corrupt(server: Server, redis_kind_stores: Stores) -> None:
    """A key of the wrong type is reported as such; nothing is written."""
    server.ask(f"SET {STREAM} x")
    with pytest.raises(CorruptHistory):
        await redis_kind_stores.events.append(Tale().batch("a", b"1"))
    with pytest.raises(CorruptHistory):
        await redis_kind_stores.events.load(MATCH)
    assert server.ask(f"EXISTS {HEAD}") == ":0"


async def test_append_is_unavailable_and_writes_nothing_when_memory_is_full(server: Server, redis_kind_stores: Stores) -> None:
    """A full server refuses the whole batch, keeps answering reads, and takes the batch when there is room again."""
    first = Tale()
    tale = Tale(MatchId("m-2"))
    await redis_kind_stores.events.append(batch := first.batch("a", b"1"))
    first.note(batch)
    server.ask("CONFIG SET maxmemory 1")
    try:
        with pytest.raises(StoreUnavailable):
            await redis_kind_stores.events.append(tale.batch("a", b"1", deadline_ms=5))
        with pytest.raises(StoreUnavailable):
            await redis_kind_stores.events.append(first.batch("b", b"1"))
        assert await redis_kind_stores.events.head(MATCH) is not None
    finally:
        server.ask("CONFIG SET maxmemory 0")
    assert await redis_kind_stores.events.head(tale.match) is None
    assert not (await redis_kind_stores.events.append(tale.batch("a", b"1"))).replayed


async def test_append_is_unavailable_when_server_is_a_replica(server: Server, redis_kind_stores: Stores) -> None:
    """A server that may not write says so, and nothing is written."""
    server.ask("REPLICAOF 127.0.0.1 1")
    try:
        with pytest.raises(StoreUnavailable):
            await redis_kind_stores.events.append(Tale().batch("a", b"1"))
    finally:
        server.ask("REPLICAOF NO ONE")
    assert await redis_kind_stores.events.head(MATCH) is None


async def test_scripts_come_back_when_server_forgot_them(server: Server, redis_kind_stores: Stores) -> None:
    """A server that lost its scripts (a restart, a failover) is given them again."""
    tale = Tale()
    for number in range(3):
        server.ask("SCRIPT FLUSH")
        batch = tale.batch(f"k{number}", b"x")
        assert (await redis_kind_stores.events.append(batch)).last == number + 1
        tale.note(batch)


async def test_every_call_is_unavailable_when_server_is_gone(short_path: Path) -> None:
    """A dead server raises the same error everywhere, and the stores work again when it is back."""
    with Server("valkey", short_path) as server:
        async with await RedisStores.connect(server.url) as stores:
            await stores.events.append(Tale().batch("a", b"1"))
            ends = await stores.events.ends()
            following = asyncio.create_task(stores.events.follow(ends, 600_000))
            await asyncio.sleep(0.05)
            server.stop()
            async with asyncio.timeout(PATIENCE_SECONDS):
                for call in (
                    lambda: following,
                    lambda: stores.events.head(MATCH),
                    lambda: stores.events.load(MATCH),
                    lambda: stores.events.append(Tale().batch("a", b"1")),
                    lambda: stores.events.follow(ends, 600_000),
                    lambda: stores.agenda.claim(AgendaKind.WORK, 1, 1, 1),
                    lambda: stores.leases.take("x", "y", 1),
                    lambda: stores.rows.row(MATCH),
                    lambda: stores.players.token(b"x"),
                ):
                    with pytest.raises(StoreUnavailable):
                        await call()
            server.start()
            assert (await stores.events.append(Tale().batch("a", b"1"))).replayed


async def test_connecting_is_refused_in_one_sentence_when_nothing_answers(short_path: Path) -> None:
    """An address without a server is an operator's mistake, reported at start."""
    with pytest.raises(StartupRefused, match=r"^The server of the store \(REDIS_URL\) does not work: .*[^.]\.$"):
        await RedisStores.connect(f"unix://{short_path}/none")


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis://localhost:port"])
async def test_connecting_is_refused_when_address_is_none(url: str) -> None:
    """A malformed address is reported as such."""
    with pytest.raises(StartupRefused, match=r"^REDIS_URL is not the address of a server: [^.]*[^.]\.$"):
        await RedisStores.connect(url)


async def test_deployment_keeps_its_id_key(server: Server) -> None:
    """The key of derived ids is made once, and is the same for every process since."""
    keys: set[bytes] = set()
    for _ in range(3):
        async with await RedisStores.connect(server.url) as stores:
            keys.add(stores.id_key)
    assert [len(key) for key in keys] == [32]


async def test_deployments_race_to_one_id_key(server: Server) -> None:
    """Processes that start together agree."""
    connected = await asyncio.gather(*(RedisStores.connect(server.url) for _ in range(8)))
    assert len({each.stores.id_key for each in connected}) == 1
    for each in connected:
        await each.close()


@pytest.mark.parametrize(("field", "value"), [("shards", "32"), ("layout", "0"), ("id_key", "short")])
async def test_start_is_refused_when_data_was_made_otherwise(server: Server, field: str, value: str) -> None:
    """Another number of shards would look for matches where they are not."""
    server.ask(f"HSET deployment {field} {value}")
    with pytest.raises(StartupRefused, match=field):
        await RedisStores.connect(server.url)
    server.ask("FLUSHALL")
    async with await RedisStores.connect(server.url):
        assert server.ask("HGET deployment shards") == f"${len(str(64))}"
    assert layout.LAYOUT == 1


async def test_unknown_refusal_of_server_is_a_store_error(server: Server) -> None:
    """Whatever else a server says has a name in the family too, and is not taken for a server that is down."""
    client = Client(server.url)
    with pytest.raises(StoreError) as caught:
        await client.call("NOSUCH")
    assert not isinstance(caught.value, StoreUnavailable)
    await client.close()
    async with await RedisStores.connect(server.url, Durability.UNCHECKED):
        pass


@pytest.mark.parametrize("call", ["load", "take"])
async def test_cancelled_call_ends(server: Server, call: str) -> None:
    """Cancellation works at every point of a call: while connecting, loading a script, waiting for an answer."""
    chance = random.Random(1)
    for _ in range(60):
        server.ask("SCRIPT FLUSH")
        async with await RedisStores.connect(server.url) as stores:
            calls = {
                "load": lambda stores=stores: stores.events.load(MATCH),
                "take": lambda stores=stores: stores.leases.take("a", "b", 1_000),
            }
            tasks = [asyncio.ensure_future(calls[call]()) for _ in range(3)]
            await asyncio.sleep(0.004 * chance.random())
            pending = [task for task in tasks if task.cancel()]
            await asyncio.wait(tasks)
            assert all(task.cancelled() for task in pending)


async def test_closed_client_opens_no_connection(server: Server) -> None:
    """A command that comes after the end is refused, and leaves no connection open."""
    client = Client(server.url)
    await client.call("GET", "a")
    await client.close()
    before = await _connections(server)
    for late in (client.call("GET", "a"), client.read({"log": "0-0"}, 1, 60_000), client.write("SET", "a", "b")):
        with pytest.raises(StoreUnavailable, match="closed"):
            await late
    assert await _connections(server) == before + 1  # the one that counts


async def _connections(server: Server) -> int:
    """Return how many connections a server has ever taken, with the one that asks."""
    client = Client(server.url)
    info = text(await client.call("INFO", "stats"))
    await client.close()
    return int(info.partition("total_connections_received:")[2].split()[0])


async def test_commands_are_taken_when_the_server_wants_a_password(short_path: Path) -> None:
    """A connection logs in and chooses its database before anything else; a wrong password is a refusal with a name."""
    with Server("valkey", short_path) as server:
        word = "swordfish"
        assert server.ask(f"CONFIG SET requirepass {word}") == "+OK"
        client = Client(f"unix://:{word}@{server.socket}?db=3")
        await client.write("SET", "a", "b")
        assert await client.call("GET", "a") == b"b"
        assert " db=3 " in text(await client.call("CLIENT", "LIST"))
        await client.close()
        stranger = Client(f"unix://:{word[1:]}@{server.socket}")
        with pytest.raises(StoreUnavailable) as caught:
            await stranger.call("GET", "a")
        assert caught.value.refusal == "NOAUTH"
        await stranger.close()
