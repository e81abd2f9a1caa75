from __future__ import annotations

import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest

from tafelrunde.service.errors import StartupRefused, StoreUnavailable
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores, keys
from tafelrunde.service.settings import Durability
from tests.service.story import MATCH, Tale
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server, free_port

Answer = TypeVar("Answer")
pytestmark = [pytest.mark.anyio, pytest.mark.real]
EMBEDDED, DURABLE, REPLICATED = Durability.EMBEDDED, Durability.DURABLE, Durability.REPLICATED
GOOD = {
    "appendonly": "yes",
    "appendfsync": "always",
    "maxmemory-policy": "noeviction",
    "no-appendfsync-on-rewrite": "no",
    "min-replicas-to-write": "1",
}


@pytest.fixture
def configured(server: Server) -> Iterator[Server]:
    """Each server in turn, set as the highest level needs it, and set back afterwards."""

    def put(settings: dict[str, str]) -> None:
        for name, value in settings.items():
            assert server.ask(f"CONFIG SET {name} {value}") == "+OK"

    server.ask("HSET deployment shards 64 layout 1 id_key 01234567890123456789012345678901")
    put(GOOD)
    yield server
    put({**GOOD, "appendfsync": "everysec", "min-replicas-to-write": "0"})


@pytest.mark.parametrize("level", [EMBEDDED, DURABLE])
async def test_start_is_allowed_when_server_is_set_well(configured: Server, level: Durability) -> None:
    """A server that keeps more than a level promises will do."""
    configured.ask("CONFIG SET min-replicas-to-write 0")
    async with await RedisStores.connect(configured.url, level):
        pass


WRONG = [
    (EMBEDDED, "appendonly", "no", "yes"),
    (EMBEDDED, "appendfsync", "no", "everysec"),
    (EMBEDDED, "maxmemory-policy", "allkeys-lru", "noeviction"),
    (DURABLE, "appendfsync", "everysec", "always"),
    (DURABLE, "no-appendfsync-on-rewrite", "yes", "no"),
    (DURABLE, "maxmemory-policy", "volatile-ttl", "noeviction"),
    (REPLICATED, "appendfsync", "everysec", "always"),
    (REPLICATED, "min-replicas-to-write", "0", "1 or more"),
]


@pytest.mark.parametrize(
    ("level", "setting", "value", "wanted"), WRONG, ids=[f"{level.value}-{setting}" for level, setting, _, _ in WRONG]
)
async def test_start_is_refused_when_server_is_set_badly(
    configured: Server, level: Durability, setting: str, value: str, wanted: str
) -> None:
    """A server that cannot keep the level's promise is refused, with the setting, what it is and what it should be."""
    assert configured.ask(f"CONFIG SET {setting} {value}") == "+OK"
    with pytest.raises(StartupRefused) as caught:
        await RedisStores.connect(configured.url, level)
    assert f"{setting} {value}" in str(caught.value)
    assert f"needs {setting} {wanted}" in str(caught.value)
    assert "\n" not in str(caught.value)
    configured.ask("CONFIG SET min-replicas-to-write 0")
    async with await RedisStores.connect(configured.url, Durability.UNCHECKED):
        pass


async def test_start_is_refused_when_server_hides_its_config(server: Server) -> None:
    """What cannot be checked is refused, with the setting that starts all the same."""
    server.ask("ACL SETUSER guest on >password ~* &* +@all -config")
    url = server.url.replace("://", "://guest:password@")
    try:
        with pytest.raises(StartupRefused, match=r"TAFELRUNDE_DURABILITY=unchecked") as caught:
            await RedisStores.connect(url)
        assert "password" not in str(caught.value)
        async with await RedisStores.connect(url, Durability.UNCHECKED) as stores:
            assert (await stores.events.append(Tale().batch("a", b"1"))).last == 1
    finally:
        server.ask("ACL DELUSER guest")


async def test_start_is_refused_when_password_is_wrong(server: Server) -> None:
    """A wrong password is reported without repeating it."""
    url = server.url.replace("://", "://nobody:password@")
    with pytest.raises(StartupRefused) as caught:
        await RedisStores.connect(url)
    assert "nobody:" not in str(caught.value)


class Pair:
    """A primary and its replica."""

    def __init__(self, primary: Server, replica: Server) -> None:
        self.primary = primary
        self.replica = replica

    def freeze(self) -> None:
        """Stop the replica from answering, as a broken link would."""
        assert self.replica.process is not None
        self.replica.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the replica go on."""
        assert self.replica.process is not None
        self.replica.process.send_signal(signal.SIGCONT)


@pytest.fixture(params=["valkey", "redis8"])
def pair(request: pytest.FixtureRequest, short_path: Path) -> Iterator[Pair]:
    """A primary with a replica that is in step."""
    port = free_port()
    folders = short_path / "primary", short_path / "replica"
    for folder in folders:
        folder.mkdir()
    always = {"appendfsync": "always", "min_replicas_to_write": "1", "repl_diskless_sync_delay": "0", "bind": "127.0.0.1"}
    with ExitStack() as stack:
        primary = stack.enter_context(Server(request.param, folders[0], port=str(port), **always))
        replica = Server(request.param, folders[1], **{**always, "min_replicas_to_write": "0"}, replicaof=f"127.0.0.1 {port}")
        stack.enter_context(replica)
        primary.ask("CONFIG SET min-replicas-to-write 0")
        primary.ask("SET probe 1")
        until = time.monotonic() + PATIENCE_SECONDS
        while replica.ask("EXISTS probe") != ":1":
            assert time.monotonic() < until, "the replica does not follow"
            time.sleep(0.01)
        primary.ask("CONFIG SET min-replicas-to-write 1")
        yield Pair(primary, replica)


@pytest.fixture
async def replicated(pair: Pair) -> AsyncIterator[Stores]:
    """Stores whose appends wait for the replica."""
    async with await RedisStores.connect(pair.primary.url, REPLICATED, wait_ms=150) as stores:
        yield stores


async def patiently(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """Return the answer to a call that works as soon as the replica has caught up."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return await call()
        except StoreUnavailable:
            assert time.monotonic() < until, "the replica does not come back"


async def test_append_waits_for_replica(pair: Pair, replicated: Stores) -> None:
    """An acknowledged batch is on the replica."""
    tale = Tale()
    for number in range(20):
        batch = tale.batch(f"k{number}", b"x")
        await patiently(lambda batch=batch: replicated.events.append(batch))
        tale.note(batch)
        assert pair.replica.ask(f"XLEN {keys.entries(MATCH)}") == f":{number + 1}"


async def test_append_is_unavailable_until_replica_has_it(pair: Pair, replicated: Stores) -> None:
    """Without the replica nothing is acknowledged, neither at first nor when tried again; with it the key gets its answer."""
    batch = Tale().batch("a", b"1")
    pair.freeze()
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await replicated.events.append(batch)
        with pytest.raises(StoreUnavailable):
            await replicated.events.find_written(MATCH, "a", batch.fingerprint)
    pair.thaw()
    written = await patiently(lambda: replicated.events.append(batch))
    assert (written.last, written.replayed) == (1, True)
    assert await patiently(lambda: replicated.events.find_written(MATCH, "a", batch.fingerprint)) == written
    log = await replicated.events.load(MATCH)
    assert log is not None
    assert log.entries == (b"1",)


async def test_repetition_from_elsewhere_waits_as_well(pair: Pair, replicated: Stores) -> None:
    """A server counts only what came over the same connection; yet no process takes a batch for safe that is not."""
    batch = Tale().batch("a", b"1")
    pair.freeze()
    with pytest.raises(StoreUnavailable):
        await replicated.events.append(batch)
    async with await RedisStores.connect(pair.primary.url, REPLICATED, wait_ms=150) as elsewhere:
        with pytest.raises(StoreUnavailable):
            await elsewhere.events.append(batch)
    async with await RedisStores.connect(pair.primary.url, REPLICATED, wait_ms=150) as elsewhere:
        with pytest.raises(StoreUnavailable):
            await elsewhere.events.find_written(MATCH, "a", batch.fingerprint)
    pair.thaw()
    async with await RedisStores.connect(pair.primary.url, REPLICATED, wait_ms=150) as elsewhere:
        assert (await patiently(lambda: elsewhere.events.append(batch))).replayed


async def test_nothing_is_written_without_any_replica(pair: Pair, replicated: Stores) -> None:
    """A primary that has lost its replicas for long refuses to write at all."""
    pair.replica.kill()
    until = time.monotonic() + PATIENCE_SECONDS
    while pair.primary.ask("WAIT 1 1") != ":0":
        assert time.monotonic() < until, "the primary does not notice"
    with pytest.raises(StoreUnavailable):
        await replicated.events.append(Tale().batch("a", b"1"))
    assert await replicated.events.load(MATCH) is None
