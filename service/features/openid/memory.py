"""Attempts and identities in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ....domain.match import PlayerId
from .port import MOST_TOKENS, Attempt


class MemoryOpenId:
    """Attempts by the digest of their state, players by identity, notes by player."""

    def __init__(self) -> None:
        self._attempts: dict[bytes, Attempt] = {}
        self._taken: dict[bytes, bytes] = {}
        self._holders: dict[bytes, PlayerId] = {}
        self._notes: defaultdict[PlayerId, dict[bytes, int]] = defaultdict(dict)
        self._tokens: dict[PlayerId, dict[str, int]] = {}

    async def keep(self, state: bytes, attempt: Attempt) -> None:
        self._attempts[state] = attempt

    async def attempt(self, state: bytes) -> Attempt | None:
        return self._attempts.get(state)

    async def take(self, state: bytes, by: bytes) -> bool:
        return self._taken.setdefault(state, by) == by

    async def holder(self, identity: bytes) -> PlayerId | None:
        return self._holders.get(identity)

    async def replace(self, identity: bytes, before: PlayerId | None, after: PlayerId | None) -> bool:
        there = self._holders.get(identity)
        if there not in {before, after}:
            return False
        if after is None:
            self._holders.pop(identity, None)
        else:
            self._holders[identity] = after
        return True

    async def note(self, player: PlayerId, identity: bytes, since_ms: int) -> None:
        self._notes[player].setdefault(identity, since_ms)

    async def strike(self, player: PlayerId, identity: bytes) -> None:
        self._notes[player].pop(identity, None)
        if not self._notes[player]:
            del self._notes[player]

    async def noted(self, player: PlayerId) -> Mapping[bytes, int]:
        return dict(self._notes.get(player, {}))

    async def note_token(self, player: PlayerId, token: str, at_ms: int) -> None:
        newest = sorted({**self._tokens.get(player, {}), token: at_ms}.items(), key=lambda each: each[::-1])
        self._tokens[player] = dict(newest[-MOST_TOKENS:])

    async def noted_tokens(self, player: PlayerId) -> Sequence[str]:
        return [*self._tokens.get(player, {})]

    async def strike_tokens(self, player: PlayerId) -> None:
        self._tokens.pop(player, None)

    async def prune(self, now_ms: int) -> None:
        self._attempts = {state: each for state, each in self._attempts.items() if each.until_ms > now_ms}
        self._taken = {state: by for state, by in self._taken.items() if state in self._attempts}
