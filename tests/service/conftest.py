from __future__ import annotations

import tempfile
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.blobs import BlobStore
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.support.deployments import ClusterOfServers, Watched
from tests.support.receiver import Receiver, receiving
from tests.support.servers import KINDS, Server
from tests.support.thorough import everywhere

SHARING = ("redis8", "cluster", "sentinels")
"""Kinds of stores that share the contract's tests in CI; `make deployments` runs all tests on each of them."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to each of the kinds that share the tests its own part of them, and let one process start the servers of each."""
    if not everywhere(config):
        gone = [item for item in items if _of_another(item)]
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if not _of_another(item)]
        for item in items:
            if (kind := _kind(item)) in SHARING and not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(f"stores on {kind}"))


def _kind(item: pytest.Item) -> object:
    """Return the kind of stores that a test is for."""
    return item.callspec.params.get("stores") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None


def _of_another(item: pytest.Item) -> bool:
    kind = _kind(item)
    return kind in SHARING and SHARING[zlib.crc32(item.name.partition("[")[0].encode()) % len(SHARING)] != kind


class Servers:
    """The servers of the session, each started when it is first asked for."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._running: dict[str, Server] = {}

    def __getitem__(self, kind: str) -> Server:
        if kind not in self._running:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="tr-"))
            self._running[kind] = self._stack.enter_context(Server(kind, Path(folder)))
        return self._running[kind]


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """All servers of the session."""
    with ExitStack() as stack:
        yield Servers(stack)


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, servers: Servers) -> Server:
    """Each server in turn, empty."""
    found = servers[request.param]
    assert found.ask("FLUSHALL") == "+OK"
    return found


@pytest.fixture(scope="session")
def cluster() -> Iterator[ClusterOfServers]:
    """A cluster of three primaries."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, ClusterOfServers("valkey", Path(folder)) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def sentinels() -> Iterator[Watched]:
    """A primary and a replica under three Sentinels."""
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Watched("redis7", Path(folder)) as watched:
        yield watched


@pytest.fixture
def blobs() -> BlobStore | None:
    """Where archives are put; overridden by those who test that."""
    return None


@pytest.fixture(params=("memory", *KINDS, "cluster", "sentinels"))
async def stores(request: pytest.FixtureRequest, servers: Servers, blobs: BlobStore | None) -> AsyncIterator[Stores]:
    """Each store in turn, empty."""
    if request.param == "memory":
        yield memory_stores(blobs)
        if blobs is not None:
            await blobs.close()
        return
    server: Server | ClusterOfServers | Watched
    server = servers[request.param] if request.param in KINDS else request.getfixturevalue(request.param)
    server.empty()
    async with await RedisStores.connect(server.url, blobs=blobs) as stores:
        yield stores


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """An HTTP receiver that answers 2xx to every message."""
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def redis_kind_stores(server: Server) -> AsyncIterator[Stores]:
    """Empty stores on each server in turn."""
    async with await RedisStores.connect(server.url) as stores:
        yield stores
