"""The five kinds of servers that a deployment may run on, started for tests, and how each of them loses a server."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.deployments import ClusterOfServers, Watched
from tests.support.servers import Server

DEPLOYMENTS = ("embedded", "redis7", "redis8", "cluster", "sentinels")
REPLICATING = ("cluster", "sentinels")
SERVER, PRIMARY = "server", "primary"

_DURABLE = {"appendfsync": "always"}
_REPLICATED = {**_DURABLE, "min-replicas-to-write": "1"}


class Deployment(NamedTuple):
    """Servers that run: the settings that lead a process there, and what kills one of them.

    *lose* returns what it has killed as soon as all servers work again. It is None where `serve` has the server itself.
    """

    settings: Mapping[str, str]
    lose: Callable[[random.Random], str] | None = None


@contextmanager
def deployment(kind: str, folder: Path) -> Generator[Deployment]:
    """Start servers that lose nothing acknowledged when one of them is killed."""
    replicated = {"durability": "replicated"}
    if kind == "embedded":
        yield Deployment({"durability": "durable"})
    elif kind == "cluster":
        (folder / "queues").mkdir()
        with (
            ClusterOfServers("valkey", folder / kind, replicas=1, options=_REPLICATED) as cluster,
            Server("valkey", folder / "queues") as queues,
        ):
            yield Deployment({"redis_url": cluster.url, "rq_url": queues.url, **replicated}, lambda rng: _replaced(cluster, rng))
    elif kind == "sentinels":
        with Watched("redis7", folder / kind, options=_REPLICATED) as watched:
            yield Deployment({"redis_url": watched.url, **replicated}, lambda rng: _replaced(watched, rng))
    else:
        (folder / kind).mkdir()
        with Server(kind, folder / kind, **_DURABLE) as server:
            yield Deployment({"redis_url": server.url, "durability": "durable"}, lambda _: _restarted(server))


def _replaced(servers: ClusterOfServers | Watched, rng: random.Random) -> str:
    """Kill a primary, and start it again when another one has its place; wait until it has copied what it missed."""
    victim = rng.choice(servers.primaries())
    victim.kill()
    servers.wait_until_replaced(victim)
    victim.start()
    servers.wait_until_copied()
    return PRIMARY


def _restarted(server: Server) -> str:
    """Kill a server and start it again, as its supervisor does."""
    server.kill()
    server.start()
    return SERVER
