"""Inboxes on a server: all in one slot, each writing call one script."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import DIGITS, SEED_BYTES, InboxLimits, Notice, Notices, Spot, extend_chain

INBOXES = "inbox:{hooks}"
"""The inboxes: all their keys begin with it. They are in the slot of the webhooks, which has a copy of the id key already."""
_POSITIONS = "hooks:{hooks}:at"
"""Where the outbox has come to; it has the name from before there were inboxes."""
_READ = Script("inbox", "inbox_read", beside=__name__)
_ADD = Script("inbox", "inbox_add", beside=__name__)
_RELEASE = Script("inbox", "inbox_release", beside=__name__)
_REMOVE = Script("inbox", "inbox_remove", beside=__name__)
_AT_ONCE = 100
"""Notices that one script adds or moves, or inboxes that one removes: none blocks the server for long."""


class RedisInboxes:
    """Inboxes, on a server."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def read(self, player: PlayerId, after: Spot | None, limit: int, now_ms: int, until_ms: int) -> Notices | None:
        seed = extend_chain(secrets.token_hex(SEED_BYTES), b"")
        spot = ("", "") if after is None else (after.n, after.chain)
        reply = await self._client.run(_READ, (INBOXES,), (player, now_ms, until_ms, seed, limit, *spot))
        if reply is None:
            return None
        end, chain, first, *found = items(reply)
        bodies = [each for each in found if isinstance(each, bytes)]
        notices = tuple((Spot(n, each[:DIGITS].decode()), each[DIGITS:]) for n, each in enumerate(bodies, start=number(first)))
        return Notices(items=notices, end=Spot(number(end), text(chain)[:DIGITS]))

    async def listeners(self, now_ms: int) -> Mapping[PlayerId, int]:
        old = items(await self._client.call("ZRANGEBYSCORE", f"{INBOXES}:until", "-inf", f"({now_ms}", "LIMIT", 0, _AT_ONCE))
        if old:
            await self._client.run(_REMOVE, (INBOXES,), (now_ms, *map(text, old)))
        pairs = items(await self._client.call("HGETALL", f"{INBOXES}:since"))
        return {PlayerId(text(player)): int(text(since)) for player, since in zip(pairs[::2], pairs[1::2], strict=True)}

    async def add(self, notices: Sequence[Notice], now_ms: int, room: InboxLimits) -> None:
        for some in _parts(notices):
            facts = [
                part for each in some for part in (each.player, each.line.shard, each.line.place, each.due_ms, _pack(each.bodies))
            ]
            await self._client.run(_ADD, (INBOXES,), (now_ms, room.each, room.in_all, *facts))

    async def release(self, now_ms: int, room: InboxLimits) -> None:
        while number(await self._client.run(_RELEASE, (INBOXES,), (now_ms, room.each, room.in_all, _AT_ONCE))) == _AT_ONCE:
            pass

    async def ends(self, players: Sequence[PlayerId]) -> Sequence[int]:
        if not players:
            return ()
        found = items(await self._client.call("HMGET", f"{INBOXES}:ends", *players))
        return [int(each) if isinstance(each, bytes) else 0 for each in found]

    async def clear(self) -> None:
        while held := items(await self._client.call("ZRANGE", f"{INBOXES}:until", 0, _AT_ONCE - 1)):
            await self._client.run(_REMOVE, (INBOXES,), ("+inf", *map(text, held)))

    async def remove(self, player: PlayerId) -> None:
        await self._client.run(_REMOVE, (INBOXES,), ("+inf", player))

    async def positions(self) -> Mapping[int, str]:
        pairs = items(await self._client.call("HGETALL", _POSITIONS))
        return {int(text(shard)): text(position) for shard, position in zip(pairs[::2], pairs[1::2], strict=True)}

    async def advance(self, positions: Mapping[int, str]) -> None:
        pairs = [part for shard, position in positions.items() for part in (shard, position)]
        if pairs:
            await self._client.write("HSET", _POSITIONS, *pairs)


def _pack(bodies: Sequence[bytes]) -> bytes:
    """Return bodies as the scripts read them: as texts, which every version of their library knows."""
    return msgspec.msgpack.encode([body.decode() for body in bodies])


def _parts(notices: Sequence[Notice]) -> Iterator[Sequence[Notice]]:
    return (notices[start : start + _AT_ONCE] for start in range(0, len(notices), _AT_ONCE))
