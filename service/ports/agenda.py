"""The agendas of a shard: when which match needs something done."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Protocol

import msgspec

from ...domain.match import MatchId
from .events import Shard


class AgendaKind(Enum):
    """The agendas of a shard: deadlines, bot work, the care for finished matches (sealing, archiving), and openings to enter."""

    DEADLINE = "due"
    WORK = "work"
    CARE = "care"
    OPENING = "opened"


class Claims(msgspec.Struct, frozen=True):
    """Matches whose entry has come due, each with the time it was due, and when the next entry comes due, if any."""

    due: tuple[tuple[MatchId, int], ...]
    next_ms: int | None


class Agenda(Protocol):
    """Deadlines, bot work and care; entries are set and cleared by `EventStore.append`.

    It sets that of an opening, due at once, with the first events of a match, and leaves it alone from then on.
    """

    async def claim(
        self, kind: AgendaKind, now_ms: int | None, lease_ms: int, limit: int, shards: Collection[Shard] | None = None
    ) -> Claims:
        """Return what is due in those shards (None: in all) and push it to now + lease, so that a lost job is offered again.

        What has waited longest comes first. If more is due than the *limit*, the next entry is due already. The store's clock
        says what is due; *now_ms* replaces it for a host with a clock of its own.
        """
        ...

    async def postpone(self, kind: AgendaKind, match_id: MatchId, until_ms: int) -> None:
        """Push an existing entry to a later time; nothing happens if there is none."""
        ...

    async def remove(self, kind: AgendaKind, match_id: MatchId) -> None:
        """Remove an entry, if there is one."""
        ...

    async def move(self, kind: AgendaKind, match_id: MatchId, at_ms: int) -> None:
        """Set an existing entry to a time, earlier or later; nothing happens if there is none."""
        ...
