"""What moderation needs of a store: the acts of operators, and from which address each player asked last, as a keyed hash."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

import msgspec

from ....domain.match import MatchId, PlayerId
from ..talk.port import Room

DAY_MS = 86_400_000
KEPT_MS = 365 * DAY_MS
"""How long an act is kept after it has ended, or was made if it does not last."""
LONGEST_MS = 365 * DAY_MS
"""How long a sanction lasts at most."""
ADDRESS_MS = 30 * DAY_MS
"""For how long at most a sanction concerns new players from an address."""
SEEN_MS = 7 * DAY_MS
"""How long it is kept from which address a player asked."""
AT_ONCE = 500


class ActKind(Enum):
    """What an operator does: hides a line, keeps a player from talking or from playing for a time, or closes a report."""

    HIDE_LINE = "hide-line"
    SILENCE = "silence"
    SUSPEND = "suspend"
    CLOSE_REPORT = "close-report"


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """An act: by whom and when, why, and whom it concerns. Stored: a new field has a default.

    - by: the operator, None for one at the command line, or who is deleted.
    - player: whose line it is, who may not talk or play, who made the report; None: deleted.
    - until_ms: when it ends by itself. `lifted_ms`: when an operator ended it, and `lifted_by` who.
    - address: the keyed hash of the address whose new players it concerns, too; empty: of none.
    - match, room, n: the line. `report`: the report.
    - settled: nothing is left to be done.
    """

    id: str
    kind: ActKind
    at_ms: int
    by: PlayerId | None
    reason: str
    player: PlayerId | None
    until_ms: int | None = None
    address: str = ""
    match: MatchId | None = None
    room: Room | None = None
    n: int | None = None
    report: str | None = None
    lifted_ms: int | None = None
    lifted_by: PlayerId | None = None
    settled: bool = True

    def lasts(self, now_ms: int) -> bool:
        """True if it is a sanction that has not ended."""
        return self.until_ms is not None and self.until_ms > now_ms and self.lifted_ms is None

    @property
    def ends_ms(self) -> int:
        """When it ended or will end."""
        return min(self.until_ms or self.at_ms, self.lifted_ms or self.until_ms or self.at_ms)


class ActStore(Protocol):
    """The acts of a deployment, and where players asked from. Every method may raise StoreUnavailable."""

    async def add(self, act: Act) -> Act:
        """Keep an act, unless one of its id is kept; return the one that is kept."""
        ...

    async def find(self, act: str) -> Act | None:
        """Return an act by its id; None if there is none."""
        ...

    async def replace(self, before: Act, after: Act) -> bool:
        """Keep an act in place of the one that was read *before*; False, and nothing kept, if another one is there by now."""
        ...

    async def remove(self, act: Act) -> None:
        """Delete an act."""
        ...

    async def newest(self, skip: int, limit: int) -> Sequence[Act]:
        """Return acts, newest first, after those that are to be skipped."""
        ...

    async def concerning(self, player: PlayerId) -> Sequence[Act]:
        """Return the acts that concern a player, newest first."""
        ...

    async def lasting(self, now_ms: int) -> Sequence[Act]:
        """Return the sanctions that have not ended."""
        ...

    async def old(self, before_ms: int) -> Sequence[Act]:
        """Return some acts that ended at that time or earlier."""
        ...

    async def note_address(self, player: PlayerId, address: str) -> None:
        """Keep from which address, hashed, a player asked last, for `SEEN_MS`."""
        ...

    async def address_of(self, player: PlayerId) -> str:
        """Return the hash of the address from which a player asked last; empty if it is not kept."""
        ...

    async def forget_address(self, player: PlayerId) -> None:
        """Delete from where a player asked."""
        ...
