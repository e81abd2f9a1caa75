"""Blobs in the one place where a deployment has put them: an empty one in its stead, or another one, is noticed.

The place has a mark of its own, a blob of random text, which the event store notes when the first archive may go there. From then
on nothing is put into a place without that mark, and what is not found there is not taken for lost.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

from ...domain.match import MatchId
from ..errors import ArchiveUnavailable, StoreUnavailable
from ..ports.archives import ArchiveStore
from ..ports.blobs import BlobStore, key_of
from ..ports.events import SHARDS, EventStore, Shard

MARK = "place"
"""The key of the mark."""
MARK_BYTES = 16
MISSING = "MISSING"
"""Why a place is unavailable: there is nothing."""
ELSEWHERE = "ELSEWHERE"
"""Why a place is unavailable: it is not the one in which the archives are."""
HEADS_AT_ONCE = 500
_NOTHING = "nothing/there"
"""A key that no blob has."""


class PlacedBlobs:
    """The blobs of a deployment in *blobs*, once `settle` has found that they are there; before that they are unavailable."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs
        self._archives: ArchiveStore | None = None
        self._events: EventStore | None = None
        self._mark: str | None = None

    async def settle(self, archives: ArchiveStore, events: EventStore) -> None:
        """Belong to the deployment with these stores; raise ArchiveUnavailable if its archives are not here.

        A deployment that has none outside, or has them here from a time when places had no mark, takes this place.
        """
        self._archives = archives
        self._events = events
        await self._settle(archives, events)

    async def _settle(self, archives: ArchiveStore, events: EventStore) -> None:
        mark = await archives.place()
        if mark is not None and await self._read_mark() == mark:
            self._mark = mark
        elif await self._lacks(mark, archives, events):
            self._mark = mark
            raise _elsewhere()
        else:
            await self.take(archives)

    async def take(self, archives: ArchiveStore) -> None:
        """Make this the place of the archives from now on."""
        await self._blobs.make()
        await self._blobs.put(MARK, secrets.token_hex(MARK_BYTES).encode())
        self._mark = await self._read_mark()
        if self._mark is not None:
            with suppress(StoreUnavailable):  # its disk is full: reads go on, and the next process notes it
                await archives.note_place(self._mark)

    async def _read_mark(self) -> str | None:
        """Return the mark that is here, None if there is none."""
        try:
            found = await self._blobs.get(MARK)
        except ArchiveUnavailable as error:
            if error.refusal != MISSING:
                raise
            return None
        return None if found is None else found.decode(errors="replace")

    async def _lacks(self, mark: str | None, archives: ArchiveStore, events: EventStore) -> bool:
        """Return whether there are archives outside that are not here; without a *mark* the first one speaks for all."""
        async for match_id, name in outside(archives, events):
            if mark is not None:
                return True
            try:
                return await self._blobs.get(key_of(match_id, name)) is None
            except ArchiveUnavailable as error:
                if error.refusal != MISSING:
                    raise
                return True
        return False

    async def require(self) -> None:
        """Raise ArchiveUnavailable unless this is the place of the archives, and can be read."""
        if self._mark is None and self._archives is not None and self._events is not None:
            await self._settle(self._archives, self._events)
        found = await self._blobs.get(MARK)
        if self._mark is None or found != self._mark.encode():
            raise _elsewhere()

    async def make(self) -> None:
        """Make nothing: `settle` does, if it may."""

    async def check(self) -> None:
        await self._blobs.check()

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob, unless the key has one."""
        await self.require()
        await self._blobs.put(key, blob)

    async def get(self, key: str) -> bytes | None:
        """Return a blob; None if there is none in the right place."""
        found = await self._blobs.get(key)
        if found is None:
            await self.require()
        return found

    async def delete(self, keys: Sequence[str]) -> None:
        await self.require()
        await self._blobs.delete(keys)

    async def close(self) -> None:
        await self._blobs.close()


def _elsewhere() -> ArchiveUnavailable:
    return ArchiveUnavailable("the archives of this deployment are not there", ELSEWHERE)


async def outside(archives: ArchiveStore, events: EventStore) -> AsyncIterator[tuple[MatchId, str]]:
    """Yield all matches whose archives are outside, with the names of their blobs."""
    for number in range(SHARDS):
        matches = await events.matches(Shard(number))
        for start in range(0, len(matches), HEADS_AT_ONCE):
            some = matches[start : start + HEADS_AT_ONCE]
            for match_id, head in zip(some, await archives.heads(some), strict=True):
                if head is not None and head.outside:
                    yield match_id, head.outside


async def require_readable(blobs: BlobStore | None) -> None:
    """Raise ArchiveUnavailable unless archives can be read, if they are outside; a read of what is never there tells."""
    if blobs is not None:
        await blobs.get(_NOTHING)
