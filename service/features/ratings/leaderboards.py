"""Leaderboards and the standings of players, as the rating projector keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.game import GameId
from ....domain.match import PlayerId
from ...strength.scores import Entrant, LeaderboardEntry
from .port import LeaderboardKind, Point, RatingStore


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

    async def histories(self, player: PlayerId) -> Mapping[GameId, Sequence[Point]]:
        """Return what the rating of a player was after its newest matches, by game, oldest first."""
        return await self._store.histories(Entrant(player), self._games)

    async def export(self, player: PlayerId) -> object:
        """Return what is kept of a player, as plain data."""
        found = await self.histories(player)
        return {game: [{"at_ms": each.at_ms, "rating": each.rating} for each in points] for game, points in found.items()}
