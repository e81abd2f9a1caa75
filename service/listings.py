"""Which rows a listing has; the same for every store."""

from __future__ import annotations

from .store import Listing, Row


def fits(row: Row, listing: Listing) -> bool:
    """Return whether a row belongs to a listing and comes after its keyset position."""
    return (
        (row.listed if listing.player is None else listing.player in row.players)
        and listing.game in {None, row.game}
        and listing.status in {None, row.status}
        and (listing.after is None or (row.opened_ms, row.match) < listing.after)
    )
