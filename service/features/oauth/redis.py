"""Clients, codes and grants on a server, which forgets them by itself when they have ended.

Each write is of one key, and may be repeated. A grant is noted with its client before it is kept. The uses of a code have a key
of their own, in which one of many is the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import (
    CLIENT,
    CLIENT_MS,
    CODE,
    CODE_KEPT_MS,
    ENCODER,
    ENDED_MS,
    GRANT_MS,
    NEW_CLIENT_MS,
    Client,
    Code,
    Grant,
    Held,
    held,
)

_PUT = Script("grant", beside=__name__)
_USE = Script("use", beside=__name__)


class RedisOauth:
    """Clients, codes and grants."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def put_client(self, client: Client) -> None:
        await self._client.write("SET", _client(client.id), ENCODER.encode(client), "PX", NEW_CLIENT_MS)

    async def renew_client(self, client: str) -> bool:
        return number(await self._client.write("PEXPIRE", _client(client), CLIENT_MS)) == 1

    async def drop_client(self, client: str) -> None:
        await self._client.write("SET", _ended(client), 1, "PX", ENDED_MS)
        await self._client.write("DEL", _client(client))

    async def is_ended(self, client: str) -> bool:
        return number(await self._client.call("EXISTS", _ended(client))) == 1

    async def client(self, client: str) -> Client | None:
        found = await self._client.call("GET", _client(client))
        return CLIENT.decode(found) if isinstance(found, bytes) else None

    async def put_code(self, digest: bytes, code: Code) -> None:
        await self._client.write("SET", _code(digest), ENCODER.encode(code), "PX", CODE_KEPT_MS)

    async def code(self, digest: bytes) -> Code | None:
        found = await self._client.call("GET", _code(digest))
        return CODE.decode(found) if isinstance(found, bytes) else None

    async def use_code(self, digest: bytes, by: str) -> int:
        return number(await self._client.run(_USE, (_used(digest),), (by, CODE_KEPT_MS)))

    async def uses(self, digest: bytes) -> int:
        return number(await self._client.call("HLEN", _used(digest)))

    async def allowed(self, client: str) -> Sequence[tuple[PlayerId, str]]:
        found = (text(each).partition(" ") for each in items(await self._client.call("ZRANGE", _allowed(client), 0, -1)))
        return [(PlayerId(player), grant) for player, _, grant in found]

    async def grants(self, player: PlayerId) -> Sequence[Held]:
        found = items(await self._client.call("HVALS", _grants(player)))
        return [held(each) for each in found if isinstance(each, bytes)]

    async def grant(self, player: PlayerId, grant: str) -> Held:
        found = await self._client.call("HGET", _grants(player), grant)
        return held(found if isinstance(found, bytes) else b"")

    async def put_grant(self, player: PlayerId, before: Held, after: Grant) -> bool:
        allowed = _allowed(after.client)
        # First: who ends the client looks there.
        await self._client.write("ZADD", allowed, "GT", after.until_ms, _of(player, after))
        await self._client.write("ZREMRANGEBYSCORE", allowed, "-inf", after.used_ms)
        await self._client.write("PEXPIRE", allowed, GRANT_MS)
        facts = (after.id, before.stored, ENCODER.encode(after), GRANT_MS)
        return number(await self._client.run(_PUT, (_grants(player),), facts)) == 1

    async def drop_grant(self, player: PlayerId, grant: str) -> None:
        found = (await self.grant(player, grant)).grant
        await self._client.write("HDEL", _grants(player), grant)
        if found is not None:
            await self._client.write("ZREM", _allowed(found.client), _of(player, found))

    async def forget(self, player: PlayerId) -> None:
        for each in await self.grants(player):
            if each.grant is not None:
                await self._client.write("ZREM", _allowed(each.grant.client), _of(player, each.grant))
        await self._client.write("DEL", _grants(player))


def _of(player: PlayerId, grant: Grant) -> str:
    return f"{player} {grant.id}"


def _client(client: str) -> str:
    """String, expiring: an application of others that uses OAuth."""
    return f"oauth-client:{client}"


def _ended(client: str) -> str:
    """String, expiring: an application of others was ended."""
    return f"oauth-ended:{client}"


def _code(digest: bytes) -> str:
    """String, expiring: what a code of OAuth gives."""
    return f"oauth-code:{digest.hex()}"


def _used(digest: bytes) -> str:
    """Hash, expiring: a use of the code with this digest -> the how-manyth it was."""
    return f"oauth-code-used:{digest.hex()}"


def _grants(player: PlayerId) -> str:
    """Hash, expiring: id of a grant -> what a player has allowed an application."""
    return f"oauth-grants:{player}"


def _allowed(client: str) -> str:
    """Sorted set, expiring: the grants of an application, each with its player before it, by when they end."""
    return f"oauth-given:{client}"
