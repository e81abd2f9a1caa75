"""The projector: keeps the rows of the projections up with the shard logs, one owner for each shard at a time."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterable

import structlog

from ..service.application import Application
from ..service.deployment import open_application
from ..service.errors import StoreUnavailable
from ..service.ports.events import SHARDS, Shard
from ..service.settings import Settings

LEASE_MS = 5_000
RENEW_SECONDS = 1.5
BLOCK_MS = 500
PAUSE_SECONDS = 0.2
"""Between two rounds, so that news of one match which come close together cost one row."""
FRESHEN_SECONDS = 1.0
"""Between two looks for what delayed spectators may know by now."""
RETRY_SECONDS = 0.25

ALL = tuple(Shard(number) for number in range(SHARDS))

log = structlog.get_logger(__name__)


class ShardProjector:
    """Follows the shards whose lease it holds; a shard whose owner dies is taken over within the lease."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._owner = uuid.uuid4().hex
        self._positions: dict[Shard, str] = {}
        self._renewed = float("-inf")
        self._freshened = float("-inf")

    async def run(self) -> None:
        """Project until cancelled, then give the leases back; wait for a server that is away."""
        try:
            while True:
                try:
                    await self.step()
                except StoreUnavailable as error:
                    log.warning("projector: store unavailable", error=type(error).__name__)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            await asyncio.shield(self._give_back())

    async def step(self) -> None:
        """Renew the leases if it is time, wait a little for news, and project them."""
        if time.monotonic() - self._renewed > RENEW_SECONDS:
            await self._renew()
        if not self._positions:
            await asyncio.sleep(RENEW_SECONDS)
            return
        if time.monotonic() - self._freshened > FRESHEN_SECONDS:
            await self._application.projector.freshen(self._positions)
            self._freshened = time.monotonic()
        pointers = await self._application.stores.events.follow(self._positions, BLOCK_MS)
        if pointers:
            await self._catch_up({pointer.shard for pointer in pointers})
            await asyncio.sleep(PAUSE_SECONDS)

    async def _renew(self) -> None:
        """Hold what can be held; what is new here is brought up to date at once."""
        held = await asyncio.gather(
            *(self._application.stores.leases.take(_lease(shard), self._owner, LEASE_MS) for shard in ALL)
        )
        owned = {shard for shard, mine in zip(ALL, held, strict=True) if mine}
        for lost in self._positions.keys() - owned:
            del self._positions[lost]
        self._renewed = time.monotonic()
        await self._catch_up(owned - self._positions.keys())

    async def _catch_up(self, shards: Iterable[Shard]) -> None:
        chosen = sorted(shards)
        positions = await asyncio.gather(*(self._position(shard) for shard in chosen))
        for shard, position in zip(chosen, positions, strict=True):
            if position is not None:
                self._positions[shard] = position
            else:
                self._positions.pop(shard, None)

    async def _position(self, shard: Shard) -> str | None:
        """Bring one shard up to date. One that cannot be read does not stop the others: it is tried again at the next renewal."""
        try:
            return await self._application.projector.catch_up(shard)
        except StoreUnavailable:
            raise
        except Exception as error:
            log.exception("projector: shard failed", shard=shard, error=type(error).__name__)
            return None

    async def _give_back(self) -> None:
        for shard in self._positions:
            try:
                await self._application.stores.leases.give_back(_lease(shard), self._owner)
            except StoreUnavailable:
                return


async def rebuild_all(settings: Settings) -> int:
    """Rebuild all rows of a deployment from its logs; return how many matches there are. Raises StartupRefused."""
    async with open_application(settings) as application:
        return await rebuild(application)


async def rebuild(application: Application) -> int:
    """Rebuild all rows and ratings from the matches' logs; return how many matches there are."""
    count = 0
    for shard in ALL:
        await application.projector.rebuild(shard)
        await application.projector.catch_up(shard)
        count += len(await application.stores.events.matches(shard))
    await application.rating_projector.rebuild()
    return count


def _lease(shard: Shard) -> str:
    return f"projector:{shard}"
