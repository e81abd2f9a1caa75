"""The rows of the projections on a server.

A row stands in up to six indexes of the lobby (any or its own game; any or its own status, or to be watched) and in one of
each of its players. All scores are 0; the member is the time in digits and the id, so that the keyset order is the order of
the bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest

import msgspec

from ...domain.match import MatchId
from ..ports.events import Shard, shard_of
from ..ports.rows import Listing, Row, fits, listing_of, listings_of
from . import keys
from .agenda import claim
from .client import items, number, text
from .link import Reply, Value
from .script import Script
from .store_client import StoreClient

_PROJECT = Script("project")
_RESET = Script("reset")
_DIGITS = 15
_LENGTH = 4
_MOST_AT_ONCE = 500
_FIRST = 3
"""How many members more than its share are read of each index at first, so that few indexes have to be asked again."""


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Row)


class RedisRows:
    """The rows, on a server; a page is two or three round trips, for its members and for their rows."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def checkpoint(self, shard: Shard) -> str | None:
        reply = await self._client.call("GET", keys.checkpoint(shard))
        return text(reply) if reply is not None else None

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*.

        If the reply is lost and the step was made, the second try finds the new checkpoint: False as well.
        """
        arguments: list[str | bytes] = [old or "", new]
        for row in rows:
            arguments += (row.match, _encode(row))
        return number(await self._client.run(_PROJECT, (keys.rows(shard), keys.checkpoint(shard)), arguments)) == 1

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        groups = [[keys.again(shard) for shard in group if shard in shards] for group in self._client.groups]
        claims = await claim(self._client, [names for names in groups if names], now_ms, lease_ms, limit)
        return [match_id for match_id, _ in claims.due]

    async def put_off(self, shard: Shard, matches: Sequence[MatchId], until_ms: int) -> None:
        await self._client.write("ZADD", keys.again(shard), *(part for match_id in matches for part in (until_ms, match_id)))

    async def reset(self, shard: Shard) -> None:
        await self._client.run(_RESET, (keys.rows(shard), keys.checkpoint(shard)), ())

    async def rows(self, listing: Listing) -> Sequence[Row]:
        found: list[Row] = []
        bound: str | bytes = "+" if listing.after is None else f"({_member(*listing.after)}"
        chunk = listing.limit
        while len(found) < listing.limit:
            members = await self._members(listing, bound, chunk)
            found += [row for row in await self._of(members) if fits(row, listing)]
            if len(members) < chunk:
                break
            bound = b"(" + members[-1]
            chunk = min(2 * chunk, _MOST_AT_ONCE)
        return found[: listing.limit]

    async def row(self, match_id: MatchId) -> Row | None:
        return _row(await self._client.call("HGET", keys.rows(shard_of(match_id)), match_id))

    async def _members(self, listing: Listing, bound: str | bytes, count: int) -> list[bytes]:
        """Return the newest *count* members below *bound* over all shards.

        Of each index few are read at first, and more only while those that are not read yet may be among the newest of all.
        """
        name = listing_of(listing)
        portion = _FIRST + count // len(keys.ALL_SHARDS)
        found: list[bytes] = []
        bounds: Mapping[str, Value] = {keys.index(shard, name): bound for shard in keys.ALL_SHARDS}
        while bounds:
            asked = (("ZREVRANGEBYLEX", index, below, "-", "LIMIT", 0, portion) for index, below in bounds.items())
            lasts: dict[str, bytes] = {}
            for index, reply in zip(bounds, await self._client.together(asked), strict=True):
                members = msgspec.convert(items(reply), list[bytes])
                found += members
                if len(members) == portion:
                    lasts[index] = members[-1]
            found = nlargest(count, found)
            bounds = {index: b"(" + last for index, last in lasts.items() if len(found) < count or last > found[-1]}
            portion *= 2
        return found

    async def _of(self, members: Sequence[bytes]) -> list[Row]:
        """Return the rows of members; they may have changed since the members were read."""
        matches = [MatchId(member[_DIGITS:].decode()) for member in members]
        replies = await self._client.together(("HGET", keys.rows(shard_of(match_id)), match_id) for match_id in matches)
        return [row for reply in replies if (row := _row(reply)) is not None]


def _row(reply: Reply) -> Row | None:
    if not isinstance(reply, bytes):
        return None
    return _DECODER.decode(reply[_LENGTH + int.from_bytes(reply[:_LENGTH]) :])


def _encode(row: Row) -> bytes:
    """Return the row behind what the scripts read: its member, the indexes that it stands in, and when to make it again."""
    front = _ENCODER.encode((_member(row.opened_ms, row.match), sorted(listings_of(row)), row.again_ms or 0))
    return len(front).to_bytes(_LENGTH) + front + _ENCODER.encode(row)


def _member(opened_ms: int, match_id: MatchId) -> str:
    return f"{opened_ms:0{_DIGITS}d}{match_id}"
