"""The matches of a player that are not over, from the projections and from what they have not reached yet."""

from __future__ import annotations

from ...domain.match import MatchId, PlayerId
from ..ports.rows import Listing, RowStore
from .projections import Projector

PAGE = 500


class UnfinishedMatches:
    """Finds the matches of a player that are not over."""

    def __init__(self, projector: Projector, rows: RowStore) -> None:
        self._projector = projector
        self._rows = rows

    async def find(self, player: PlayerId) -> set[MatchId]:
        """Return all matches in which a player may have a seat or be host, including those without an up-to-date row."""
        found = await self._projector.ahead()
        after: tuple[int, MatchId] | None = None
        while rows := await self._rows.rows(Listing(player=player, after=after, limit=PAGE)):
            found.update(row.match for row in rows if not row.status.finished)
            after = (rows[-1].opened_ms, rows[-1].match)
        return found
