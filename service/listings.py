"""What a listing has of a row; the same for every store."""

from __future__ import annotations

from ..domain.match import PlayerId
from .store import Late, Listing, Row


def seen(row: Row, player: PlayerId | None) -> Row | Late:
    """Return a row as a player (None: the public) may see it."""
    return row if row.late is None or player in row.late.seated else row.late


def fits(row: Row, listing: Listing) -> bool:
    """Return whether a row belongs to a listing and comes after its keyset position."""
    found = seen(row, listing.player)
    return (
        (found.listed if listing.player is None else listing.player in found.players)
        and listing.game in {None, row.game}
        and listing.status in {None, found.status}
        and (listing.after is None or (row.opened_ms, row.match) < listing.after)
    )
