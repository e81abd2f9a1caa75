"""The rows of the projections on a server.

A row stands in up to four indexes of the lobby (any or its own game, any or its own status) and in one of each of its
players. All scores are 0; the member is the time in digits and the id, so that the keyset order is the order of the bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from heapq import nlargest

import msgspec

from ...domain.match import MatchId
from ..ports.events import Shard, shard_of
from ..ports.rows import Listing, Row, fits, listing_of, listings_of
from . import keys
from .agenda import claim
from .client import items, number, text
from .link import Reply
from .script import Script
from .store_client import StoreClient

_PROJECT = Script("project")
_RESET = Script("reset")
_LISTING = Script("listing")
_ROWS = Script("rows")
_DIGITS = 15
_LENGTH = 4
_MOST_AT_ONCE = 500


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Row)


class RedisRows:
    """The rows, on a server; a page is two script calls for each group of shards, for its members and for their rows."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def checkpoint(self, shard: Shard) -> str | None:
        """Return the position up to which a shard is projected; None if it never was."""
        reply = await self._client.call("GET", keys.checkpoint(shard))
        return text(reply) if reply is not None else None

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*.

        If the reply is lost and the step was made, the second try finds the new checkpoint: False as well.
        """
        arguments: list[str | bytes] = [old or "", new]
        for row in rows:
            arguments += (row.match, _stored(row))
        return number(await self._client.run(_PROJECT, (keys.rows(shard), keys.checkpoint(shard)), arguments)) == 1

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        """Return matches of those shards whose rows are due to be rebuilt by *now_ms*; they are offered again after the lease."""
        groups = [[keys.again(shard) for shard in group if shard in shards] for group in self._client.groups]
        claims = await claim(self._client, [names for names in groups if names], now_ms, lease_ms, limit)
        return [match for match, _ in claims.due]

    async def reset(self, shard: Shard) -> None:
        """Forget all rows and the checkpoint of a shard."""
        await self._client.run(_RESET, (keys.rows(shard), keys.checkpoint(shard)), ())

    async def rows(self, listing: Listing) -> Sequence[Row]:
        """Return at most `limit` rows that fit, newest opened first (then by id, descending)."""
        found: list[Row] = []
        bound = "+" if listing.after is None else f"({_member(*listing.after)}"
        chunk = listing.limit
        while len(found) < listing.limit:
            members = await self._members(listing, bound, chunk)
            found += [row for row in await self._of(members) if fits(row, listing)]
            if len(members) < chunk:
                break
            bound, chunk = f"({members[-1]}", min(2 * chunk, _MOST_AT_ONCE)
        return found[: listing.limit]

    async def row(self, match: MatchId) -> Row | None:
        """Return the row of one match."""
        return _row(await self._client.call("HGET", keys.rows(shard_of(match)), match))

    async def _members(self, listing: Listing, bound: str, count: int) -> list[str]:
        """Return the newest *count* members below *bound* over all shards."""
        groups = ([keys.index(shard, listing_of(listing)) for shard in group] for group in self._client.groups)
        replies = await asyncio.gather(*(self._client.run(_LISTING, names, (bound, count)) for names in groups))
        return nlargest(count, [text(each) for reply in replies for each in items(reply)])

    async def _of(self, members: Sequence[str]) -> list[Row]:
        """Return the rows of members; they may have changed since the members were read."""
        matches = [MatchId(member[_DIGITS:]) for member in members]
        found: dict[MatchId, Reply] = {}
        shards = {match: shard_of(match) for match in matches}
        parts = [mine for group in self._client.groups if (mine := [match for match in matches if shards[match] in group])]
        replies = await asyncio.gather(
            *(self._client.run(_ROWS, [keys.rows(shards[match]) for match in mine], mine) for mine in parts)
        )
        for mine, rows in zip(parts, replies, strict=True):
            found.update(zip(mine, items(rows), strict=True))
        return [row for match in matches if (row := _row(found[match])) is not None]


def _row(reply: Reply) -> Row | None:
    if not isinstance(reply, bytes):
        return None
    return _DECODER.decode(reply[_LENGTH + int.from_bytes(reply[:_LENGTH]) :])


def _stored(row: Row) -> bytes:
    """Return the row behind what the scripts read: its member, the indexes that it stands in, and when to make it again."""
    front = _ENCODER.encode((_member(row.opened_ms, row.match), sorted(listings_of(row)), row.again_ms or 0))
    return len(front).to_bytes(_LENGTH) + front + _ENCODER.encode(row)


def _member(opened_ms: int, match: MatchId) -> str:
    return f"{opened_ms:0{_DIGITS}d}{match}"
