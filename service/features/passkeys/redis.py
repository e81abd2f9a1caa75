"""Passkeys on a server: one hash for each player, and a short-lived key for each challenge. Every write is of one key."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import MOST_PASSKEYS, Added, Passkey, Taken

_TAKE = Script("challenge_take", beside=__name__)
_ADD = Script("passkey_add", beside=__name__)
_REPLACE = Script("passkey_replace", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_PASSKEY = msgspec.msgpack.Decoder(Passkey)


class RedisPasskeys:
    """Passkeys by player, and challenges, which the server forgets by itself."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep_challenge(self, digest: bytes, until_ms: int, now_ms: int) -> None:
        await self._client.write("SET", _challenge(digest), f"{until_ms} ", "NX", "PX", until_ms - now_ms)

    async def take_challenge(self, digest: bytes, by: bytes, now_ms: int) -> Taken:
        return Taken(text(await self._client.run(_TAKE, (_challenge(digest),), (by.hex(), now_ms))))

    async def add(self, player: PlayerId, passkey: Passkey) -> Added:
        wanted = (passkey.id, _ENCODER.encode(passkey), MOST_PASSKEYS)
        return Added(text(await self._client.run(_ADD, (_passkeys_of(player),), wanted)))

    async def passkeys(self, player: PlayerId) -> Sequence[Passkey]:
        found = items(await self._client.call("HVALS", _passkeys_of(player)))
        kept = [_PASSKEY.decode(each) for each in found if isinstance(each, bytes)]
        return sorted(kept, key=lambda each: (each.made_ms, each.id))

    async def passkey(self, player: PlayerId, id_: str) -> Passkey | None:
        found = await self._client.call("HGET", _passkeys_of(player), id_)
        return _PASSKEY.decode(found) if isinstance(found, bytes) else None

    async def replace(self, player: PlayerId, before: Passkey, after: Passkey) -> bool:
        change = (before.id, _ENCODER.encode(before), _ENCODER.encode(after))
        return number(await self._client.run(_REPLACE, (_passkeys_of(player),), change)) == 1

    async def remove(self, player: PlayerId, id_: str) -> bool:
        return number(await self._client.write("HDEL", _passkeys_of(player), id_)) == 1

    async def forget(self, player: PlayerId) -> None:
        await self._client.write("DEL", _passkeys_of(player))


def _passkeys_of(player: PlayerId) -> str:
    """Hash: id of a passkey -> the passkey."""
    return f"passkeys:{player}"


def _challenge(digest: bytes) -> str:
    """String, expiring: until when a challenge counts (Unix milliseconds), and who has taken it."""
    return f"passkey-challenge:{digest.hex()}"
