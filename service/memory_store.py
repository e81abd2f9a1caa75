"""The stores in plain memory: for hosts without a server, and for fast tests. One process, one event loop, nothing kept.

It answers as the stores on a server do; tests/store runs one suite over all of them.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ..domain.match import MatchId, PlayerId, Status
from .errors import EmptyAppend, HistoryForked, KeyReused, VersionConflict
from .listings import fits
from .store import (
    GENESIS,
    NO_EVENTS,
    SHARDS,
    AgendaKind,
    Batch,
    Claims,
    Head,
    Listing,
    Log,
    PlayerRecord,
    Pointer,
    Row,
    Shard,
    Stores,
    TokenRecord,
    Version,
    Written,
    shard_of,
)

LOG_LINES = 10_000
LINES_AT_ONCE = 500
ALL_SHARDS = tuple(Shard(number) for number in range(SHARDS))


def memory_stores() -> Stores:
    """Return fresh, empty stores in memory."""
    agenda = MemoryAgenda()
    return Stores(
        events=MemoryEvents(agenda),
        agenda=agenda,
        leases=MemoryLeases(),
        rows=MemoryRows(),
        players=MemoryPlayers(),
        id_key=secrets.token_bytes(32),
    )


class _History:
    """One match: its entries, its head, and what was written under which key."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.chain = GENESIS
        self.status = Status.OPEN
        self.written: dict[str, tuple[bytes, Version, Version]] = {}

    @property
    def version(self) -> Version:
        return Version(len(self.entries))

    @property
    def head(self) -> Head:
        return Head(self.version, self.chain, self.status)

    def earlier(self, key: str, fingerprint: bytes) -> Written | None:
        if key not in self.written:
            return None
        found, first, last = self.written[key]
        if found != fingerprint:
            raise KeyReused
        return Written(first, last, replayed=True)

    def extend(self, batch: Batch) -> Written:
        first = Version(self.version + 1)
        self.entries.extend(batch.entries)
        self.chain, self.status = batch.next_chain, batch.status
        self.written[batch.key] = (batch.fingerprint, first, self.version)
        return Written(first, self.version, replayed=False)


class _ShardLog:
    """The newest pointers of a shard. Line n has the position `0-<n>`, and `trimmed` lines are gone."""

    def __init__(self) -> None:
        self.lines: list[Pointer] = []
        self.trimmed = 0

    def add(self, shard: Shard, match: MatchId, version: Version, keep: int) -> None:
        number = self.trimmed + len(self.lines) + 1
        self.lines.append(Pointer(shard, f"0-{number}", match, version))
        if len(self.lines) > keep:
            gone = len(self.lines) - keep
            del self.lines[:gone]
            self.trimmed += gone

    def after(self, position: str) -> list[Pointer]:
        start = max(0, int(position.partition("-")[2]) - self.trimmed)
        return self.lines[start : start + LINES_AT_ONCE]


class MemoryEvents:
    """The logs of all matches."""

    def __init__(self, agenda: MemoryAgenda, log_lines: int = LOG_LINES) -> None:
        self._agenda = agenda
        self._log_lines = log_lines
        self._histories: dict[MatchId, _History] = {}
        self._logs = {shard: _ShardLog() for shard in ALL_SHARDS}
        self._news = asyncio.Event()

    async def head(self, match: MatchId) -> Head | None:
        """Return where the log of a match ends; None if there is no such match."""
        history = self._histories.get(match)
        return history.head if history is not None else None

    async def load(self, match: MatchId, after: Version = NO_EVENTS) -> Log | None:
        """Return the head and the entries after version *after*; None if there is no such match."""
        history = self._histories.get(match)
        return Log(history.head, tuple(history.entries[after:])) if history is not None else None

    async def append(self, batch: Batch) -> Written:
        """Write a batch as one atomic step, or return what an earlier try with the same key wrote."""
        if not batch.entries:
            raise EmptyAppend("a batch without entries")
        history = self._histories.get(batch.match) or _History()
        if (earlier := history.earlier(batch.key, batch.fingerprint)) is not None:
            return earlier
        if batch.expected != history.version:
            raise VersionConflict(batch.expected, history.version)
        if batch.chain != history.chain:
            raise HistoryForked(f"the history of {batch.match} is not the one that was read")
        self._histories[batch.match] = history
        written = history.extend(batch)
        self._agenda.replace(batch)
        shard = shard_of(batch.match)
        self._logs[shard].add(shard, batch.match, written.last, self._log_lines)
        self._news.set()
        self._news = asyncio.Event()
        return written

    async def written(self, match: MatchId, key: str, fingerprint: bytes) -> Written | None:
        """Return what was written under *key*, None if nothing was."""
        history = self._histories.get(match)
        return history.earlier(key, fingerprint) if history is not None else None

    async def ends(self) -> Mapping[Shard, str]:
        """Return the position of the newest line of every shard log."""
        return {shard: log.lines[-1].position if log.lines else "0-0" for shard, log in self._logs.items()}

    async def follow(self, positions: Mapping[Shard, str], block_ms: int) -> Sequence[Pointer]:
        """Return the lines after *positions* of those shards, waiting up to *block_ms* (0: not at all) for the first."""
        if block_ms:
            with suppress(TimeoutError):
                async with asyncio.timeout(block_ms / 1000):
                    while not self._after(positions):
                        await self._news.wait()
        return self._after(positions)

    async def oldest(self, shard: Shard) -> str | None:
        """Return the oldest position that a shard's trimmed log still has; None if it is empty."""
        lines = self._logs[shard].lines
        return lines[0].position if lines else None

    async def matches(self, shard: Shard) -> Sequence[MatchId]:
        """Return the ids of all matches of a shard, oldest first."""
        return [match for match in self._histories if shard_of(match) == shard]

    def _after(self, positions: Mapping[Shard, str]) -> list[Pointer]:
        return [pointer for shard, position in positions.items() for pointer in self._logs[shard].after(position)]


class MemoryAgenda:
    """Deadlines and bot work."""

    def __init__(self) -> None:
        self._entries: dict[AgendaKind, dict[MatchId, int]] = {kind: {} for kind in AgendaKind}

    def replace(self, batch: Batch) -> None:
        """Set or clear the entries of a batch's match."""
        for kind, at_ms in ((AgendaKind.DEADLINE, batch.deadline_ms), (AgendaKind.WORK, batch.work_ms)):
            if at_ms is None:
                self._entries[kind].pop(batch.match, None)
            else:
                self._entries[kind][batch.match] = at_ms

    async def claim(self, kind: AgendaKind, now_ms: int, lease_ms: int, limit: int) -> Claims:
        """Return what is due at *now_ms* and push those entries to now + lease, so that a lost job is offered again."""
        entries = self._entries[kind]
        due = sorted(((match, at_ms) for match, at_ms in entries.items() if at_ms <= now_ms), key=lambda entry: entry[1])[:limit]
        entries.update((match, now_ms + lease_ms) for match, _ in due)
        return Claims(tuple(due), min(entries.values(), default=None))

    async def postpone(self, kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        """Push an existing entry to a later time; nothing happens if there is none."""
        entries = self._entries[kind]
        if match in entries:
            entries[match] = max(entries[match], until_ms)


class MemoryLeases:
    """Ownership for a while: one owner per name. `now_ms` is any clock that never goes back."""

    def __init__(self, now_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000) -> None:
        self._now_ms = now_ms
        self._held: dict[str, tuple[str, int]] = {}

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        """Take or renew the lease; False if somebody else holds it."""
        now = self._now_ms()
        holder, until_ms = self._held.get(name, (owner, now))
        if holder != owner and until_ms > now:
            return False
        self._held[name] = (owner, now + ttl_ms)
        return True

    async def give_back(self, name: str, owner: str) -> None:
        """End the lease if *owner* still holds it."""
        if self._held.get(name, ("", 0))[0] == owner:
            del self._held[name]


class MemoryRows:
    """The rows of the projections; a listing looks at every row."""

    def __init__(self) -> None:
        self._rows: dict[Shard, dict[MatchId, Row]] = {shard: {} for shard in ALL_SHARDS}
        self._checkpoints: dict[Shard, str] = {}

    async def checkpoint(self, shard: Shard) -> str | None:
        """Return the position up to which a shard is projected; None if it never was."""
        return self._checkpoints.get(shard)

    async def project(self, shard: Shard, old: str | None, new: str, rows: Sequence[Row]) -> bool:
        """Write rows and the new checkpoint in one step; False, and nothing written, if the checkpoint is not *old*."""
        if self._checkpoints.get(shard) != old:
            return False
        self._checkpoints[shard] = new
        self._rows[shard].update((row.match, row) for row in rows)
        return True

    async def reset(self, shard: Shard) -> None:
        """Forget all rows and the checkpoint of a shard."""
        self._rows[shard].clear()
        self._checkpoints.pop(shard, None)

    async def rows(self, listing: Listing) -> Sequence[Row]:
        """Return at most `limit` rows that fit, newest opened first (then by id, descending)."""
        fitting = [row for rows in self._rows.values() for row in rows.values() if fits(row, listing)]
        return sorted(fitting, key=lambda row: (row.opened_ms, row.match), reverse=True)[: listing.limit]

    async def row(self, match: MatchId) -> Row | None:
        """Return the row of one match."""
        return self._rows[shard_of(match)].get(match)


class MemoryPlayers:
    """Players and the hashes of their tokens."""

    def __init__(self) -> None:
        self._players: dict[PlayerId, PlayerRecord] = {}
        self._tokens: dict[bytes, TokenRecord] = {}

    async def put_player(self, player: PlayerRecord) -> None:
        """Create or replace a player."""
        self._players[player.id] = player

    async def player(self, player: PlayerId) -> PlayerRecord | None:
        """Return a player; None if unknown."""
        return self._players.get(player)

    async def names(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, str]:
        """Return the display names of those players that exist."""
        return {player: self._players[player].name for player in players if player in self._players}

    async def put_token(self, digest: bytes, token: TokenRecord) -> None:
        """Store a token under the sha256 of its secret."""
        self._tokens[digest] = token

    async def token(self, digest: bytes) -> TokenRecord | None:
        """Return the token of a secret's sha256; None if unknown or revoked."""
        return self._tokens.get(digest)

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return the tokens of a player, oldest first."""
        return sorted(
            (each for each in self._tokens.values() if each.player == player), key=lambda each: (each.created_ms, each.id)
        )

    async def revoke(self, player: PlayerId, token: str) -> bool:
        """Remove a token of a player; False if there is none of that id."""
        digest = next((key for key, each in self._tokens.items() if (each.player, each.id) == (player, token)), None)
        if digest is None:
            return False
        del self._tokens[digest]
        return True
