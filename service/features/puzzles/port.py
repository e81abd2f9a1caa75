"""What the puzzles of the day need of a store: what could become one, what was chosen for a day, and who answered what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple, Protocol

import msgspec

from ....domain.game import GameId, Seat
from ....domain.match import MatchId, PlayerId
from ...days import Day
from ..daily.port import KEPT_DAYS

POOLED = 200
"""How many candidates of a game are kept: those with the widest margins."""


class Candidate(NamedTuple):
    """A decision that could become a puzzle: the answer that a seat of a finished match gave, by the version it caused."""

    match: MatchId
    seat: Seat
    version: int


class Chosen(msgspec.Struct, frozen=True, array_like=True):
    """What was chosen for a day; `withdrawn`: there is no puzzle any more, and none will take its place."""

    candidate: Candidate
    withdrawn: bool = False


class Solution(msgspec.Struct, frozen=True, array_like=True):
    """A player's answer, as the contract writes it, and whether it was the right one."""

    command: bytes
    right: bool


class Tally(NamedTuple):
    """How many answered, and how many of them were right."""

    answered: int
    right: int


def first_kept(day: Day) -> Day:
    """Return the earliest day that is kept when a later one is today."""
    return Day((date.fromisoformat(day) - timedelta(days=KEPT_DAYS - 1)).isoformat())


class PuzzleStore(Protocol):
    """Candidates, choices and answers. Every method may raise StoreUnavailable.

    What belongs to a day is forgotten `KEPT_DAYS` later.
    """

    async def offer(self, game: GameId, candidate: Candidate, margin: float) -> None:
        """Keep a candidate; beyond `POOLED` of a game, those with the smallest margins are forgotten."""
        ...

    async def candidates(self, game: GameId) -> Sequence[Candidate]:
        """Return the candidates of a game, those with the widest margins first; equal ones in any order."""
        ...

    async def take(self, game: GameId, candidate: Candidate) -> float | None:
        """Take a candidate away and return its margin; None if it is not there. Of those who take one at once, one gets it."""
        ...

    async def choose(self, game: GameId, day: Day, candidate: Candidate) -> Chosen:
        """Return what is chosen for a day; the first candidate that was named for a day stays."""
        ...

    async def note_visit(self, day: Day) -> None:
        """Record that the service had a visitor on a day, without saying who."""
        ...

    async def is_visited(self, day: Day) -> bool:
        """True if someone was here on a day; forgotten when it has ended."""
        ...

    async def withdraw(self, game: GameId, day: Day) -> None:
        """Note that what was chosen for a day may no longer be shown; nothing happens if there is nothing."""
        ...

    async def choices(self, day: Day) -> Mapping[GameId, Chosen]:
        """Return what is chosen for a day, by game."""
        ...

    async def answer(self, game: GameId, day: Day, player: PlayerId, solution: Solution) -> Solution:
        """Return a player's answer to a puzzle: the first one stays. Those of days that are kept no longer are forgotten."""
        ...

    async def answers(self, player: PlayerId) -> Mapping[tuple[Day, GameId], Solution]:
        """Return the answers of a player, of the days that were kept when the newest was given."""
        ...

    async def tally(self, game: GameId, day: Day) -> Tally:
        """Return how many have answered."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete the answers of a player; they are counted no longer."""
        ...
