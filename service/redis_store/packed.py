"""Reading the archives of matches: from the match's slot on the server, or from the blob store."""

from __future__ import annotations

from typing import NamedTuple

from ...domain.match import MatchId
from ..errors import ArchiveUnavailable
from ..ports.archive_format import unpack, unpack_entries
from ..ports.archives import Contents
from ..ports.blobs import BlobStore, key_of
from ..ports.events import Version
from . import keys
from .store_client import StoreClient


class ArchivePlace(NamedTuple):
    """Where an archive is, as a head says: up to which version it reaches, and the blob's name if it is outside."""

    version: Version
    outside: str


class Packed:
    """The archives, for readers. Without *blobs*, those outside cannot be read: ArchiveUnavailable."""

    def __init__(self, client: StoreClient, blobs: BlobStore | None) -> None:
        self._client = client
        self._blobs = blobs

    async def blob(self, match_id: MatchId, outside: str) -> bytes | None:
        """Return the blob of a match; None if it is not there (any more)."""
        if not outside:
            found = await self._client.call("GET", keys.archive(match_id))
            return found if isinstance(found, bytes) else None
        if self._blobs is None:
            raise ArchiveUnavailable(f"the archive of {match_id} is in another store, which TAFELRUNDE_ARCHIVE_URL has to name")
        return await self._blobs.get(key_of(match_id, outside))

    async def contents(self, match_id: MatchId, place: ArchivePlace) -> Contents | None:
        """Return what an archive holds, None if it does not reach just up to its version (any more); raise CorruptHistory."""
        blob = await self.blob(match_id, place.outside)
        contents = unpack(match_id, blob) if blob is not None else None
        return contents if contents is not None and contents.head.version == place.version else None

    async def entries(self, match_id: MatchId, place: ArchivePlace) -> tuple[bytes, ...] | None:
        """Return the entries of an archive. Same rule as for `contents`."""
        blob = await self.blob(match_id, place.outside)
        entries = unpack_entries(match_id, blob) if blob is not None else None
        return entries if entries is not None and len(entries) == place.version else None
