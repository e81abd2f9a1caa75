"""A server that comes back empty, or with another deployment's data, while processes run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.errors import StartupRefused, StoreReplaced
from tafelrunde.service.features.bots.feature import STORE as THOUGHTS
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.players import PlayerRecord
from tafelrunde.service.ports.quotas import Quota
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.service.story import MATCH, Tale, another
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
PLAYER = PlayerRecord(PlayerId("p1"), "Anna", False, 1)
WRITES: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "append": lambda stores: stores.events.append(another(Tale(MatchId("m-new")).batch("k", b"x"), deadline_ms=5)),
    "writable": lambda stores: stores.events.require_writable(),
    "claim": lambda stores: stores.agenda.claim(AgendaKind.DEADLINE, None, 1, 1),
    "postpone": lambda stores: stores.agenda.postpone(AgendaKind.DEADLINE, MATCH, 9),
    "thought": lambda stores: THOUGHTS.of(stores).keep(MATCH, b"x", 60_000),
    "lease": lambda stores: stores.leases.take("rater", "me", 1_000),
    "player": lambda stores: stores.players.put_player(PLAYER),
    "quota": lambda stores: stores.budgets.take("p1", Quota("reads", 60), 1, 1),
    "clock": lambda stores: stores.server_time.follow(),
}
READS: dict[str, Callable[[Stores], Awaitable[object]]] = {
    "head": lambda stores: stores.events.head(MATCH),
    "load": lambda stores: stores.events.load(MATCH),
    "token": lambda stores: stores.players.token(b"digest"),
    "people": lambda stores: stores.players.people([PlayerId("p1")]),
    "thought": lambda stores: THOUGHTS.of(stores).read(MATCH),
}


@pytest.fixture
def own_server(short_path: Path) -> Iterator[Server]:
    """A server that no other test talks to."""
    with Server("redis7", short_path) as server:
        yield server


def emptied(server: Server) -> None:
    """Empty a server that runs on: connections stay open."""
    assert server.ask("FLUSHALL") == "+OK"


def restarted(server: Server) -> None:
    """Restart a server without its file."""
    server.kill()
    for file in (*server.folder.rglob("*.aof"), *server.folder.rglob("*.rdb"), *server.folder.rglob("*.manifest")):
        file.unlink()
    server.start()


async def refused(stores: Stores, asked: dict[str, Callable[[Stores], Awaitable[object]]]) -> None:
    """Make sure that all of these are refused."""
    for ask in asked.values():
        with pytest.raises(StoreReplaced):
            await ask(stores)


@pytest.mark.parametrize("lose", [emptied, restarted])
async def test_empty_store_is_refused_until_the_process_starts_again(lose: Callable[[Server], None], own_server: Server) -> None:
    """Reads and writes are refused with one sentence in the log; nothing is written; a new process goes on."""
    async with await RedisStores.connect(own_server.url) as stores:
        await stores.events.append(Tale().batch("k", b"x"))
        lose(own_server)
        with capture_logs() as logs:
            await refused(stores, WRITES | {f"read {name}": ask for name, ask in READS.items()})
        assert [line["event"] for line in logs if line["log_level"] == "error"] == [
            "store was replaced or emptied: restart this process to accept it"
        ]
        assert own_server.ask("DBSIZE") == ":0"
        async with await RedisStores.connect(own_server.url) as others:
            assert others.id_key != stores.id_key
            await others.events.append(Tale().batch("other", b"y"))
            await refused(stores, WRITES | {f"read {name}": ask for name, ask in READS.items()})
            head = await others.events.head(MATCH)
            assert head is not None
            assert head.version == 1


async def test_no_write_reaches_an_empty_store_that_was_not_looked_at_yet(own_server: Server) -> None:
    """Each write alone: it is refused by the step that would write, not by what was asked before."""
    for name, write in WRITES.items():
        async with await RedisStores.connect(own_server.url) as stores:
            await write(stores)  # so that the server has the script
            emptied(own_server)
            with pytest.raises(StoreReplaced):
                await write(stores)
            assert own_server.ask("DBSIZE") == ":0", name


async def test_former_store_is_taken_again_when_it_is_back(own_server: Server) -> None:
    """A wrong address or an empty replica for a moment: when the deployment's data is back, the process goes on."""
    async with await RedisStores.connect(own_server.url) as stores:
        await stores.events.append(Tale().batch("k", b"x"))
        assert own_server.ask("RENAME deployment elsewhere") == "+OK"
        await refused(stores, WRITES)
        assert own_server.ask("RENAME elsewhere deployment") == "+OK"
        found = await asyncio.gather(*(stores.events.head(MATCH) for _ in range(5)))
        assert [head.version for head in found if head is not None] == [1] * 5


async def test_process_of_serve_does_not_start_on_another_store(own_server: Server) -> None:
    """A child that crashes and starts again belongs to the deployment with which `serve` began."""
    first = await RedisStores.connect(own_server.url)
    await first.close()
    await (await RedisStores.connect(own_server.url, store_id=first.store_id)).close()
    emptied(own_server)
    with pytest.raises(StartupRefused, match="restart that to go on"):
        await RedisStores.connect(own_server.url, store_id=first.store_id)
    assert own_server.ask("DBSIZE") == ":0"
    await (await RedisStores.connect(own_server.url)).close()
    with pytest.raises(StartupRefused, match="restart that to go on"):
        await RedisStores.connect(own_server.url, store_id=first.store_id)
