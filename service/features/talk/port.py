"""What talk needs of a store: the lines of each room, who has muted whom, and what was reported."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ....domain.game import Seat
from ....domain.match import MatchId, PlayerId

KEPT = 500
"""How many lines of a room are kept: the newest."""
MOST_MUTED = 500
"""How many players one player can have muted: the newest."""
MOST_REPORTS = 1_000
"""How many reports are kept of a deployment: the newest."""
AT_ONCE = 100


class Room(Enum):
    """A room of a match: its players are at the table, all others in the stands."""

    TABLE = "table"
    STANDS = "stands"


class Kind(Enum):
    """What a line is: a ready phrase, a reaction, or a text of its author's own; or where one was that an operator has hidden.

    That a line was hidden is a line, too, which comes to those who already have the hidden one.
    """

    PHRASE = "phrase"
    REACTION = "reaction"
    TEXT = "text"
    HIDDEN = "hidden"
    HIDING = "hiding"


class Reason(Enum):
    """Why a line is reported."""

    INSULT = "insult"
    HATE = "hate"
    HARASSMENT = "harassment"
    CHEATING = "cheating"
    SPAM = "spam"
    OTHER = "other"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line: its own id, when it was said, by whom, at which seat, and what.

    That is the id of a phrase or reaction, or the text; nothing for a hidden line, and its number for the one that says so.

    Stored: a new field has a default.
    """

    id: str
    at_ms: int
    player: PlayerId
    seat: Seat | None
    kind: Kind
    said: str


class Numbered(NamedTuple):
    """A line with its number in its room: 1, 2, 3 ..."""

    n: int
    line: Line


class Lines(NamedTuple):
    """Lines of a room in order, and how many there have been."""

    found: Sequence[Numbered]
    end: int


class MatchRoom(NamedTuple):
    """A room of a match."""

    match: MatchId
    room: Room


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """When a report was closed, and why."""

    at_ms: int
    reason: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A line that a player has reported, as it was. Stored: a new field has a default."""

    id: str
    at_ms: int
    match: MatchId
    room: Room
    n: int
    line: Line
    reporter: PlayerId
    reason: Reason
    closed: Closing | None = None


def hidden(line: Line) -> Line:
    """Return what is left of a line that is hidden."""
    return msgspec.structs.replace(line, kind=Kind.HIDDEN, said="")


class LineStore(Protocol):
    """The lines of all rooms. Every method may raise StoreUnavailable."""

    async def add(self, place: MatchRoom, line: Line) -> int:
        """Add a line, and return its number; one that is there already is not added again. Beyond `KEPT`, the oldest go."""
        ...

    async def read(self, place: MatchRoom, after: int, limit: int) -> Lines:
        """Return the next lines after a number."""
        ...

    async def line(self, place: MatchRoom, n: int) -> Line | None:
        """Return the line of a number; None if there is none, or no longer."""
        ...

    async def hide(self, place: MatchRoom, n: int) -> Line | None:
        """Keep of a line where it was and whose, but not what it said; return it as it is then. None if it is not kept."""
        ...

    async def ends(self, places: Sequence[MatchRoom]) -> Sequence[int]:
        """Return how many lines there have been in each of these rooms."""
        ...

    async def of(self, player: PlayerId) -> Sequence[tuple[MatchRoom, Numbered]]:
        """Return all lines of a player that are kept, those of each room in order."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete all lines of a player."""
        ...

    async def to_look_at(self, now_ms: int) -> Sequence[MatchId]:
        """Return some matches with talk of which it is time to ask whether they are over."""
        ...

    async def put_off(self, match_id: MatchId, until_ms: int) -> None:
        """Let a match be asked for again at that time."""
        ...

    async def let_end(self, match_id: MatchId, at_ms: int) -> None:
        """Note that a match is over, and that its talk is deleted at that time, or earlier if that was noted before."""
        ...

    async def to_delete(self, now_ms: int) -> Sequence[MatchId]:
        """Return some matches of which it is time to delete the talk."""
        ...

    async def delete(self, match_id: MatchId) -> None:
        """Delete all talk of a match."""
        ...


class MuteStore(Protocol):
    """Who has muted whom. Every method may raise StoreUnavailable."""

    async def mute(self, player: PlayerId, other: PlayerId, now_ms: int) -> None:
        """Mute another player for a player; beyond `MOST_MUTED`, the oldest are muted no longer."""
        ...

    async def unmute(self, player: PlayerId, other: PlayerId) -> None:
        """Mute another player no longer; nothing happens if it was not muted."""
        ...

    async def muted(self, player: PlayerId) -> Sequence[PlayerId]:
        """Return whom a player has muted, newest first."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Forget whom a player has muted."""
        ...


class ReportStore(Protocol):
    """What was reported. Every method may raise StoreUnavailable."""

    async def put(self, report: Report) -> None:
        """Keep a report, in place of one with its id that is not closed; beyond `MOST_REPORTS`, the oldest are deleted."""
        ...

    async def find(self, report: str) -> Report | None:
        """Return a report by its id; None if there is none."""
        ...

    async def close(self, report: str, closing: Closing) -> Report | None:
        """Note that a report is closed, unless it is already; return it as it is then, None if there is none."""
        ...

    async def newest(self, skip: int, limit: int) -> Sequence[Report]:
        """Return reports, newest first, after those that are to be skipped."""
        ...

    async def prune(self, before_ms: int) -> None:
        """Delete reports from that time or earlier."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete the reports by a player, and those of its lines."""
        ...
