"""Leaderboards and the standings of players, as the rating projector keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.game import GameId
from ....domain.match import PlayerId
from ...strength.scores import Entrant, LeaderboardEntry
from .port import LeaderboardKind, RatingStore


class Ratings:
    """Shows ratings; `games` are those that have a leaderboard."""

    def __init__(self, store: RatingStore, games: Sequence[GameId]) -> None:
        self._store = store
        self._games = games

    async def board(
        self, game: GameId, below: tuple[int, Entrant] | None, limit: int, kind: LeaderboardKind | None = None
    ) -> Sequence[LeaderboardEntry]:
        """Return a page of a game's leaderboard (of one kind), best first."""
        return await self._store.board(game, below, limit, kind)

    async def standings(self, player: PlayerId) -> Mapping[GameId, LeaderboardEntry]:
        """Return where a player stands in the games in which it is rated."""
        return await self._store.standings(Entrant(player), self._games)
