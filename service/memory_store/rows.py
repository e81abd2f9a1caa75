"""The rows of the projections in memory."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Sequence
from itertools import islice

from ...domain.match import MatchId
from ..ports.events import Shard, shard_of
from ..ports.rows import Listing, Row, fits, listing_of, listings_of
from .events import ALL_SHARDS


class MemoryRows:
    """The rows of the projections; each listing has an index of its own, the newest opened last."""

    def __init__(self) -> None:
        self._rows: dict[Shard, dict[MatchId, Row]] = {shard: {} for shard in ALL_SHARDS}
        self._checkpoints: dict[Shard, str] = {}
        self._again: dict[MatchId, int] = {}
        self._indexes: dict[str, list[tuple[int, MatchId]]] = {}

    async def checkpoint(self, shard: Shard) -> str | None:
        return self._checkpoints.get(shard)

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        if self._checkpoints.get(shard) != old:
            return False
        self._checkpoints[shard] = new
        for row in rows:
            self._list(self._rows[shard].get(row.match), row)
            self._rows[shard][row.match] = row
            self._again.pop(row.match, None)
            if row.again_ms is not None:
                self._again[row.match] = row.again_ms
        return True

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        due = [match_id for match_id, at_ms in self._again.items() if at_ms <= now_ms and shard_of(match_id) in shards][:limit]
        self._again.update((match_id, now_ms + lease_ms) for match_id in due)
        return due

    async def put_off(self, shard: Shard, matches: Sequence[MatchId], until_ms: int) -> None:
        self._again.update(dict.fromkeys(matches, until_ms))

    def bring_nearer(self, by_ms: int) -> None:
        """Let all rows that are to be made again be due earlier."""
        self._again = {match_id: at_ms - by_ms for match_id, at_ms in self._again.items()}

    async def reset(self, shard: Shard) -> None:
        for match_id, row in self._rows[shard].items():
            self._list(row, None)
            self._again.pop(match_id, None)
        self._rows[shard].clear()
        self._checkpoints.pop(shard, None)

    async def rows(self, listing: Listing) -> Sequence[Row]:
        index = self._indexes.get(listing_of(listing), [])
        end = bisect_left(index, listing.after) if listing.after is not None else len(index)
        rows = (self._rows[shard_of(match_id)][match_id] for _, match_id in map(index.__getitem__, range(end - 1, -1, -1)))
        return list(islice((row for row in rows if fits(row, listing)), listing.limit))

    def _list(self, old: Row | None, new: Row | None) -> None:
        """Put a row where it belongs in the indexes."""
        for row, change in ((old, _remove), (new, insort)):
            if row is not None:
                for name in listings_of(row):
                    change(self._indexes.setdefault(name, []), (row.opened_ms, row.match))

    async def row(self, match_id: MatchId) -> Row | None:
        return self._rows[shard_of(match_id)].get(match_id)


def _remove(index: list[tuple[int, MatchId]], place: tuple[int, MatchId]) -> None:
    del index[bisect_left(index, place)]
