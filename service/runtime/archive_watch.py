"""Whether archived matches can be read, where archives are outside of the event store."""

from __future__ import annotations

import asyncio

from ..blob_stores.place import require_readable
from ..errors import ArchiveUnavailable
from ..ports.blobs import BlobStore
from .outage import Outage

FRESH_SECONDS = 5.0
"""How long an answer is reused: a bucket is asked twice in that time, for any number of callers."""
ANSWER_SECONDS = 1.0
"""How long a caller waits for the archives, which may hang; they are not asked again before they have answered."""
UNREADABLE = "Archived matches cannot be read."


class ArchiveWatch:
    """Says whether archives can be read; the log has one line when they cannot, and one when they can again."""

    def __init__(self, blobs: BlobStore | None) -> None:
        self._blobs = blobs
        self._outage = Outage("store of archives")
        self._look: asyncio.Task[bool] | None = None
        self._until = float("-inf")

    async def missing(self) -> str:
        """Return a sentence if archived matches cannot be read, nothing if they can, some seconds old at most."""
        if self._blobs is None:
            return ""
        loop = asyncio.get_running_loop()
        look = self._look
        if look is None or look.get_loop() is not loop or (look.done() and loop.time() >= self._until):
            look = self._look = loop.create_task(self._readable(self._blobs))
        await asyncio.wait({look}, timeout=ANSWER_SECONDS)
        return "" if look.done() and not look.cancelled() and look.result() else UNREADABLE

    async def _readable(self, blobs: BlobStore) -> bool:
        try:
            await require_readable(blobs)
        except ArchiveUnavailable as error:
            self._outage.note(error)
            return False
        else:
            self._outage.over()
            return True
        finally:
            self._until = asyncio.get_running_loop().time() + FRESH_SECONDS
