"""What bots that search need of a store: for each match one thought, which ends by itself."""

from __future__ import annotations

from typing import Protocol

from ....domain.match import MatchId


class ThoughtStore(Protocol):
    """The bots' answers, kept beside their match until they are due. A secret; if it is lost, the bots think again."""

    async def keep(self, match_id: MatchId, thought: bytes, ttl_ms: int) -> None:
        """Keep a thought for that time, instead of the one that was kept."""
        ...

    async def read(self, match_id: MatchId) -> bytes | None:
        """Return the thought that is kept; None if there is none, or its time is over."""
        ...

    async def note_alarm(self) -> None:
        """Count a thought that took so long that it was broken off."""
        ...

    async def alarms(self) -> int:
        """Return how many were counted."""
        ...
