"""Which viewer of a match a player is. It may change while a connection is open, so every look at the match decides it again."""

from __future__ import annotations

import msgspec

from ...domain.game import Seat
from ...domain.match import PlayerId, Spectators
from ...domain.match.state import Match
from ..errors import Forbidden


class Viewer(msgspec.Struct, frozen=True):
    """Who looks at a match: a seat, or (None) a spectator; `delayed` spectators know it as `Delay` says.

    `early`: a seat is reserved for the player, who knows without delay what other spectators know later.
    """

    player: PlayerId | None
    seat: Seat | None
    delayed: bool = False
    early: bool = False

    def is_other(self, seating: Seating) -> bool:
        """Whether its player is another viewer now."""
        return seating.viewer(self.player) != self

    @property
    def audience(self) -> Viewer:
        """All viewers that are sent the same: the player counts only where a seat is its own, or reserved for it."""
        return self if self.seat is not None or self.early else Viewer(None, None, self.delayed)


class ViewerChanged(Forbidden):
    """The player is another viewer now: `viewer`. What the one before may know is no longer for it."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__("seat-left")
        self.viewer = viewer


class Seating:
    """Who sits at a match and for whom a seat is reserved, at one version of it."""

    __slots__ = ("_match",)

    def __init__(self, match: Match) -> None:
        self._match = match

    def __repr__(self) -> str:
        return f"Seating({[chair.player for chair in self._match.chairs]})"

    def viewer(self, player: PlayerId | None) -> Viewer:
        """Return which viewer a player is; None is a spectator without a name."""
        is_delayed = self._match.settings.spectators is Spectators.DELAYED
        if player is None:
            return Viewer(None, None, is_delayed)
        seat = self._match.seat_of(player)
        if seat is not None:
            return Viewer(player, seat)
        is_early = is_delayed and self._match.reserved_for(player) is not None
        return Viewer(player, None, is_delayed and not is_early, is_early)
