"""What tournaments need of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType, Protocol

from ....domain.match import MatchId, PlayerId

TournamentId = NewType("TournamentId", str)
ListPosition = NewType("ListPosition", str)
"""A place in the list of tournaments: the next page begins after it."""
DIGITS = 13
"""How many digits of a place are a time in Unix milliseconds."""


def position_of(tournament: TournamentId, at_ms: int) -> ListPosition:
    """Return the place of a tournament in the list; places sort by the time of opening."""
    return ListPosition(f"{at_ms:0{DIGITS}d}{tournament}")


class TournamentStore(Protocol):
    """Tournaments: their facts, where they are listed, and when they are looked at next. Every method may raise StoreUnavailable.

    All writes may be repeated. Where several belong together, those come first that are harmless alone; what is lacking after a
    process was killed is added when the tournament is looked at next.
    """

    async def append(self, tournament: TournamentId, expected: int, facts: Sequence[bytes]) -> bool:
        """Add facts behind the first *expected* ones, in one step; return False if others are there, and True if these are."""
        ...

    async def read(self, tournament: TournamentId, after: int) -> Sequence[bytes] | None:
        """Return the facts behind the first *after*; None if there is no such tournament (any more)."""
        ...

    async def remove(self, tournament: TournamentId) -> None:
        """Delete all facts."""
        ...

    async def enlist(self, tournament: TournamentId, at_ms: int) -> None:
        """Put a tournament, opened at that time, into the list that all can see."""
        ...

    async def strike(self, tournament: TournamentId, at_ms: int) -> None:
        """Take it out of that list."""
        ...

    async def listed(self, after: ListPosition | None, limit: int) -> Sequence[tuple[ListPosition, TournamentId]]:
        """Return tournaments of the list, newest first."""
        ...

    async def note_player(self, player: PlayerId, tournament: TournamentId, at_ms: int) -> None:
        """Remember that a player may have to do with a tournament, opened at that time."""
        ...

    async def drop_player(self, player: PlayerId, tournament: TournamentId) -> None:
        """Remember it no longer."""
        ...

    async def of_player(self, player: PlayerId) -> Sequence[TournamentId]:
        """Return the tournaments of a player, newest first."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Remember no tournament of a player any longer."""
        ...

    async def plan(self, tournament: TournamentId, at_ms: int) -> None:
        """Have a tournament looked at from that time on."""
        ...

    async def advance(self, tournament: TournamentId, at_ms: int) -> None:
        """Have it looked at by that time, or earlier if that is planned; nothing happens if nothing is planned."""
        ...

    async def claim(self, now_ms: int, until_ms: int, limit: int) -> Sequence[TournamentId]:
        """Return those to be looked at now, longest due first; they are looked at again at *until_ms*."""
        ...

    async def unplan(self, tournament: TournamentId) -> None:
        """Look at a tournament no more."""
        ...

    async def note_matches(self, tournament: TournamentId, matches: Sequence[MatchId]) -> None:
        """Remember which tournament matches belong to."""
        ...

    async def tournament_of(self, match_id: MatchId) -> TournamentId | None:
        """Return which tournament a match belongs to; None if it is not known to belong to one."""
        ...

    async def forget_matches(self, matches: Sequence[MatchId]) -> None:
        """Remember it no longer."""
        ...
