"""The archiver: a finished match becomes one blob, and its log is freed once that blob was read back and found to be whole.

The steps are: read all, pack, put the blob where it will be, read it back and compare, exchange log and blob in one fenced step.
Whatever is cut off in between leaves the match as it was; the next one starts over. A blob that was put outside for nothing is a
leftover, and so is one that has been replaced. Leftovers are kept for a day, for readers and backups that are under way.
"""

from __future__ import annotations

import asyncio
import secrets

import msgspec

from ...domain.match import MatchId
from ..errors import CorruptHistory, NotFound, VersionConflict
from ..ports.archive_format import pack, unpack
from ..ports.archives import ArchiveStore, Contents
from ..ports.blobs import BlobStore, key_of
from ..ports.events import GENESIS, Head, Shard, Version, chain_over

NAME_BYTES = 8
"""Length of a blob's name. It is drawn at random for each try, so no blob ever replaces another one of its match."""
LEFTOVER_MS = 86_400_000
LEFTOVERS_AT_ONCE = 100


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a match: how many events its archive holds, and how many bytes it has."""

    match: MatchId
    events: int
    size: int


class Archiver:
    """Archives finished matches and puts them back. Any number may work at the same time: every change is fenced.

    Archives are put into *blobs*, or, without it, stay in the event store.
    """

    def __init__(self, store: ArchiveStore, blobs: BlobStore | None = None) -> None:
        self._store = store
        self._blobs = blobs

    def in_place(self, head: Head) -> bool:
        """Return whether all of a match is archived where new archives are put."""
        return head.archived == head.version and bool(head.outside) == (self._blobs is not None)

    async def archive(self, match_id: MatchId, version: Version | None = None) -> Archived:
        """Archive a match, or end its care if it is archived already; move an archive that is elsewhere.

        Raises NotFound, VersionConflict if it has continued meanwhile or is not at *version* (if that is given), and
        CorruptHistory, with nothing freed.
        """
        contents = await self._contents(match_id)
        head = contents.head
        if version is not None and head.version != version:
            raise VersionConflict(version, head.version)
        if not head.status.finished:
            raise NotFound("finished match")
        if self.in_place(head):
            blob = await self._store.archive(match_id) or b""
            settled = await self._store.settle(match_id, head, b"")
        else:
            blob, settled = await self._exchange(match_id, contents)
        if not settled:
            raise VersionConflict(head.version, head.version + 1)
        return Archived(match=match_id, events=head.version, size=len(blob))

    async def _contents(self, match_id: MatchId) -> Contents:
        contents = await self._store.contents(match_id)
        if contents is None:
            raise NotFound("match")
        return contents

    async def _exchange(self, match_id: MatchId, contents: Contents) -> tuple[bytes, bool]:
        """Put the blob where it belongs, and exchange the log for it; return it, and False if the match has continued."""
        head = contents.head
        if chain_over(GENESIS, contents.entries) != head.chain:
            raise CorruptHistory(f"the entries of {match_id} do not hash to the stored chain")
        blob = await asyncio.to_thread(pack, match_id, contents)
        if self._blobs is None:
            blob = await self._stage(match_id, contents, blob)
            return blob, await self._store.settle(match_id, head, blob)
        name = secrets.token_hex(NAME_BYTES)
        if not await self._store.announce(match_id, head, name):
            return blob, False
        await self._blobs.put(key_of(match_id, name), blob)
        if await self._blobs.get(key_of(match_id, name)) != blob or not await asyncio.to_thread(_holds, match_id, blob, contents):
            raise CorruptHistory(f"the archive of {match_id} was not read back as it was written")
        return blob, await self._store.settle_outside(match_id, head, name)

    async def _stage(self, match_id: MatchId, contents: Contents, blob: bytes) -> bytes:
        """Stage the blob beside the log, read it back, and return it if it holds everything in the log."""
        head = contents.head
        if not await self._store.stage(match_id, head, blob):
            raise VersionConflict(head.version, head.version + 1)
        found = await self._store.read_staged(match_id)
        if found is not None and _holds(match_id, found, contents):
            return found
        if found is None or list(await self._store.heads([match_id])) != [head]:
            raise VersionConflict(head.version, head.version + 1)
        raise CorruptHistory(f"the archive of {match_id} was not read back as it was written")

    async def sweep(self, shard: Shard, age_ms: int = LEFTOVER_MS) -> int:
        """Delete blobs of a shard that have been leftovers for some time, the oldest ones; return how many."""
        if self._blobs is None:
            return 0
        gone = await self._store.leftovers(shard, age_ms, LEFTOVERS_AT_ONCE)
        if gone:
            await self._blobs.delete(gone)
            await self._store.forget_leftovers(shard, gone)
        return len(gone)

    async def restore(self, match_id: MatchId, care_ms: int) -> bool:
        """Put a match back into its log, to be archived again from *care_ms* on; False if it is not archived. Raises NotFound."""
        contents = await self._contents(match_id)
        if not contents.head.archived:
            return False
        if not await self._store.unpack(match_id, contents, care_ms):
            raise VersionConflict(contents.head.version, contents.head.version + 1)
        return True


def _holds(match_id: MatchId, blob: bytes, contents: Contents) -> bool:
    """Return whether a blob can be read, hashes to its chain, and holds just these contents."""
    try:
        found = unpack(match_id, blob)
    except CorruptHistory:
        return False
    archived = msgspec.structs.replace(contents.head, archived=contents.head.version, outside="")
    return found == msgspec.structs.replace(contents, head=archived)
