"""The clock of a deployment, on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from ..errors import StartupRefused
from ..ports.agenda import AgendaKind
from ..ports.events import Shard
from ..ports.server_time import CLOCK_STEP_MS, MOST_AHEAD_MS
from . import keys
from .client import number
from .script import Script
from .store_client import StoreClient

ROUND_TRIPS = 5
NOTED_MS = 1_000
_FOLLOW = Script("time", "follow")


class RedisServerTime:
    """The clock of a deployment, on a server."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    def now_ms(self) -> int:
        return self._client.time.now_ms()

    def ahead_ms(self) -> int:
        return self._client.time.ahead_ms()

    async def follow(self, now_ms: int | None = None) -> int:
        """Return by how many milliseconds the clock was set back since the last call, and move everything planned closer."""
        arguments = ("" if now_ms is None else now_ms, CLOCK_STEP_MS, NOTED_MS)
        return max(await asyncio.gather(*(self._follow(group, arguments) for group in self._client.groups)))

    async def _follow(self, shards: Sequence[Shard], arguments: Sequence[str | int]) -> int:
        """Do it for shards of one server. What is planned, and is long, is named only if it is to be moved."""
        clock = self._client.clock_of(shards[0])
        if not number(await self._client.run(_FOLLOW, (clock,), arguments)):
            return 0
        return number(await self._client.run(_FOLLOW, (clock, *_planned_keys(shards)), arguments))

    async def require_agreement(self, variable: str) -> None:
        """Raise StartupRefused if the clock of this machine is too far from the server's."""
        for _ in range(ROUND_TRIPS):
            await self._client.measure()
        ahead_ms = max((time.ahead_ms() for time in self._client.times), key=abs)
        if abs(ahead_ms) > MOST_AHEAD_MS:
            raise StartupRefused(
                f"The clock of this machine is {abs(ahead_ms) / 1000:.1f} s {'ahead of' if ahead_ms > 0 else 'behind'} that of "
                f"the server of the store ({variable}), and {MOST_AHEAD_MS / 1000} s is the most: let NTP set both (chrony, "
                "systemd-timesyncd), then start again."
            )


def _planned_keys(shards: Sequence[Shard]) -> Iterator[str]:
    """Yield the sorted sets of what is planned in some shards, by its time."""
    for shard in shards:
        yield from (keys.agenda(kind, shard) for kind in AgendaKind)
        yield keys.again(shard)
