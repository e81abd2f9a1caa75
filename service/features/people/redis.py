"""People on a server: small sets and hashes of each player and each match. Every write is of one key.

Who has a relation to a player, or where it is invited, is noted before that is so: a deletion overlooks no one.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.match import MatchId, PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import CODE_MS, KEPT_MS, MOST_CODES, MOST_RECEIVED, DeviceCode, Invitation, Related, Relation

_REPLACE = Script("invitation_replace", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_INVITATION = msgspec.msgpack.Decoder(Invitation)
_CODE = msgspec.msgpack.Decoder(DeviceCode)


class RedisPeople:
    """Relations, invitations and codes, on a server, which forgets what has ended by itself."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def relate(self, player: PlayerId, relation: Relation, other: Related, most: int) -> bool:
        key = _related(player, relation)
        known, count = await self._client.together((("ZSCORE", key, other.player), ("ZCARD", key)))
        if known is None and number(count) >= most:
            return False
        await self._client.write("SADD", _relating(other.player, relation), player)
        await self._client.write("ZADD", key, "NX", other.since_ms, other.player)
        return True

    async def part(self, player: PlayerId, relation: Relation, other: PlayerId) -> None:
        await self._client.write("ZREM", _related(player, relation), other)
        await self._client.write("SREM", _relating(other, relation), player)

    async def related(self, player: PlayerId, relation: Relation) -> Sequence[Related]:
        found = items(await self._client.call("ZRANGE", _related(player, relation), 0, -1, "REV", "WITHSCORES"))
        pairs = zip(found[::2], found[1::2], strict=True)
        return [Related(PlayerId(text(other)), int(text(since_ms))) for other, since_ms in pairs]

    async def any_related(self, relation: Relation, pairs: Sequence[tuple[PlayerId, PlayerId]]) -> bool:
        asked = (("ZSCORE", _related(player, relation), other) for player, other in pairs)
        return any(each is not None for each in await self._client.together(asked))

    async def invite(self, invitation: Invitation, *, silently: bool) -> bool:
        kept = msgspec.structs.replace(invitation, silent=silently)
        packed = _ENCODER.encode(kept)
        there = _invited_to(invitation.match)
        await self._client.write("SADD", _noted(invitation.player), invitation.match)  # first: a deletion looks there
        await self._client.write("PEXPIRE", _noted(invitation.player), KEPT_MS)
        if number(await self._client.write("HSETNX", there, invitation.player, packed)) == 0:
            return False
        await self._client.write("PEXPIRE", there, KEPT_MS)
        await self.show(kept)
        return True

    async def show(self, invitation: Invitation) -> bool:
        if invitation.silent or invitation.declined:
            return False
        key = _found_by(invitation.player)
        await self._client.write("HSET", key, invitation.match, _ENCODER.encode(invitation))
        await self._client.write("PEXPIRE", key, KEPT_MS)
        kept = sorted(await self.invitations(invitation.player), key=lambda each: each.at_ms, reverse=True)
        if beyond := [each.match for each in kept[MOST_RECEIVED:]]:
            await self._client.write("HDEL", key, *beyond)
        return invitation.match not in beyond

    async def note_posted(self, invitation: Invitation) -> None:
        there = _invited_to(invitation.match)
        found = await self._client.call("HGET", there, invitation.player)
        if isinstance(found, bytes) and _INVITATION.decode(found) == invitation:  # an earlier version wrote it with fewer fields
            posted = _ENCODER.encode(msgspec.structs.replace(invitation, posted=True))
            await self._client.run(_REPLACE, (there,), (invitation.player, posted, found))

    async def invitations(self, player: PlayerId) -> Sequence[Invitation]:
        return await self._all(_found_by(player))

    async def invited(self, match_id: MatchId) -> Sequence[Invitation]:
        return await self._all(_invited_to(match_id))

    async def _all(self, key: str) -> Sequence[Invitation]:
        return [_INVITATION.decode(each) for each in items(await self._client.call("HVALS", key)) if isinstance(each, bytes)]

    async def end(self, match_id: MatchId, player: PlayerId, declined: Invitation | None = None) -> None:
        if declined is not None:  # first, so that no one lets the player find it again
            packed = _ENCODER.encode(msgspec.structs.replace(declined, declined=True))
            await self._client.run(_REPLACE, (_invited_to(match_id),), (player, packed, ""))
        await self._client.write("HDEL", _found_by(player), match_id)
        if declined is None:
            await self._client.write("HDEL", _invited_to(match_id), player)

    async def keep_code(self, player: PlayerId, digest: bytes, code: DeviceCode, now_ms: int) -> None:
        key = _codes_of(player)
        await self._client.write("HSET", key, digest, _ENCODER.encode(code))
        await self._client.write("PEXPIRE", key, CODE_MS)
        found = items(await self._client.call("HGETALL", key))
        ends = {each: _CODE.decode(code).until_ms for each, code in _pairs(found)}
        if beyond := sorted(ends, key=lambda each: ends[each], reverse=True)[MOST_CODES:]:
            await self._client.write("HDEL", key, *beyond)

    async def code(self, player: PlayerId, digest: bytes) -> DeviceCode | None:
        found = await self._client.call("HGET", _codes_of(player), digest)
        return _CODE.decode(found) if isinstance(found, bytes) else None

    async def take_code(self, digest: bytes, by: bytes) -> bool:
        await self._client.write("SET", _taken(digest), by, "NX", "PX", CODE_MS)
        return await self._client.call("GET", _taken(digest)) == by

    async def drop_codes(self, player: PlayerId) -> None:
        await self._client.write("DEL", _codes_of(player))

    async def prune(self, now_ms: int) -> None:
        """Delete nothing: keys expire, and what a key has beyond its time is left out where it is read."""

    async def forget(self, player: PlayerId) -> None:
        for relation in Relation:
            for other in items(await self._client.call("SMEMBERS", _relating(player, relation))):
                await self._client.write("ZREM", _related(PlayerId(text(other)), relation), player)
            for other in await self.related(player, relation):
                await self._client.write("SREM", _relating(other.player, relation), player)
            await self._client.write("DEL", _relating(player, relation))
            await self._client.write("DEL", _related(player, relation))
        for match_id in items(await self._client.call("SMEMBERS", _noted(player))):
            await self._client.write("HDEL", _invited_to(MatchId(text(match_id))), player)
        for key in (_noted(player), _found_by(player), _codes_of(player)):
            await self._client.write("DEL", key)


def _pairs(found: Sequence[object]) -> list[tuple[bytes, bytes]]:
    both = zip(found[::2], found[1::2], strict=True)
    return [(field, value) for field, value in both if isinstance(field, bytes) and isinstance(value, bytes)]


def _related(player: PlayerId, relation: Relation) -> str:
    """Sorted set: another player -> since when (Unix milliseconds) it is followed, or blocked."""
    return f"{relation.value}-by:{player}"


def _relating(player: PlayerId, relation: Relation) -> str:
    """Set: the players who follow, or block, a player."""
    return f"{relation.value}:{player}"


def _found_by(player: PlayerId) -> str:
    """Hash, expiring: match -> a player's invitation to it."""
    return f"invitations:{player}"


def _noted(player: PlayerId) -> str:
    """Set, expiring: the matches to which a player was invited, also those of which it does not know."""
    return f"invited:{player}"


def _invited_to(match_id: MatchId) -> str:
    """Hash, expiring: player -> its invitation to a match."""
    return f"invited-to:{match_id}"


def _taken(digest: bytes) -> str:
    """String, expiring: who has taken the code with this digest."""
    return f"device-code:{digest.hex()}"


def _codes_of(player: PlayerId) -> str:
    """Hash, expiring: digest of a code for another device -> what it gives."""
    return f"device-codes:{player}"
