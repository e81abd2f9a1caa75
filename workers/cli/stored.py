"""What is asked of an application over the store that the environment names."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, TypeVar

from .environment import run_to_end

if TYPE_CHECKING:
    from ...service.application import Application
    from ...service.settings import Settings

Answer = TypeVar("Answer")


def ask_store(settings: Callable[[], Settings], question: Callable[[Application], Coroutine[None, None, Answer]]) -> Answer:
    """Return what an application over the store that the settings name answers; it is closed again."""
    from ..bootstrap import server_of

    with server_of(settings()) as connected:
        return run_to_end(_ask(connected, question))


async def _ask(settings: Settings, question: Callable[[Application], Coroutine[None, None, Answer]]) -> Answer:
    from ...service.deployment import open_application

    async with open_application(settings) as application:
        return await question(application)
