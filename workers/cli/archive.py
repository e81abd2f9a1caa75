"""Archiving from the command line: all matches that are due, and back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

import msgspec
import structlog

from ...domain.match import MatchId
from ...service.application import Application
from ...service.archiving.archiver import Archiver
from ...service.blob_stores import open_blobs
from ...service.blob_stores.place import PlacedBlobs, outside
from ...service.deployment import connect, open_application
from ...service.errors import CorruptHistory, StartupRefused, VersionConflict
from ...service.ports.archive_format import unpack
from ...service.ports.blobs import BlobStore, key_of
from ...service.ports.stores import Stores
from ...service.settings import Settings

log = structlog.get_logger(__name__)


async def archive_all(settings: Settings, *, dry_run: bool, say: Callable[[str], None]) -> int:
    """Archive all matches of a deployment that are due, or only list them; return how many could not be archived."""
    async with open_application(settings) as application:
        return await archive_due(application, dry_run=dry_run, say=say)


async def archive_due(application: Application, *, dry_run: bool, say: Callable[[str], None]) -> int:
    """Archive what is due; return how many could not be. Such a match stays as it is, and does not stop the others."""
    count = events = size = failed = 0
    async for match_id in application.finalizer.due():
        if dry_run:
            say(match_id)
            count += 1
            continue
        try:
            archived = await application.finalizer.archive(match_id)
        except (CorruptHistory, VersionConflict) as error:
            log.error("archiving failed", match=match_id, reason=str(error))
            failed += 1
            continue
        count = count + 1
        events = events + archived.events
        size = size + archived.size
    say(f"{count} matches would be archived." if dry_run else f"{count} matches archived: {events} events in {size} bytes.")
    if failed:
        say(f"{failed} matches were not archived: the log says which, and why.")
    return failed


async def move_all(settings: Settings, source: str, say: Callable[[str], None]) -> int:
    """Move all archives from the store of archives at *source* to where new ones are put; those in *source* stay there.

    Return how many could not be moved. Then the service still knows them at *source*.
    """
    async with AsyncExitStack() as opened:
        target = await open_blobs(settings.archive_url)
        if target is not None:
            opened.push_async_callback(target.close)
        asked = msgspec.structs.replace(settings, archive_url=source)
        stores = await opened.enter_async_context(await connect(asked, anywhere=True))
        if stores.blobs is None:
            raise StartupRefused("Give --from the address of a store of archives: what is in the store itself needs no --from.")
        count = failed = 0
        async for match_id, name in outside(stores.archives, stores.events):
            try:
                count += await _move(stores, stores.blobs, target, match_id, name)
            except (CorruptHistory, VersionConflict) as error:
                log.error("moving an archive failed", match=match_id, reason=str(error))
                failed += 1
        if target is not None and not failed:
            await PlacedBlobs(target).take(stores.archives)
    say(f"{count} archives moved.")
    if failed:
        say(f"{failed} archives were not moved: the log says which, and why. Mend them, and give the command again.")
    return failed


async def go_on_without(settings: Settings) -> None:
    """Take the place where new archives are put as it is: what it lacks is lost."""
    async with AsyncExitStack() as opened:
        blobs = await open_blobs(settings.archive_url)
        if blobs is None:
            raise StartupRefused("Let TAFELRUNDE_ARCHIVE_URL name the place where new archives are put.")
        opened.push_async_callback(blobs.close)
        stores = await opened.enter_async_context(await connect(settings, anywhere=True))
        await PlacedBlobs(blobs).take(stores.archives)


async def _move(stores: Stores, source: BlobStore, target: BlobStore | None, match_id: MatchId, name: str) -> bool:
    """Move one archive; False if it is in its place already. To another store of archives it keeps its key."""
    if target is None:
        await Archiver(stores.archives).archive(match_id)
        return True
    if await target.get(key := key_of(match_id, name)) is not None:
        return False
    if (blob := await source.get(key)) is None:
        raise CorruptHistory(f"the archive of {match_id} is in neither of the two stores")
    unpack(match_id, blob)
    await target.put(key, blob)
    return True


async def restore(settings: Settings, match_id: MatchId) -> bool:
    """Put a match of a deployment back into its log; False if it is not archived. Raises NotFound."""
    async with open_application(settings) as application:
        return await application.finalizer.restore(match_id)
