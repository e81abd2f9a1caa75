"""What caps on matches need of a store: for each holder a small set of matches, which never grows beyond its cap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from ...domain.match import MatchId


class Holding(msgspec.Struct, frozen=True):
    """A match of a holder, and since when (Unix milliseconds): the newest `hold` counts."""

    match: MatchId
    since_ms: int


class HoldingStore(Protocol):
    """Who holds which matches. Every method may raise StoreUnavailable."""

    async def hold(self, holder: str, match_id: MatchId, limit: int, now_ms: int, keep_ms: int) -> Sequence[Holding]:
        """Note that a holder holds a match and return nothing; or, if it holds *limit* others already, return those.

        In one step, oldest first. A match that it holds already is noted with the new time. What is not added to for *keep_ms*
        is forgotten.
        """
        ...

    async def release(self, holder: str, holdings: Sequence[Holding]) -> None:
        """Forget holdings; one that was noted again since then stays."""
        ...
