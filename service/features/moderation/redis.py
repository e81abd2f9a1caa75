"""Moderation on a server: a hash of all acts, and sorted sets that lead to them.

The sets are written before the act, and cleared after it was deleted: what they name and is not there is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import AT_ONCE, SEEN_MS, Act

ACTS = "moderation:acts"
"""Hash: act -> its body."""
MADE = "moderation:made"
"""Sorted set: act -> when it was made (Unix milliseconds)."""
ENDING = "moderation:ending"
"""Sorted set: act -> when it ends or ended (Unix milliseconds)."""
_EXCHANGE = Script("exchange", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_ACT = msgspec.msgpack.Decoder(Act)


class RedisActs:
    """The acts of a deployment."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def add(self, act: Act) -> Act:
        await self._client.write("ZADD", MADE, "NX", act.at_ms, act.id)
        await self._client.write("ZADD", ENDING, "NX", act.ends_ms, act.id)
        if act.player is not None:
            await self._client.write("ZADD", _concerning(act.player), "NX", act.at_ms, act.id)
        await self._client.write("HSETNX", ACTS, act.id, _ENCODER.encode(act))
        return await self.find(act.id) or act

    async def find(self, act: str) -> Act | None:
        found = await self._client.call("HGET", ACTS, act)
        return _ACT.decode(found) if isinstance(found, bytes) else None

    async def replace(self, before: Act, after: Act) -> bool:
        change = (before.id, _ENCODER.encode(before), _ENCODER.encode(after))
        if not number(await self._client.run(_EXCHANGE, (ACTS,), change)):
            return False
        await self._client.write("ZADD", ENDING, "XX", after.ends_ms, after.id)
        if before.player is not None and before.player != after.player:
            await self._client.write("ZREM", _concerning(before.player), before.id)
        return True

    async def remove(self, act: Act) -> None:
        await self._client.write("HDEL", ACTS, act.id)
        if act.player is not None:
            await self._client.write("ZREM", _concerning(act.player), act.id)
        await self._client.write("ZREM", MADE, act.id)
        await self._client.write("ZREM", ENDING, act.id)

    async def newest(self, skip: int, limit: int) -> Sequence[Act]:
        return await self._read("ZRANGE", MADE, skip, skip + limit - 1, "REV")

    async def concerning(self, player: PlayerId) -> Sequence[Act]:
        return await self._read("ZRANGE", _concerning(player), 0, -1, "REV")

    async def lasting(self, now_ms: int) -> Sequence[Act]:
        found = await self._read("ZRANGE", ENDING, f"({now_ms}", "+inf", "BYSCORE")
        return [each for each in found if each.lasts(now_ms)]

    async def old(self, before_ms: int) -> Sequence[Act]:
        ids = await self._ids("ZRANGE", ENDING, "-inf", before_ms, "BYSCORE", "LIMIT", 0, AT_ONCE)
        found = await self._bodies(ids)
        for each in {*ids} - {act.id for act in found}:  # a deletion was cut off
            await self._client.write("ZREM", MADE, each)
            await self._client.write("ZREM", ENDING, each)
        return found

    async def _read(self, *command: str | int) -> Sequence[Act]:
        return await self._bodies(await self._ids(*command))

    async def _ids(self, *command: str | int) -> Sequence[str]:
        return [text(each) for each in items(await self._client.call(*command))]

    async def _bodies(self, ids: Sequence[str]) -> Sequence[Act]:
        found = items(await self._client.call("HMGET", ACTS, *ids)) if ids else []
        return [_ACT.decode(each) for each in found if isinstance(each, bytes)]

    async def note_address(self, player: PlayerId, address: str) -> None:
        await self._client.write("SET", _address(player), address, "PX", SEEN_MS)

    async def address_of(self, player: PlayerId) -> str:
        found = await self._client.call("GET", _address(player))
        return text(found) if found is not None else ""

    async def forget_address(self, player: PlayerId) -> None:
        await self._client.write("DEL", _address(player))


def _concerning(player: PlayerId) -> str:
    """Sorted set: act that concerns a player -> when it was made (Unix milliseconds)."""
    return f"moderation:of:{player}"


def _address(player: PlayerId) -> str:
    """String, expiring: the keyed hash of the address from which a player asked last."""
    return f"moderation:address:{player}"
