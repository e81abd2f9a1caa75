"""Records of stored matches, from the store that the environment names."""

from __future__ import annotations

from collections.abc import Callable

from .....domain.match import MatchId
from .....service.features.records.export import MatchRecords
from .....service.settings import Settings
from ...stored import ask_store


def read_stored(match: str, settings: Callable[[], Settings]) -> list[bytes]:
    """Return the lines of the record of a stored match; raise NotFound if it is not there or not over."""
    return ask_store(settings, lambda application: application.get(MatchRecords).export(MatchId(match)))
