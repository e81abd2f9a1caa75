"""The archiver: a finished match becomes one blob, and its log is freed once that blob was read back and found to be whole.

The steps are: read all, pack, stage beside the log, read back and compare, exchange log and blob in one fenced step. Whatever
is cut off in between leaves the match as it was; the next one starts over.
"""

from __future__ import annotations

import asyncio

import msgspec

from ...domain.match import MatchId
from ..errors import CorruptHistory, NotFound, VersionConflict
from ..ports.archive_format import pack, unpack
from ..ports.archives import ArchiveStore, Contents
from ..ports.events import GENESIS, chain_over


class Archived(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a match: how many events its archive holds, and how many bytes it has."""

    match: MatchId
    events: int
    size: int


class Archiver:
    """Archives finished matches and puts them back. Any number may work at the same time: every change is fenced."""

    def __init__(self, store: ArchiveStore) -> None:
        self._store = store

    async def archive(self, match: MatchId) -> Archived:
        """Archive a match, or end its care if it is archived already.

        Raises NotFound, VersionConflict if it has continued meanwhile, and CorruptHistory, with nothing freed.
        """
        contents = await self._contents(match)
        head = contents.head
        if not head.status.finished:
            raise NotFound("finished match")
        if head.archived == head.version:
            blob = await self._store.archive(match) or b""
        else:
            blob = await self._staged(match, contents)
        if not await self._store.settle(match, head, blob):
            raise VersionConflict(head.version, head.version + 1)
        return Archived(match=match, events=head.version, size=len(blob))

    async def _contents(self, match: MatchId) -> Contents:
        contents = await self._store.contents(match)
        if contents is None:
            raise NotFound("match")
        return contents

    async def _staged(self, match: MatchId, contents: Contents) -> bytes:
        """Stage the blob beside the log, read it back, and return it if it holds everything in the log."""
        head = contents.head
        if chain_over(GENESIS, contents.entries) != head.chain:
            raise CorruptHistory(f"the entries of {match} do not hash to the stored chain")
        if not await self._store.stage(match, head, await asyncio.to_thread(pack, match, contents)):
            raise VersionConflict(head.version, head.version + 1)
        blob = await self._store.staged(match)
        if blob is not None and _holds(match, blob, contents):
            return blob
        if blob is None or list(await self._store.heads([match])) != [head]:
            raise VersionConflict(head.version, head.version + 1)
        raise CorruptHistory(f"the archive of {match} was not read back as it was written")

    async def restore(self, match: MatchId, care_ms: int) -> bool:
        """Put a match back into its log, to be archived again from *care_ms* on; False if it is not archived. Raises NotFound."""
        contents = await self._contents(match)
        if not contents.head.archived:
            return False
        if not await self._store.unpack(match, contents, care_ms):
            raise VersionConflict(contents.head.version, contents.head.version + 1)
        return True


def _holds(match: MatchId, blob: bytes, contents: Contents) -> bool:
    """Return whether a blob can be read, hashes to its chain, and holds just these contents."""
    try:
        found = unpack(match, blob)
    except CorruptHistory:
        return False
    archived = msgspec.structs.replace(contents.head, archived=contents.head.version)
    return found == msgspec.structs.replace(contents, head=archived)
