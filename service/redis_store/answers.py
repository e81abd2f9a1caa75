"""Kept answers on a server: one key for each, which ends by itself."""

from __future__ import annotations

from . import keys
from .script import Script
from .store_client import StoreClient

_GIVE_BACK = Script("give_back")


class RedisAnswers:
    """Bytes at places; each call is one command or script over one key."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def claim(self, place: str, claim: bytes, now_ms: int, lease_ms: int) -> bytes | None:
        found = await self._client.write("SET", keys.answer(place), claim, "NX", "GET", "PX", lease_ms)
        return found if isinstance(found, bytes) and found != claim else None

    async def keep(self, place: str, answer: bytes, now_ms: int, keep_ms: int) -> None:
        await self._client.write("SET", keys.answer(place), answer, "PX", keep_ms)

    async def release(self, place: str, claim: bytes) -> None:
        await self._client.run(_GIVE_BACK, (keys.answer(place),), (claim,))
