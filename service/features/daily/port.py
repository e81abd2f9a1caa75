"""What the deals of the day need of a store: the secret of each day, and who has reached what."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

import msgspec

from ....domain.game import GameId
from ....domain.match import MatchId, PlayerId
from ...days import Day

KEPT_DAYS = 31
"""For how many days rankings are kept."""


class DailyResult(msgspec.Struct, frozen=True, array_like=True):
    """What a player has reached in a deal, and in which match.

    `rank` is the place at the table, `score` is None where the game has none, `decisions` is how many the whole match had.
    """

    player: PlayerId
    match: MatchId
    rank: int
    score: int | None
    decisions: int

    @property
    def merit(self) -> int:
        """What rankings sort by, highest first: the place, then the score; among winners, a match of fewer decisions."""
        places = 99 - min(self.rank, 99)
        score = min(max((self.score or 0) + 500_000, 0), 999_999)
        swift = 99_999 - min(self.decisions, 99_999) if self.rank == 1 else 0
        return (places * 1_000_000 + score) * 100_000 + swift


class RankedResult(msgspec.Struct, frozen=True):
    """A line of a ranking; those who did equally well share a place."""

    place: int
    result: DailyResult


class DailyStore(Protocol):
    """Secrets of days and rankings of their deals. Every method may raise StoreUnavailable."""

    async def secret(self, day: Day, fresh: str) -> str:
        """Return a day's secret; the first *fresh* one that was offered for a day stays its secret."""
        ...

    async def known_secret(self, day: Day) -> str | None:
        """Return a day's secret, None if it has none."""
        ...

    async def close(self, day: Day) -> None:
        """Write down that a day's secret is given out, for good."""
        ...

    async def is_closed(self, day: Day) -> bool:
        """Return whether a day's secret was given out."""
        ...

    async def disqualify(self, day: Day, match: MatchId) -> None:
        """Write down that a match of a day does not count. Forgotten after `KEPT_DAYS`."""
        ...

    async def is_disqualified(self, day: Day, match: MatchId) -> bool:
        """Return whether a match of a day does not count."""
        ...

    async def note(self, game: GameId, day: Day, result: DailyResult) -> None:
        """Keep a player's first result; later ones change nothing. Rankings are forgotten after `KEPT_DAYS`."""
        ...

    async def result(self, game: GameId, day: Day, player: PlayerId) -> RankedResult | None:
        """Return where a player stands."""
        ...

    async def ranking(self, game: GameId, day: Day, start: int, limit: int) -> Sequence[RankedResult]:
        """Return at most *limit* lines, best first, behind the first *start*. Equal ones stand in the order of their players."""
        ...

    async def count(self, game: GameId, day: Day) -> int:
        """Return how many have a result."""
        ...

    async def days_of(self, player: PlayerId, games: Sequence[GameId], days: Sequence[Day]) -> AbstractSet[Day]:
        """Return those of some days on which a player has a result in a deal of one of these games."""
        ...

    async def forget(self, player: PlayerId, deals: Sequence[tuple[GameId, Day]]) -> None:
        """Delete a player's results of those deals."""
        ...
