"""Attempts and identities on a server, which forgets attempts by itself. Every write is of one key, and may be repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import ATTEMPT_MS, MOST_TOKENS, Attempt

_REPLACE = Script("openid_replace", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_ATTEMPT = msgspec.msgpack.Decoder(Attempt)


class RedisOpenId:
    """Attempts that expire, players by identity, notes by player."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep(self, state: bytes, attempt: Attempt) -> None:
        ends = ("XX", "KEEPTTL") if attempt.identity else ("PX", ATTEMPT_MS)
        await self._client.write("SET", _begun(state), _ENCODER.encode(attempt), *ends)

    async def attempt(self, state: bytes) -> Attempt | None:
        found = await self._client.call("GET", _begun(state))
        return _ATTEMPT.decode(found) if isinstance(found, bytes) else None

    async def take(self, state: bytes, by: bytes) -> bool:
        await self._client.write("SET", _taken(state), by, "NX", "PX", ATTEMPT_MS)
        return await self._client.call("GET", _taken(state)) == by

    async def holder(self, identity: bytes) -> PlayerId | None:
        found = await self._client.call("GET", _led_to(identity))
        return PlayerId(text(found)) if found is not None else None

    async def replace(self, identity: bytes, before: PlayerId | None, after: PlayerId | None) -> bool:
        return number(await self._client.run(_REPLACE, (_led_to(identity),), (before or "", after or ""))) == 1

    async def note(self, player: PlayerId, identity: bytes, since_ms: int) -> None:
        await self._client.write("HSETNX", _noted_at(player), identity, since_ms)

    async def strike(self, player: PlayerId, identity: bytes) -> None:
        await self._client.write("HDEL", _noted_at(player), identity)

    async def noted(self, player: PlayerId) -> Mapping[bytes, int]:
        found = items(await self._client.call("HGETALL", _noted_at(player)))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {identity: int(text(since_ms)) for identity, since_ms in pairs if isinstance(identity, bytes)}

    async def note_token(self, player: PlayerId, token: str, at_ms: int) -> None:
        await self._client.write("ZADD", _tokens_of(player), at_ms, token)
        await self._client.write("ZREMRANGEBYRANK", _tokens_of(player), 0, -MOST_TOKENS - 1)

    async def noted_tokens(self, player: PlayerId) -> Sequence[str]:
        return [text(each) for each in items(await self._client.call("ZRANGE", _tokens_of(player), 0, -1))]

    async def strike_tokens(self, player: PlayerId) -> None:
        await self._client.write("DEL", _tokens_of(player))

    async def prune(self, now_ms: int) -> None:
        """Delete nothing: attempts expire."""


def _begun(state: bytes) -> str:
    """String, expiring: the attempt whose state has this digest."""
    return f"openid-attempt:{state.hex()}"


def _taken(state: bytes) -> str:
    """String, expiring: who has taken the attempt whose state has this digest."""
    return f"openid-taken:{state.hex()}"


def _led_to(identity: bytes) -> str:
    """String: the player that an identity, a keyed digest, leads to."""
    return f"openid-player:{identity.hex()}"


def _noted_at(player: PlayerId) -> str:
    """Hash: identity that may lead to a player -> since when (Unix milliseconds)."""
    return f"openid-of:{player}"


def _tokens_of(player: PlayerId) -> str:
    """Sorted set: a token that a player got by signing in -> when (Unix milliseconds)."""
    return f"openid-tokens:{player}"
