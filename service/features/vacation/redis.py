"""Vacations on a server: a key for each player, which ends by itself when its vacations count no more."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import PlayerId
from ...redis_store.client import number
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import ENCODER, Kept, Stretch, kept

_REPLACE = Script("replace", beside=__name__)


class RedisVacations:
    """The vacations of each player."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def read(self, player: PlayerId) -> Kept:
        found = await self._client.call("GET", _of(player))
        return kept(found if isinstance(found, bytes) else b"")

    async def put(self, player: PlayerId, before: Kept, stretches: Sequence[Stretch], keep_ms: int) -> bool:
        new = ENCODER.encode(tuple(stretches))
        return number(await self._client.run(_REPLACE, (_of(player),), (before.stored, new, keep_ms))) == 1

    async def forget(self, player: PlayerId) -> None:
        await self._client.write("DEL", _of(player))


def _of(player: PlayerId) -> str:
    """String, expiring: the vacations of a player within a year."""
    return f"vacation:{player}"
