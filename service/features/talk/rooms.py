"""Which room of a match is whose, and who may hear which: the table is closed to all others until the match is over.

A player could say what spectators do not know, or do not know yet. So nothing of the table, not even that something was said,
reaches anyone else while the match runs; and a player never hears the stands, where spectators may say what they think of it.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ....domain.game import Seat
from ....domain.match import MatchId, PlayerId
from ...errors import Forbidden
from ...matches.repository import MatchRepository
from ...views.queries import MatchQueries
from .port import Kind, Room


class TalkMode(Enum):
    """What may be said: nothing, what is ready, or anything."""

    OFF = "off"
    PHRASES = "phrases"
    ALL = "all"


class Access(NamedTuple):
    """The room in which a viewer may speak, with its seat there, and whether it may read the other one, too."""

    own: Room
    seat: Seat | None
    over: bool

    def require(self, room: Room) -> None:
        """Raise Forbidden("talk-apart") for a room that is closed to the viewer."""
        if room is not self.own and not self.over:
            raise Forbidden("talk-apart")


class Rooms:
    """Says which rooms are open to whom; none are where nothing may be said."""

    def __init__(self, queries: MatchQueries, repository: MatchRepository, mode: TalkMode) -> None:
        self._queries = queries
        self._repository = repository
        self.mode = mode

    def require(self, kind: Kind) -> None:
        """Raise Forbidden("talk-off") for what may not be said here."""
        if self.mode is TalkMode.OFF or (self.mode is TalkMode.PHRASES and kind is Kind.TEXT):
            raise Forbidden("talk-off")

    async def access(self, player: PlayerId | None, match_id: MatchId) -> Access:
        """Return what is open to a viewer; raise NotFound if the match does not concern it, Forbidden if it may not look."""
        if self.mode is TalkMode.OFF:
            raise Forbidden("talk-off")
        viewer = await self._queries.viewer(player, match_id)
        seated = viewer.seat is not None
        kept = player is not None and not seated and (await self._repository.load_cached(match_id)).match.expects(player)
        over = await self._queries.load_finished(viewer, match_id) is not None
        return Access(Room.TABLE if seated or kept else Room.STANDS, viewer.seat, over)
