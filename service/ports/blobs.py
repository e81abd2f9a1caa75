"""Blobs of archived matches outside the store of events: on a disk, in a database, in an object store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...domain.match import MatchId


def key_of(match_id: MatchId, name: str) -> str:
    """Return the key of a match's blob."""
    return f"{match_id}/{name}"


class BlobStore(Protocol):
    """Immutable blobs by key. Every method may raise ArchiveUnavailable; after that it is unknown whether it did its work.

    What is written under a key is never changed, so any number of processes may write and read at the same time.
    """

    async def make(self) -> None:
        """Make what blobs are kept in, a file or a table, if it is not there; nothing else makes it."""
        ...

    async def check(self) -> None:
        """Raise ArchiveUnavailable unless the store is there and takes blobs."""
        ...

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob. It is durable when this returns. A key that is there already keeps its blob."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Return a blob; None if there is none."""
        ...

    async def delete(self, keys: Sequence[str]) -> None:
        """Delete blobs. Keys that are not there are passed over."""
        ...

    async def close(self) -> None:
        """Close files and connections."""
        ...
