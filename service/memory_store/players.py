"""Players and the hashes of their tokens in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ...domain.match import PlayerId
from ..ports.players import PlayerRecord, ProgramRecord, TokenRecord


class MemoryPlayers:
    """Players and the hashes of their tokens."""

    def __init__(self) -> None:
        self._players: dict[PlayerId, PlayerRecord] = {}
        self._tokens: dict[bytes, TokenRecord] = {}
        self._programs: dict[PlayerId, ProgramRecord] = {}
        self._deletions: dict[PlayerId, int] = {}
        self._digests: defaultdict[PlayerId, dict[str, bytes]] = defaultdict(dict)

    async def put_player(self, player: PlayerRecord) -> None:
        """Create or replace a player."""
        self._players[player.id] = player

    async def replace_player(self, player: PlayerRecord) -> bool:
        """Replace a player; False, and nothing written, if there is none (any more)."""
        known = player.id in self._players
        if known:
            self._players[player.id] = player
        return known

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        return self._players.get(player)

    async def remove_player(self, player: PlayerId) -> None:
        """Remove a player and all its tokens; nothing happens if there is none."""
        for digest in self._digests.pop(player, {}).values():
            del self._tokens[digest]
        self._players.pop(player, None)
        self._programs.pop(player, None)

    async def begin_deletion(self, player: PlayerId, now_ms: int) -> None:
        """Note since when a player is being deleted, unless that is noted already."""
        self._deletions.setdefault(player, now_ms)

    async def deletions(self, until_ms: int) -> Sequence[PlayerId]:
        """Return the players whose deletion began at that time at the latest and has not ended."""
        return [player for player, since_ms in self._deletions.items() if since_ms <= until_ms]

    async def end_deletion(self, player: PlayerId) -> None:
        """Note that a player is deleted; nothing happens if that is known."""
        self._deletions.pop(player, None)

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        """Return those players that exist."""
        return {player: self._players[player] for player in players if player in self._players}

    async def program(self, player: PlayerId) -> ProgramRecord | None:
        """Return what a player's operator has stated; None if nothing."""
        return self._programs.get(player)

    async def put_program(self, player: PlayerId, before: ProgramRecord | None, after: ProgramRecord) -> bool:
        """Replace it; False, and nothing written, if it is not *before* any more, or if the player is gone."""
        if player not in self._players or self._programs.get(player) not in (before, after):
            return False
        self._programs[player] = after
        return True

    async def put_token(self, digest: bytes, token: TokenRecord, most: int | None = None) -> bool:
        """Store a token under the sha256 of its secret; False, and nothing stored, if its player is gone or has *most*."""
        if token.player not in self._players or (most is not None and len(self._digests[token.player]) >= most):
            return False
        self._tokens[digest] = token
        self._digests[token.player][token.id] = digest
        return True

    async def token(self, digest: bytes) -> TokenRecord | None:
        """Return the token of a secret's sha256; None if unknown or revoked."""
        return self._tokens.get(digest)

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return the tokens of a player, oldest first."""
        found = [self._tokens[digest] for digest in self._digests.get(player, {}).values()]
        return sorted(found, key=lambda token: (token.created_ms, token.id))

    async def revoke(self, player: PlayerId, token: str) -> bool:
        """Remove a token of a player; False if there is none of that id, or another writer was first."""
        digest = self._digests.get(player, {}).pop(token, None)
        if digest is None:
            return False
        del self._tokens[digest]
        return True
