"""Passkeys in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ....domain.match import PlayerId
from .port import MOST_PASSKEYS, Added, Passkey, Taken


class MemoryPasskeys:
    """Passkeys by player and id; challenges by digest, each with its end and who has taken it."""

    def __init__(self) -> None:
        self._passkeys: defaultdict[PlayerId, dict[str, Passkey]] = defaultdict(dict)
        self._challenges: dict[bytes, tuple[int, bytes | None]] = {}

    async def keep_challenge(self, digest: bytes, until_ms: int, now_ms: int) -> None:
        self._challenges = {each: found for each, found in self._challenges.items() if found[0] > now_ms}
        self._challenges.setdefault(digest, (until_ms, None))

    async def take_challenge(self, digest: bytes, by: bytes, now_ms: int) -> Taken:
        until_ms, taker = self._challenges.get(digest, (0, None))
        if until_ms <= now_ms or taker not in {None, by}:
            return Taken.NOT
        self._challenges[digest] = (until_ms, by)
        return Taken.FIRST if taker is None else Taken.AGAIN

    async def add(self, player: PlayerId, passkey: Passkey) -> Added:
        known = self._passkeys[player]
        if passkey.id in known:
            return Added.BEFORE
        if len(known) >= MOST_PASSKEYS:
            return Added.FULL
        known[passkey.id] = passkey
        return Added.NOW

    async def passkeys(self, player: PlayerId) -> Sequence[Passkey]:
        return sorted(self._passkeys.get(player, {}).values(), key=lambda each: (each.made_ms, each.id))

    async def passkey(self, player: PlayerId, id_: str) -> Passkey | None:
        return self._passkeys.get(player, {}).get(id_)

    async def replace(self, player: PlayerId, before: Passkey, after: Passkey) -> bool:
        if self._passkeys.get(player, {}).get(before.id) != before:
            return False
        self._passkeys[player][before.id] = after
        return True

    async def remove(self, player: PlayerId, id_: str) -> bool:
        return self._passkeys.get(player, {}).pop(id_, None) is not None

    async def forget(self, player: PlayerId) -> None:
        self._passkeys.pop(player, None)
