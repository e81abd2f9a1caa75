"""What the service needs of a store: small protocols, fulfilled by Redis or Valkey and by plain memory.

A match has one log of entries 1, 2, 3 ... whose number is its version. Entries are opaque bytes here; `codec.py` says
what is in them. A match lives in one of 64 shards; every shard has a log of pointers (which match reached which
version), an agenda of deadlines, an agenda of bot work, and the rows of its projections.
"""

from __future__ import annotations

import binascii
from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import NewType, Protocol

import msgspec

from ..domain.game import Seat
from ..domain.match import MatchId, PlayerId, Status
from .budgets import BudgetStore
from .holding_store import HoldingStore
from .rating_store import RatingStore
from .thought_store import ThoughtStore
from .tree import TreeStore
from .webhooks.store import WebhookStore

Version = NewType("Version", int)
Shard = NewType("Shard", int)

SHARDS = 64
NO_EVENTS = Version(0)
GENESIS = bytes(32)


def shard_of(match: MatchId) -> Shard:
    """Return the shard of a match: CRC-16/XMODEM of its id modulo 64. Fixed for the life of a deployment."""
    return Shard(binascii.crc_hqx(match.encode(), 0) % SHARDS)


class Head(msgspec.Struct, frozen=True):
    """Where the log of a match ends: its version, the sha256 chain over all entries, and the match's status.

    The entries up to version `archived` are in the match's archive; it makes no difference to who reads them.
    """

    version: Version
    chain: bytes
    status: Status
    archived: Version = NO_EVENTS


class Log(msgspec.Struct, frozen=True):
    """A head and the entries after some version, in order, up to that head and never beyond it."""

    head: Head
    entries: tuple[bytes, ...]


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one accepted command writes, in one step.

    `deadline_ms`, `work_ms` (bot work) and `care_ms` are Unix times that replace the match's agenda entries; None clears them.
    `key` and `fingerprint` make it idempotent for the life of the match.
    """

    match: MatchId
    expected: Version
    chain: bytes
    next_chain: bytes
    entries: tuple[bytes, ...]
    key: str
    fingerprint: bytes
    status: Status
    time_ms: int
    deadline_ms: int | None
    work_ms: int | None
    care_ms: int | None = None


class Written(msgspec.Struct, frozen=True):
    """The versions `first`..`last` that a batch has, from now on, or (`replayed`) since an earlier try with the same key."""

    first: Version
    last: Version
    replayed: bool


class Pointer(msgspec.Struct, frozen=True):
    """One line of a shard's log: this match has reached this version. `position` is opaque and orders one shard's lines."""

    shard: Shard
    position: str
    match: MatchId
    version: Version


class EventStore(Protocol):
    """The logs of all matches. Every method may raise StoreUnavailable."""

    async def require_writable(self) -> None:
        """Raise StoreUnavailable, whose `refusal` says why, unless the store takes writes now. Nothing is written."""
        ...

    async def head(self, match: MatchId) -> Head | None:
        """Return where the log of a match ends; None if there is no such match."""
        ...

    async def load(self, match: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Return the head and the entries after version *after*; None if there is no such match.

        One round trip; cost grows with the number of entries after *after*.
        """
        ...

    async def append(self, batch: Batch) -> Written:
        """Write a batch as one atomic step, or return what an earlier try with the same key wrote.

        Raises EmptyAppend; KeyReused (same key, other fingerprint); VersionConflict; HistoryForked (right version, wrong
        chain). After StoreUnavailable it is unknown whether it was written: try again with the same key.
        A replay is recognised before versions are compared.
        """
        ...

    async def written(self, match: MatchId, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under *key*, None if nothing was. Raises KeyReused."""
        ...

    async def ends(self) -> Mapping[Shard, str]:
        """Return the position of the newest line of every shard log ("0-0" for an empty one)."""
        ...

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return the lines after *positions* of those shards, waiting up to *block_ms* (0: not at all) for the first."""
        ...

    async def oldest(self, shard: Shard) -> str | None:
        """Return the oldest position that a shard's trimmed log still has; None if it is empty."""
        ...

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        """Return the ids of all matches of a shard, oldest first."""
        ...


class AgendaKind(Enum):
    """The agendas of a shard: deadlines, bot work, and the care for finished matches (sealing, archiving)."""

    DEADLINE = "due"
    WORK = "work"
    CARE = "care"


class Claims(msgspec.Struct, frozen=True):
    """Matches whose entry has come due, each with the time it was due, and when the next entry comes due, if any."""

    due: tuple[tuple[MatchId, int], ...]
    next_ms: int | None


class Agenda(Protocol):
    """Deadlines, bot work and care; entries are set and cleared by `EventStore.append`."""

    async def claim(self, kind: AgendaKind, now_ms: int, lease_ms: int, limit: int) -> Claims:
        """Return what is due at *now_ms* and push those entries to now + lease, so that a lost job is offered again."""
        ...

    async def postpone(self, kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        """Push an existing entry to a later time; nothing happens if there is none."""
        ...

    async def move(self, kind: AgendaKind, match: MatchId, at_ms: int) -> None:
        """Set an existing entry to a time, earlier or later; nothing happens if there is none."""
        ...


class Used(msgspec.Struct, frozen=True, array_like=True):
    """An idempotency key that a match has seen: its digest, its request's fingerprint, and the versions it wrote."""

    digest: bytes
    fingerprint: bytes
    first: Version
    last: Version


class Contents(msgspec.Struct, frozen=True):
    """All that a match's log and what hangs on it hold: head, entries 1 to the head's version, keys in order of `first`."""

    head: Head
    entries: tuple[bytes, ...]
    used: tuple[Used, ...]


class ArchiveStore(Protocol):
    """Archives of finished matches. `EventStore` reads through them; only these calls make them and take them back.

    Every writing call is fenced by the head that its caller has read: False, and nothing changed, if the match has gone on.
    """

    async def heads(self, matches: Sequence[MatchId]) -> Sequence[Head | None]:
        """Return the heads of several matches."""
        ...

    async def contents(self, match: MatchId) -> Contents | None:
        """Return all that there is of a match, from its archive and its log; None if there is no such match."""
        ...

    async def stage(self, match: MatchId, head: Head, blob: bytes) -> bool:
        """Put a blob beside the match's log. Nothing reads it but `staged`, and nothing is freed."""
        ...

    async def staged(self, match: MatchId) -> bytes | None:
        """Return the blob beside the log."""
        ...

    async def settle(self, match: MatchId, head: Head, blob: bytes) -> bool:
        """Make the staged blob, if it is byte for byte *blob*, the match's archive; free log and keys and end the care.

        All in one step. If the archive reaches up to *head* already, the care alone is ended.
        """
        ...

    async def archive(self, match: MatchId) -> bytes | None:
        """Return the archive of a match."""
        ...

    async def unpack(self, match: MatchId, contents: Contents, care_ms: int) -> bool:
        """Put everything back into log and keys, drop the archive, and set the care: in one step."""
        ...


class Leases(Protocol):
    """Ownership for a while: one owner per name."""

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        """Take or renew the lease; False if another owner holds it."""
        ...

    async def give_back(self, name: str, owner: str) -> None:
        """End the lease if *owner* still holds it."""
        ...


class Late(msgspec.Struct, frozen=True, kw_only=True):
    """A row as it looks to everybody but the `seated`, who know more of the match than others may know yet."""

    status: Status
    listed: bool
    players: tuple[PlayerId, ...]
    body: bytes
    seated: tuple[PlayerId, ...]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One match in the projections: what it is indexed by, and the encoded summary. `listed`: shown in the lobby.

    `late` is how it looks to others than those who sit there, if that differs; `again_ms` when it is to be made again.
    """

    match: MatchId
    game: str
    status: Status
    listed: bool
    opened_ms: int
    players: tuple[PlayerId, ...]
    body: bytes
    late: Late | None = None
    again_ms: int | None = None


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows: newest opened first, after the keyset position (opened_ms, match) if one is given."""

    player: PlayerId | None = None
    game: str | None = None
    status: Status | None = None
    after: tuple[int, MatchId] | None = None
    limit: int = 50


class RowStore(Protocol):
    """The rows of the projections lobby (a listing without player: listed matches) and player (that player's matches)."""

    async def checkpoint(self, shard: Shard) -> str | None:
        """Return the position up to which a shard is projected; None if it never was."""
        ...

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*."""
        ...

    async def again(self, shards: Collection[Shard], now_ms: int, lease_ms: int, limit: int) -> Sequence[MatchId]:
        """Return matches of those shards whose rows are to be made again by *now_ms*; they come again after the lease."""
        ...

    async def reset(self, shard: Shard) -> None:
        """Forget all rows and the checkpoint of a shard."""
        ...

    async def rows(self, listing: Listing) -> Sequence[Row]:
        """Return at most `limit` rows that fit, newest opened first (then by id, descending)."""
        ...

    async def row(self, match: MatchId) -> Row | None:
        """Return the row of one match."""
        ...


class PlayerRecord(msgspec.Struct, frozen=True):
    """A player: opaque id, display name (personal data, kept outside every log), guest or named.

    `application` is the player whose user this one is, if it came from another application. `bot`: it says that a program plays.
    """

    id: PlayerId
    name: str
    guest: bool
    created_ms: int
    application: PlayerId | None = None
    bot: bool = False


class TokenRecord(msgspec.Struct, frozen=True):
    """A token without its secret: id, player, label, scopes, times, and for a seat token its one seat of one match."""

    id: str
    player: PlayerId
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    expires_ms: int | None
    match: MatchId | None = None
    seat: Seat | None = None


class PlayerStore(Protocol):
    """Players and the hashes of their tokens."""

    async def put_player(self, player: PlayerRecord) -> None:
        """Create or replace a player."""
        ...

    async def replace_player(self, player: PlayerRecord) -> bool:
        """Replace a player; False, and nothing written, if there is none (any more)."""
        ...

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        ...

    async def remove_player(self, player: PlayerId) -> None:
        """Remove a player and all its tokens; nothing happens if there is none."""
        ...

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        """Return those players that exist."""
        ...

    async def put_token(self, digest: bytes, token: TokenRecord, most: int | None = None) -> bool:
        """Store a token under the sha256 of its secret; False, and nothing stored, if its player is gone or has *most* already.

        A store may forget it when it has expired.
        """
        ...

    async def token(self, digest: bytes) -> TokenRecord | None:
        """Return the token of a secret's sha256; None if unknown or revoked."""
        ...

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return the tokens of a player, oldest first."""
        ...

    async def revoke(self, player: PlayerId, token: str) -> bool:
        """Remove a token of a player; False if there is none of that id, or another writer was first."""
        ...


class Stores(msgspec.Struct, frozen=True):
    """All stores of one deployment; `id_key` (32 random bytes, made once per deployment) keys the ids derived from requests."""

    events: EventStore
    archives: ArchiveStore
    agenda: Agenda
    thoughts: ThoughtStore
    leases: Leases
    rows: RowStore
    players: PlayerStore
    tree: TreeStore
    ratings: RatingStore
    budgets: BudgetStore
    holdings: HoldingStore
    webhooks: WebhookStore
    id_key: bytes
