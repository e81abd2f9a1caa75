"""The command `projections rebuild`."""

from __future__ import annotations

from ...service.application import Application
from ...service.deployment import open_application
from ...service.ports.events import SHARDS, Shard
from ...service.settings import Settings


async def rebuild_all(settings: Settings) -> int:
    """Rebuild all rows and ratings of a deployment from its logs; return how many matches there are. Raises StartupRefused."""
    async with open_application(settings) as application:
        return await rebuild(application)


async def rebuild(application: Application) -> int:
    """Rebuild all rows and ratings from the matches' logs; return how many matches there are."""
    count = 0
    for number in range(SHARDS):
        shard = Shard(number)
        await application.projector.rebuild(shard)
        await application.projector.catch_up(shard)
        count += len(await application.stores.events.matches(shard))
    await application.rating_projector.rebuild()
    return count
