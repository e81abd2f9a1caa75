"""Archiving from the command line: all matches that are due, and back."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from ...domain.match import MatchId
from ...service.application import Application
from ...service.deployment import open_application
from ...service.errors import CorruptHistory, VersionConflict
from ...service.settings import Settings

log = structlog.get_logger(__name__)


async def archive_all(settings: Settings, *, dry_run: bool, say: Callable[[str], None]) -> None:
    """Archive all matches of a deployment that are due, or only list them."""
    async with open_application(settings) as application:
        await archive_ripe(application, dry_run=dry_run, say=say)


async def archive_ripe(application: Application, *, dry_run: bool, say: Callable[[str], None]) -> None:
    """Archive what is due. A match that cannot be archived stays as it is, and does not stop the others."""
    count = events = size = 0
    async for match in application.finalizer.ripe():
        if dry_run:
            say(match)
            count += 1
            continue
        try:
            archived = await application.finalizer.archive(match)
        except (CorruptHistory, VersionConflict) as error:
            log.error("archiving failed", match=match, reason=str(error))
            continue
        count, events, size = count + 1, events + archived.events, size + archived.size
    say(f"{count} matches would be archived." if dry_run else f"{count} matches archived: {events} events in {size} bytes.")


async def restore(settings: Settings, match: MatchId) -> bool:
    """Put a match of a deployment back into its log; False if it is not archived. Raises NotFound."""
    async with open_application(settings) as application:
        return await application.finalizer.restore(match)
