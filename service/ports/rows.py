"""The rows of the projections lobby and player, and which of them a listing has; the same for every store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec

from ...domain.match import MatchId, PlayerId, Status
from .events import Shard


def row_for(row: Row, player: PlayerId | None) -> Row | Late:
    """Return a row as a player (None: the public) may see it."""
    return row if row.late is None or player in row.late.seated else row.late


def fits(row: Row, listing: Listing) -> bool:
    """Return whether a row belongs to a listing and comes after its keyset position."""
    found = row_for(row, listing.player)
    return (
        (found.listed if listing.player is None else listing.player in found.players)
        and listing.game in {None, row.game}
        and listing.status in {None, found.status}
        and (not listing.watchable or _is_watchable(row))
        and (listing.after is None or (row.opened_ms, row.match) < listing.after)
    )


def _is_watchable(row: Row) -> bool:
    """Return whether a match runs, as the public knows it, and lets spectators look."""
    return row.watchable and (row.late or row).status is Status.RUNNING


class Late(msgspec.Struct, frozen=True, kw_only=True):
    """The row for everyone but the `seated`, who may know more of the match than others do yet."""

    status: Status
    listed: bool
    players: tuple[PlayerId, ...]
    body: bytes
    seated: tuple[PlayerId, ...]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One match in the projections: what it is indexed by, and the encoded summary. `listed`: shown in the lobby.

    `late` is how it looks to viewers without a seat, if that differs; `again_ms` when it is due to be rebuilt; `watchable`: it
    lets spectators look.
    """

    match: MatchId
    game: str
    status: Status
    listed: bool
    opened_ms: int
    players: tuple[PlayerId, ...]
    body: bytes
    late: Late | None = None
    again_ms: int | None = None
    watchable: bool = False


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows: newest opened first, after the keyset position (opened_ms, match) if one is given.

    `watchable`: only those of running matches that let spectators look.
    """

    player: PlayerId | None = None
    game: str | None = None
    status: Status | None = None
    after: tuple[int, MatchId] | None = None
    limit: int = 50
    watchable: bool = False


def listing_of(listing: Listing) -> str:
    """Return the name of the index that a listing is read from."""
    if listing.player is not None:
        return _mine(listing.player)
    return _watched(listing.game) if listing.watchable else _lobby(listing.game, listing.status)


def listings_of(row: Row) -> set[str]:
    """Return the names of all indexes that have a row for any viewer; `fits` leaves out those of other viewers."""
    public = row.late or row
    mine = {_mine(player) for player in (*row.players, *public.players)}
    if not public.listed:
        return mine
    lobby = {_lobby(game, status) for game in (None, row.game) for status in (None, public.status)}
    return mine | lobby | ({_watched(None), _watched(row.game)} if _is_watchable(row) else set())


def _lobby(game: str | None, status: Status | None) -> str:
    return f"lobby:{status.value if status is not None else '*'}:{game if game is not None else '*'}"


def _watched(game: str | None) -> str:
    return f"watched:{game if game is not None else '*'}"


def _mine(player: str) -> str:
    return f"of:{player}"


class RowStore(Protocol):
    """The rows of the projections lobby (a listing without player: listed matches) and player (that player's matches)."""

    async def checkpoint(self, shard: Shard) -> str | None:
        """Return the position up to which a shard is projected; None if it never was."""
        ...

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*."""
        ...

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        """Return matches of those shards whose rows are due to be rebuilt by *now_ms*; they are offered again after the lease."""
        ...

    async def put_off(self, shard: Shard, matches: Sequence[MatchId], until_ms: int) -> None:
        """Let the rows of matches of that shard, made or not, be due to be rebuilt at that time."""
        ...

    async def reset(self, shard: Shard) -> None:
        """Forget all rows and the checkpoint of a shard."""
        ...

    async def rows(self, listing: Listing) -> Sequence[Row]:
        """Return at most `limit` rows that fit, newest opened first (then by id, descending)."""
        ...

    async def row(self, match_id: MatchId) -> Row | None:
        """Return the row of one match."""
        ...
