"""Archives of finished matches: one blob instead of a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from ...domain.match import MatchId
from .events import Head, Shard, Version


class Used(msgspec.Struct, frozen=True, array_like=True):
    """An idempotency key that a match has seen: its digest, its request's fingerprint, and the versions it wrote."""

    digest: bytes
    fingerprint: bytes
    first: Version
    last: Version


class Contents(msgspec.Struct, frozen=True):
    """Everything stored of a match: head, entries 1 to the head's version, keys in order of `first`."""

    head: Head
    entries: tuple[bytes, ...]
    used: tuple[Used, ...]


class ArchiveStore(Protocol):
    """Archives of finished matches. `EventStore` reads through them; only these calls make them and take them back.

    Every writing call is fenced by the head that its caller has read: False, and nothing changed, if the match has continued.
    """

    async def heads(self, matches: Sequence[MatchId]) -> Sequence[Head | None]:
        """Return the heads of several matches."""
        ...

    async def contents(self, match_id: MatchId) -> Contents | None:
        """Return everything stored of a match, from its archive and its log; None if there is no such match."""
        ...

    async def stage(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        """Put a blob beside the match's log. Nothing reads it but `read_staged`, and nothing is freed.

        Returns False without staging anything if the archive in this store reaches up to *head* already.
        """
        ...

    async def read_staged(self, match_id: MatchId) -> bytes | None:
        """Return the blob beside the log."""
        ...

    async def settle(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        """Make the staged blob, if it is byte for byte *blob*, the match's archive; free log and keys and end the care.

        All in one step. If the archive in this store reaches up to *head* already, or *blob* is empty, the care alone is ended.
        """
        ...

    async def announce(self, match_id: MatchId, head: Head, name: str) -> bool:
        """Note that a blob of that name will be put into the blob store: if nothing comes of it, it is a leftover."""
        ...

    async def settle_outside(self, match_id: MatchId, head: Head, name: str) -> bool:
        """Make the announced blob of that name the match's archive; free log, keys and the former archive, and end the care.

        All in one step. False if the blob has become a leftover meanwhile. A blob that it replaces is one from now on.
        """
        ...

    async def leftovers(self, shard: Shard, age_ms: int, limit: int) -> Sequence[str]:
        """Return the keys of blobs that have been of no use for *age_ms*, at most *limit*; none can be settled any more."""
        ...

    async def forget_leftovers(self, shard: Shard, gone: Sequence[str]) -> None:
        """Note that those blobs are deleted."""
        ...

    async def place(self) -> str | None:
        """Return the mark of the blob store that the archives outside are in; None if there have never been any."""
        ...

    async def note_place(self, place: str) -> None:
        """Note the mark of the blob store that archives outside are put into from now on."""
        ...

    async def archive(self, match_id: MatchId) -> bytes | None:
        """Return the archive of a match, wherever it is."""
        ...

    async def unpack(self, match_id: MatchId, contents: Contents, care_ms: int) -> bool:
        """Put everything back into log and keys, drop the archive, and set the care: in one step.

        A blob outside is a leftover from now on.
        """
        ...
