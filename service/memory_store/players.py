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
        self._players[player.id] = player

    async def replace_player(self, before: PlayerRecord, after: PlayerRecord) -> bool:
        if self._players.get(after.id) not in (before, after):
            return False
        self._players[after.id] = after
        return True

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        return self._players.get(player)

    async def remove_player(self, player: PlayerId) -> None:
        for digest in self._digests.pop(player, {}).values():
            del self._tokens[digest]
        self._players.pop(player, None)
        self._programs.pop(player, None)

    async def begin_deletion(self, player: PlayerId, now_ms: int) -> None:
        self._deletions.setdefault(player, now_ms)

    async def deletions(self, until_ms: int) -> Sequence[PlayerId]:
        return [player for player, since_ms in self._deletions.items() if since_ms <= until_ms]

    async def end_deletion(self, player: PlayerId) -> None:
        self._deletions.pop(player, None)

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        return {player: self._players[player] for player in players if player in self._players}

    async def program(self, player: PlayerId) -> ProgramRecord | None:
        return self._programs.get(player)

    async def put_program(self, player: PlayerId, before: ProgramRecord | None, after: ProgramRecord) -> bool:
        if player not in self._players or self._programs.get(player) not in (before, after):
            return False
        self._programs[player] = after
        return True

    async def put_token(self, digest: bytes, token: TokenRecord, most: int | None = None) -> bool:
        if token.player not in self._players or (most is not None and len(self._digests[token.player]) >= most):
            return False
        self._tokens[digest] = token
        self._digests[token.player][token.id] = digest
        return True

    async def token(self, digest: bytes) -> TokenRecord | None:
        return self._tokens.get(digest)

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        found = [self._tokens[digest] for digest in self._digests.get(player, {}).values()]
        return sorted(found, key=lambda token: (token.created_ms, token.id))

    async def revoke(self, player: PlayerId, token: str) -> bool:
        digest = self._digests.get(player, {}).pop(token, None)
        if digest is None:
            return False
        del self._tokens[digest]
        return True
