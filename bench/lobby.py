"""What a page of the lobby costs: `python -m bench.lobby`, on one server and on a cluster of three primaries.

Pages as the service reads them, from the indexes of 64 shards, beside the same members read from one index of all shards.
Processor time of this process, which stands for an api process, and of all servers together.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
import uvloop

from bench.capacity import ALL, BATCH, Meter, finished_row
from bench.scale import part, size, sized
from bench.sheet import table
from tafelrunde.domain.match import Status
from tafelrunde.service.ports.events import Shard, shard_of
from tafelrunde.service.ports.rows import Listing, Row
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.address import Cluster, parse
from tafelrunde.service.redis_store.client import Client
from tafelrunde.service.redis_store.cluster import ClusterClient
from tafelrunde.service.redis_store.store_client import StoreClient
from tests.support.deployments import ClusterOfServers
from tests.support.servers import Server

MATCHES = size(20_000, 100)
REPEAT = size(300, 2)
ONE = "one-index"
LISTINGS = {
    "50 newest": Listing(limit=50),
    "50 newest that are open": Listing(limit=50, status=Status.OPEN),
    "50 from the middle": Listing(limit=50, after=(finished_row(MATCHES // 2).opened_ms, finished_row(MATCHES // 2).match)),
}
Cells = tuple[str, ...]


def row_of(number: int) -> Row:
    """Return the row of a match; one in four is open."""
    return msgspec.structs.replace(finished_row(number), status=Status.RUNNING if number % 4 else Status.OPEN)


async def fill(stores: Stores, client: StoreClient) -> None:
    """Write all rows, and one index of all of them."""
    waiting: dict[Shard, list[Row]] = {shard: [] for shard in ALL}
    for number in range(MATCHES):
        row = row_of(number)
        waiting[shard_of(row.match)].append(row)
        await client.call("ZADD", ONE, 0, f"{row.opened_ms:015d}{row.match}")
    for shard, rows in waiting.items():
        for start in range(0, len(rows), BATCH):
            checkpoint = await stores.rows.checkpoint(shard)
            await stores.rows.project(shard, checkpoint, f"{start + 1}-0", rows[start : start + BATCH])


async def cost(meters: Sequence[Meter], action: Callable[[], Awaitable[object]]) -> Cells:
    """Return the microseconds of this process and of the servers for an action."""
    await action()
    servers = sum(meter.server_cpu() for meter in meters)
    own = time.process_time()
    for _ in range(REPEAT):
        await action()
    own = time.process_time() - own
    servers = sum(meter.server_cpu() for meter in meters) - servers
    return f"{1e6 * own / REPEAT:,.0f}", f"{1e6 * servers / REPEAT:,.0f}"


async def measured(name: str, url: str, sockets: Sequence[Path]) -> list[Cells]:
    """Measure on the servers at an address."""
    part(name)
    address = parse(url, "url")
    client = ClusterClient(address) if isinstance(address, Cluster) else Client(address)
    meters = [Meter(f"unix://{each}") for each in sockets]
    async with await RedisStores.connect(url) as stores:
        await fill(stores, client)
        found = [(name, what, *await cost(meters, partial(stores.rows.rows, listing))) for what, listing in LISTINGS.items()]
    newest = partial(client.call, "ZREVRANGEBYLEX", ONE, "+", "-", "LIMIT", 0, 50)
    found.append((name, "members of the 50 newest, from one index", *await cost(meters, newest)))
    await client.close()
    for meter in meters:
        meter.close()
    return found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="tr-") as name, Server("valkey", Path(name)) as server:
        rows = uvloop.run(measured("one server", server.url, [server.socket]))
    with tempfile.TemporaryDirectory(prefix="tr-") as name, ClusterOfServers("valkey", Path(name)) as cluster:
        rows += uvloop.run(measured("three primaries", cluster.url, [node.socket for node in cluster.nodes]))
    print(*table((f"{MATCHES:,} matches", "page", "api, µs", "servers, µs"), rows), sep="\n")


if __name__ == "__main__":
    sized(__doc__)
    main()
