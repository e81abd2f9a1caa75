"""What a new connection costs: each process opens dozens, and each test that starts a server as well."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import redis.sentinel
from redis import utils
from redis.asyncio.sentinel import Sentinel

from tafelrunde.service.redis_store.address import Sentinels
from tafelrunde.service.redis_store.client import Client
from tafelrunde.service.redis_store.connections import connections
from tafelrunde.service.runtime.job_queue import unchecked_client

pytestmark = pytest.mark.anyio


def test_version_of_the_library_is_looked_up_once_when_many_connections_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection still says which library it is, but does not search the installed packages for its version."""

    def searched() -> str:
        raise AssertionError("a connection has searched the installed packages")

    monkeypatch.setattr(utils, "get_lib_version", searched)
    client = Client("redis://nowhere:1")
    clients: list[Any] = [client._requests, client._blocking, unchecked_client("redis://nowhere:1")]
    for each in clients:
        said = each.connection_pool.make_connection().driver_info
        assert said.formatted_name == "redis-py"
        assert said.lib_version[0].isdigit()


async def test_sentinels_are_asked_once_when_many_connections_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers share one question, a later one asks again, and a caller that has gone ends it for no other."""
    asked = 0
    answer = asyncio.Event()

    async def discover(_: Sentinel, service_name: str) -> tuple[str, int]:
        nonlocal asked
        asked += 1
        await answer.wait()
        return service_name, asked

    monkeypatch.setattr(Sentinel, "discover_master", discover)
    pool: Any = connections(Sentinels((("nowhere", 1),), "main", 0, None, None, False, {}))
    asking = [asyncio.create_task(pool.get_master_address()) for _ in range(20)]
    await asyncio.sleep(0)
    asking[0].cancel()
    await asyncio.wait(asking[:1])
    answer.set()
    assert await asyncio.gather(*asking[1:]) == [("main", 1)] * 19
    assert await pool.get_master_address() == ("main", 2)
    await pool.disconnect()


def test_connections_to_sentinels_are_closed_with_those_to_their_primary(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client of the job queues leaves none open, but keeps them when only the primary has changed."""
    closed: list[object] = []

    def close(manager: redis.sentinel.Sentinel) -> None:
        closed.append(manager)

    monkeypatch.setattr(redis.sentinel.Sentinel, "close", close)
    client = unchecked_client("redis+sentinel://nowhere:1/main")
    pool: Any = client.connection_pool
    pool.disconnect(inuse_connections=False)
    assert closed == []
    client.close()
    assert closed == [pool.sentinel_manager]
