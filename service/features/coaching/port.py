"""What coaching needs of a store: for each match, and seat of it, what was found so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ....domain.game import Seat
from ....domain.match import MatchId


class CoachingStore(Protocol):
    """Findings of the coach, kept beside their match for as long as it is kept. Computed again if they are lost."""

    async def keep(self, match_id: MatchId, seat: Seat, findings: bytes, before: bytes | None) -> bool:
        """Keep findings about a seat in place of those that were read *before*; False, and nothing kept, if others are there."""
        ...

    async def read(self, match_id: MatchId) -> Mapping[Seat, bytes]:
        """Return the findings of all seats that anyone has asked for."""
        ...
