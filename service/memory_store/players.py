"""Players and the hashes of their tokens in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...domain.match import PlayerId
from ..store import PlayerRecord, TokenRecord


class MemoryPlayers:
    """Players and the hashes of their tokens."""

    def __init__(self) -> None:
        self._players: dict[PlayerId, PlayerRecord] = {}
        self._tokens: dict[bytes, TokenRecord] = {}

    async def put_player(self, player: PlayerRecord) -> None:
        """Create or replace a player."""
        self._players[player.id] = player

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        return self._players.get(player)

    async def remove_player(self, player: PlayerId) -> None:
        """Remove a player and all its tokens; nothing happens if there is none."""
        self._tokens = {digest: token for digest, token in self._tokens.items() if token.player != player}
        self._players.pop(player, None)

    async def names(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
        """Return the display names of those players that exist."""
        return {player: self._players[player].name for player in players if player in self._players}

    async def put_token(self, digest: bytes, token: TokenRecord) -> None:
        """Store a token under the sha256 of its secret."""
        self._tokens[digest] = token

    async def token(self, digest: bytes) -> TokenRecord | None:
        """Return the token of a secret's sha256; None if unknown or revoked."""
        return self._tokens.get(digest)

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return the tokens of a player, oldest first."""
        return sorted(
            (each for each in self._tokens.values() if each.player == player), key=lambda each: (each.created_ms, each.id)
        )

    async def revoke(self, player: PlayerId, token: str) -> bool:
        """Remove a token of a player; False if there is none of that id."""
        digest = next((key for key, each in self._tokens.items() if (each.player, each.id) == (player, token)), None)
        if digest is None:
            return False
        del self._tokens[digest]
        return True
