"""Kept answers in memory."""

from __future__ import annotations

_CROWD = 10_000
"""Expired answers are looked for when there are this many, then each time that those left have doubled."""


class MemoryAnswers:
    """Bytes at places, with the moment at which they are forgotten."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, bytes]] = {}
        self._crowd = _CROWD

    async def claim(self, place: str, claim: bytes, now_ms: int, lease_ms: int) -> bytes | None:
        until_ms, found = self._kept.get(place, (0, b""))
        if until_ms > now_ms:
            return found if found != claim else None
        await self.keep(place, claim, now_ms, lease_ms)
        return None

    async def keep(self, place: str, answer: bytes, now_ms: int, keep_ms: int) -> None:
        self._kept[place] = (now_ms + keep_ms, answer)
        if len(self._kept) > self._crowd:
            self._kept = {place: kept for place, kept in self._kept.items() if kept[0] > now_ms}
            self._crowd = max(_CROWD, 2 * len(self._kept))

    async def release(self, place: str, claim: bytes) -> None:
        if self._kept.get(place, (0, b""))[1] == claim:
            del self._kept[place]
