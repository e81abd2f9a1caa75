"""What commands find where they run: settings, games and a token."""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ...service import tracing
from ...service.settings import Settings
from ..parent_watch import end_with_parent, is_supervised

if TYPE_CHECKING:
    from ...service.games import Games

Result = TypeVar("Result")
TRACED = {"api", "sweeper", "worker"}
"""The processes that send traces, of whatever number. `serve` forks them, which no exporter's thread would survive."""


def settings_of(process: str) -> Settings:
    """Return the settings of a process, tied to its parent, with logging set up."""
    with _hide("rich"):  # structlog would import it for tracebacks that are never printed: a tenth of a start
        from ...service.environment import read_settings, warn_of_strangers  # features import what they need
        from ...service.runtime.logging_setup import configure

    settings = read_settings(os.environ)
    configure(settings, process)
    if not is_supervised(os.environ):  # `serve` has said it already
        warn_of_strangers(os.environ)
    if settings.otel and process.partition("-")[0] in TRACED:
        tracing.export(process)
    end_with_parent(os.environ)
    return settings


@contextmanager
def _hide(module: str) -> Generator[None]:
    """Let imports not find a module that was not imported before."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # pyright: ignore[reportArgumentType] - the import system's way to say that there is none
    try:
        yield
    finally:
        del sys.modules[module]


def run_to_end(work: Coroutine[None, None, Result]) -> Result:
    """Return the result of *work*, run to its end on an event loop of its own."""
    import asyncio

    return asyncio.run(work)


def token_of_environment() -> str | None:
    """Return the token in the environment, None if there is none or an empty one."""
    return os.environ.get("TAFELRUNDE_TOKEN", "").strip() or None


def names_of_games() -> str:
    """Return the names of games of other packages in the environment, as TAFELRUNDE_GAMES has them."""
    return os.environ.get("TAFELRUNDE_GAMES", "")


def games_of_environment() -> Games:
    """Return the games that commands without other settings know; raise StartupRefused as `games_of` does."""
    from ...service.games import games_of

    return games_of(names_of_games())
