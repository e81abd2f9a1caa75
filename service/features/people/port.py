"""What people need of a store: relations, invitations, and codes for other devices."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ....domain.match import MatchId, PlayerId

DAY_MS = 86_400_000
KEPT_MS = 7 * DAY_MS
"""How long an invitation is kept at most."""
CODE_MS = 600_000
"""How long a code for another device counts."""
MOST_CODES = 5
"""How many codes of a player count at once: the newest."""
MOST_RECEIVED = 100
"""How many invitations of a player are kept: the newest."""


class Relation(Enum):
    """What a player decides about another one, who does not learn of it."""

    FOLLOWED = "followed"
    BLOCKED = "blocked"


class Related(NamedTuple):
    """Another player, and since when (Unix milliseconds)."""

    player: PlayerId
    since_ms: int


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """Who is invited to which match, by whom and when (Unix milliseconds), and whether the player has declined.

    `silent`: the player does not find it. `posted`: its message was.
    """

    match: MatchId
    player: PlayerId
    by: PlayerId
    at_ms: int
    declined: bool = False
    silent: bool = False
    posted: bool = False


class DeviceCode(msgspec.Struct, frozen=True, array_like=True):
    """What a code gives: a token with these scopes and this end, as long as the token counts that made the code."""

    until_ms: int
    token: str
    scopes: tuple[str, ...]
    expires_ms: int | None


class PeopleStore(Protocol):
    """Relations, invitations and codes. Every method may raise StoreUnavailable."""

    async def relate(self, player: PlayerId, relation: Relation, other: Related, most: int) -> bool:
        """Note a relation, unless it is noted already; False, and nothing noted, if there are *most* others."""
        ...

    async def part(self, player: PlayerId, relation: Relation, other: PlayerId) -> None:
        """Delete a relation; nothing happens if there is none."""
        ...

    async def related(self, player: PlayerId, relation: Relation) -> Sequence[Related]:
        """Return those to whom a player has a relation, newest first, of equal times the higher id first."""
        ...

    async def any_related(self, relation: Relation, pairs: Sequence[tuple[PlayerId, PlayerId]]) -> bool:
        """Return whether one of these players has the relation to the other one of the pair."""
        ...

    async def invite(self, invitation: Invitation, *, silently: bool) -> bool:
        """Keep an invitation; False if the player is invited to that match already.

        *silently*: at the match only, so that the player does not find it. Of a player, the newest `MOST_RECEIVED` are kept.
        """
        ...

    async def show(self, invitation: Invitation) -> bool:
        """Let a player find an invitation that is at a match, unless it is silent or declined; say whether it does now."""
        ...

    async def note_posted(self, invitation: Invitation) -> None:
        """Note that the message of an invitation was posted, if it is still at the match as it was read."""
        ...

    async def invitations(self, player: PlayerId) -> Sequence[Invitation]:
        """Return the invitations that a player finds, in no order."""
        ...

    async def invited(self, match_id: MatchId) -> Sequence[Invitation]:
        """Return all invitations to a match, in no order."""
        ...

    async def end(self, match_id: MatchId, player: PlayerId, declined: Invitation | None = None) -> None:
        """Take an invitation from a player; at the match it is deleted, or declined if *declined* is still there."""
        ...

    async def keep_code(self, player: PlayerId, digest: bytes, code: DeviceCode, now_ms: int) -> None:
        """Keep a code by its digest until it ends; beyond `MOST_CODES` those that end first are deleted."""
        ...

    async def code(self, player: PlayerId, digest: bytes) -> DeviceCode | None:
        """Return a code and leave it; None if there is none (any more)."""
        ...

    async def take_code(self, digest: bytes, by: bytes) -> bool:
        """Return whether a code counts for *by*: for the first that takes it, whenever it asks again, and for no other."""
        ...

    async def drop_codes(self, player: PlayerId) -> None:
        """Delete all codes of a player."""
        ...

    async def prune(self, now_ms: int) -> None:
        """Delete what has ended, if the store does not do so by itself."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete all that a player has here, and all relations and invitations of others to it."""
        ...
