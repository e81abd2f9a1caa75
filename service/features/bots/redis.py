"""The thoughts of bots on a server."""

from __future__ import annotations

from ....domain.match import MatchId
from ...ports.events import shard_of
from ...redis_store.client import text
from ...redis_store.keys import tag
from ...redis_store.store_client import StoreClient

ALARMS = "alarms"
"""String: the number of bot thoughts that were cut off."""


class RedisThoughts:
    """What bots will answer, each under its match's slot."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep(self, match_id: MatchId, thought: bytes, ttl_ms: int) -> None:
        await self._client.write("SET", _key_of(match_id), thought, "PX", ttl_ms)

    async def read(self, match_id: MatchId) -> bytes | None:
        reply = await self._client.call("GET", _key_of(match_id))
        return reply if isinstance(reply, bytes) else None

    async def note_alarm(self) -> None:
        await self._client.write("INCR", ALARMS)

    async def alarms(self) -> int:
        return int(text(await self._client.call("GET", ALARMS) or b"0"))


def _key_of(match_id: MatchId) -> str:
    """String, expiring: the answers of a match's bots."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:t"
