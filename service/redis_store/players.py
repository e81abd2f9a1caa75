"""Players and the hashes of their tokens on a server.

A token is found by the sha256 of its secret, so it cannot share a slot with its player. Of the two places where it is
written, the player's list comes first when it is made and last when it is revoked: no token works that its player cannot see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ...domain.match import PlayerId
from ..ports.players import PlayerRecord, ProgramRecord, TokenRecord
from . import keys
from .client import items, number, text
from .script import Script
from .store_client import StoreClient


class _Listed(msgspec.Struct, frozen=True, array_like=True):
    """A token in its player's list: the digest under which it is found, and its record."""

    digest: bytes
    token: TokenRecord


_LIST = Script("token_list")
_REPLACE = Script("program")
_LATE_MS = 60_000
_ENCODER = msgspec.msgpack.Encoder()
_PLAYER = msgspec.msgpack.Decoder(PlayerRecord)
_TOKEN = msgspec.msgpack.Decoder(TokenRecord)
_PROGRAM = msgspec.msgpack.Decoder(ProgramRecord)
_LISTED = msgspec.msgpack.Decoder(_Listed)


class RedisPlayers:
    """Players and tokens, on a server."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def put_player(self, player: PlayerRecord) -> None:
        await self._client.write("SET", keys.player(player.id), _ENCODER.encode(player))

    async def replace_player(self, before: PlayerRecord, after: PlayerRecord) -> bool:
        key = keys.player(after.id)
        stored = await self._client.call("GET", key)  # an older form of the record may have other bytes
        if not isinstance(stored, bytes) or _PLAYER.decode(stored) not in (before, after):
            return False
        return number(await self._client.run(_REPLACE, (key,), (stored, _ENCODER.encode(after)))) == 1

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        reply = await self._client.call("GET", keys.player(player))
        return _PLAYER.decode(reply) if isinstance(reply, bytes) else None

    async def remove_player(self, player: PlayerId) -> None:
        """Remove a player and all its tokens; nothing happens if there is none. No token outlives its player.

        Tokens are removed again after the player, as some may have come meanwhile; later ones find no player (`put_token`).
        """
        await self._remove_tokens(player)
        await self._client.write("DEL", keys.player(player))
        await self._remove_tokens(player)
        await self._client.write("DEL", keys.tokens(player))
        await self._client.write("DEL", keys.program(player))

    async def begin_deletion(self, player: PlayerId, now_ms: int) -> None:
        await self._client.write("ZADD", keys.DELETIONS, "NX", now_ms, player)

    async def deletions(self, until_ms: int) -> Sequence[PlayerId]:
        found = await self._client.call("ZRANGE", keys.DELETIONS, "-inf", until_ms, "BYSCORE")
        return [PlayerId(text(each)) for each in items(found)]

    async def end_deletion(self, player: PlayerId) -> None:
        await self._client.write("ZREM", keys.DELETIONS, player)

    async def _remove_tokens(self, player: PlayerId) -> None:
        for each in items(await self._client.call("HVALS", keys.tokens(player))):
            if isinstance(each, bytes):
                await self._client.write("DEL", keys.token(_LISTED.decode(each).digest))

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        replies = await self._client.together(("GET", keys.player(player)) for player in players)
        found = [_PLAYER.decode(reply) for reply in replies if isinstance(reply, bytes)]
        return {player.id: player for player in found}

    async def program(self, player: PlayerId) -> ProgramRecord | None:
        reply = await self._client.call("GET", keys.program(player))
        return _PROGRAM.decode(reply) if isinstance(reply, bytes) else None

    async def put_program(self, player: PlayerId, before: ProgramRecord | None, after: ProgramRecord) -> bool:
        states = ("" if before is None else _ENCODER.encode(before), _ENCODER.encode(after))
        if number(await self._client.run(_REPLACE, (keys.program(player),), states)) == 0:
            return False
        if number(await self._client.call("EXISTS", keys.player(player))) == 1:
            return True
        await self._client.write("DEL", keys.program(player))
        return False

    async def put_token(self, digest: bytes, token: TokenRecord, most: int | None = None) -> bool:
        """Store a token under the sha256 of its secret; False, and nothing stored, if its player is gone or has *most* already.

        The server forgets that digest a minute after it has expired.
        """
        facts = (token.id, _ENCODER.encode(_Listed(digest, token)), "" if most is None else most)
        if number(await self._client.run(_LIST, (keys.tokens(token.player),), facts)) == 0:
            return False
        lifetime = ("PX", max(token.expires_ms - token.created_ms, 0) + _LATE_MS) if token.expires_ms is not None else ()
        await self._client.write("SET", keys.token(digest), _ENCODER.encode(token), *lifetime)
        if number(await self._client.call("EXISTS", keys.player(token.player))) == 1:
            return True
        await self._client.write("DEL", keys.token(digest))
        await self._client.write("HDEL", keys.tokens(token.player), token.id)
        return False

    async def token(self, digest: bytes) -> TokenRecord | None:
        reply = await self._client.call("GET", keys.token(digest))
        return _TOKEN.decode(reply) if isinstance(reply, bytes) else None

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        listed = items(await self._client.call("HVALS", keys.tokens(player)))
        found = [_LISTED.decode(each).token for each in listed if isinstance(each, bytes)]
        return sorted(found, key=lambda token: (token.created_ms, token.id))

    async def revoke(self, player: PlayerId, token: str) -> bool:
        listed = await self._client.call("HGET", keys.tokens(player), token)
        if not isinstance(listed, bytes):
            return False
        await self._client.write("DEL", keys.token(_LISTED.decode(listed).digest))
        return number(await self._client.write("HDEL", keys.tokens(player), token)) == 1
