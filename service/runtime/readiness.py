"""Whether a process is ready: its store accepts commands, and sweepers and workers are alive."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeAlias

from ..errors import StoreUnavailable

FRESH_SECONDS = 1.0
"""How long an answer is reused: readiness costs the store one query a second, for any number of callers."""
MISSING_SECONDS = 0.1
"""The same for an answer that something is missing: while a deployment starts, that is soon over, in every process of it."""
ANSWER_SECONDS = 2.0
SILENT = "The store does not answer."

Attendance: TypeAlias = Callable[[], Awaitable[str]]
"""Returns a sentence about who is missing; nothing if sweepers and workers are alive."""


class Readiness:
    """Reports what is missing. Without *attendance*, the caller runs bots and clocks itself (an embedding host)."""

    def __init__(self, require_writable: Callable[[], Awaitable[None]], attendance: Attendance | None = None) -> None:
        self._require_writable = require_writable
        self._attendance = attendance
        self._attending = 0
        self._look: asyncio.Task[str] | None = None
        self._until = float("-inf")

    async def missing(self) -> str:
        """Return a sentence about what is missing, a tenth of a second old at most; nothing if nothing was a second ago."""
        loop = asyncio.get_running_loop()
        look = self._look
        if look is None or look.get_loop() is not loop or (look.done() and loop.time() >= self._until):
            look = self._look = loop.create_task(self._check())
        return await asyncio.shield(look)

    @contextmanager
    def attended_here(self) -> Generator[None]:
        """Count this process as the one that sweeps and works meanwhile; several blocks may overlap."""
        self._attending += 1
        try:
            yield
        finally:
            self._attending -= 1

    async def _check(self) -> str:
        missing = SILENT
        try:
            missing = await self._missing()
        finally:
            self._until = asyncio.get_running_loop().time() + (MISSING_SECONDS if missing else FRESH_SECONDS)
        return missing

    async def _missing(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._require_writable()
                return "" if self._attendance is None or self._attending else await self._attendance()
        except StoreUnavailable as error:
            return f"The store refuses writes: {error.refusal}." if error.refusal else SILENT
        except TimeoutError:
            return SILENT
