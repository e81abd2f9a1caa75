"""Records of stored matches, from the store that the environment names."""

from __future__ import annotations

from collections.abc import Callable

from ...domain.match import MatchId
from ...service.settings import Settings
from .environment import completed


def stored(match: str, settings: Callable[[], Settings]) -> list[bytes]:
    """Return the lines of the record of a stored match; raise NotFound if it is not there or not over."""
    from ..bootstrap import server_of

    with server_of(settings()) as connected:
        return completed(_record_of(connected, MatchId(match)))


async def _record_of(settings: Settings, match: MatchId) -> list[bytes]:
    from ...service.deployment import open_application

    async with open_application(settings) as application:
        return await application.records.export(match)
