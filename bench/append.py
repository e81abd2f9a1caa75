"""The other yardstick: the append script alone, from as many tasks as the load has connections."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time

import uvloop

from bench.figures import Stopwatch, Stretch
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.ports.events import GENESIS, NO_EVENTS, Batch, EventStore, Version, chain_over
from tafelrunde.service.redis_store import RedisStores

ENTRIES = (b"e" * 220, b"f" * 180, b"g" * 160)


def run(url: str, tasks: int, seconds: float) -> Stretch:
    """Append batches of three entries, each task to its own match, for a number of seconds."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_measure(url, tasks, seconds))


async def _measure(url: str, tasks: int, seconds: float) -> Stretch:
    watch = Stopwatch()
    async with await RedisStores.connect(url) as stores:
        began = time.perf_counter()
        await asyncio.gather(*(_append(stores.events, watch, began + seconds) for _ in range(tasks)))
        return watch.read(time.perf_counter() - began)


async def _append(store: EventStore, watch: Stopwatch, until: float) -> None:
    match = MatchId(f"bench{secrets.token_hex(8)}")
    version = NO_EVENTS
    chain = GENESIS
    while (began := time.perf_counter()) < until:
        following = chain_over(chain, ENTRIES)
        await store.append(_batch(match, version, chain, following))
        watch.add(time.perf_counter() - began)
        version = Version(version + len(ENTRIES))
        chain = following


def _batch(match: MatchId, version: Version, chain: bytes, following: bytes) -> Batch:
    now_ms = time.time_ns() // 1_000_000
    return Batch(
        match=match,
        expected=version,
        chain=chain,
        next_chain=following,
        entries=ENTRIES,
        key=f"player:{version}",
        fingerprint=hashlib.sha256(chain).digest(),
        status=Status.RUNNING,
        time_ms=now_ms,
        deadline_ms=now_ms + 3_600_000,
        work_ms=None,
    )
