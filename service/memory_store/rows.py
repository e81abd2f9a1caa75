"""The rows of the projections in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...domain.match import MatchId
from ..ports.events import Shard, shard_of
from ..ports.rows import Listing, Row, fits
from .events import ALL_SHARDS


class MemoryRows:
    """The rows of the projections; a listing looks at every row."""

    def __init__(self) -> None:
        self._rows: dict[Shard, dict[MatchId, Row]] = {shard: {} for shard in ALL_SHARDS}
        self._checkpoints: dict[Shard, str] = {}
        self._again: dict[MatchId, int] = {}

    async def checkpoint(self, shard: Shard) -> str | None:
        """Return the position up to which a shard is projected; None if it never was."""
        return self._checkpoints.get(shard)

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*."""
        if self._checkpoints.get(shard) != old:
            return False
        self._checkpoints[shard] = new
        for row in rows:
            self._rows[shard][row.match] = row
            self._again.pop(row.match, None)
            if row.again_ms is not None:
                self._again[row.match] = row.again_ms
        return True

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        """Return matches of those shards whose rows are due to be rebuilt by *now_ms*; they are offered again after the lease."""
        due = [match for match, at_ms in self._again.items() if at_ms <= now_ms and shard_of(match) in shards][:limit]
        self._again.update((match, now_ms + lease_ms) for match in due)
        return due

    def bring_nearer(self, by_ms: int) -> None:
        """Let all rows that are to be made again be due earlier."""
        self._again = {match: at_ms - by_ms for match, at_ms in self._again.items()}

    async def reset(self, shard: Shard) -> None:
        """Forget all rows and the checkpoint of a shard."""
        for match in self._rows[shard]:
            self._again.pop(match, None)
        self._rows[shard].clear()
        self._checkpoints.pop(shard, None)

    async def rows(self, listing: Listing) -> Sequence[Row]:
        """Return at most `limit` rows that fit, newest opened first (then by id, descending)."""
        fitting = [row for rows in self._rows.values() for row in rows.values() if fits(row, listing)]
        return sorted(fitting, key=lambda row: (row.opened_ms, row.match), reverse=True)[: listing.limit]

    async def row(self, match: MatchId) -> Row | None:
        """Return the row of one match."""
        return self._rows[shard_of(match)].get(match)
