"""Stored matches, from the store that the environment names."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, TypeVar

from ...domain.match import MatchId
from ...service.features.records.export import MatchRecords
from ...service.settings import Settings
from .environment import run_to_end

if TYPE_CHECKING:
    from ...service.application import Application

Answer = TypeVar("Answer")


def read_stored(match: str, settings: Callable[[], Settings]) -> list[bytes]:
    """Return the lines of the record of a stored match; raise NotFound if it is not there or not over."""
    return ask_store(settings, lambda application: application.get(MatchRecords).export(MatchId(match)))


def ask_store(settings: Callable[[], Settings], question: Callable[[Application], Coroutine[None, None, Answer]]) -> Answer:
    """Return what an application over the store that the settings name answers; it is closed again."""
    from ..bootstrap import server_of

    with server_of(settings()) as connected:
        return run_to_end(_ask(connected, question))


async def _ask(settings: Settings, question: Callable[[Application], Coroutine[None, None, Answer]]) -> Answer:
    from ...service.deployment import open_application

    async with open_application(settings) as application:
        return await question(application)
