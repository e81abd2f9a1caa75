"""What has to be done over and over in a process that is sweeper and worker at once, none of it in the way of the rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

import structlog

from ...domain.match import MatchId
from ..errors import NotFound, StoreUnavailable, VersionConflict
from ..ports.agenda import Agenda, AgendaKind

PAGE = 100
REST_MS = 10_000
"""How long a match, or a duty, is left alone after an error in this code."""

Duty: TypeAlias = Callable[[], Awaitable[object]]
Work: TypeAlias = Callable[[MatchId], Awaitable[object]]

log = structlog.get_logger(__name__)


class Duties:
    """Does duties in turns. A duty or a match that fails does not keep the others from theirs."""

    def __init__(self, agenda: Agenda, now_ms: Callable[[], int], lease_ms: int) -> None:
        self._agenda = agenda
        self._now_ms = now_ms
        self._lease_ms = lease_ms
        self._resting: dict[str, int] = {}

    async def round(self, duties: Mapping[str, Duty]) -> None:
        """Do every duty once, but for those that rest."""
        for name, duty in duties.items():
            if self._resting.get(name, 0) <= self._now_ms():
                await self._do(name, duty)

    def sweep(self, kind: AgendaKind, work: Work) -> Duty:
        """Return the duty to do the work of all matches that are due."""

        async def duty() -> None:
            for match, _ in (await self._agenda.claim(kind, self._now_ms(), self._lease_ms, PAGE)).due:
                await self._tend(kind, match, work)

        return duty

    async def _do(self, name: str, duty: Duty) -> None:
        try:
            await duty()
        except StoreUnavailable as error:
            log.warning("background duty: store unavailable", kind=name, error=type(error).__name__)
        except Exception as error:
            log.exception("background duty failed", kind=name, error=type(error).__name__)
            self._resting[name] = self._now_ms() + REST_MS

    async def _tend(self, kind: AgendaKind, match: MatchId, work: Work) -> None:
        """Do the work of a match. What fails because of the server is offered again; what fails because of us, after a rest."""
        try:
            await work(match)
        except (StoreUnavailable, VersionConflict, NotFound) as error:
            log.warning("match task will be retried", match=match, kind=kind.value, error=type(error).__name__)
        except Exception as error:
            log.exception("match task failed", match=match, kind=kind.value, error=type(error).__name__)
            await self._agenda.postpone(kind, match, self._now_ms() + REST_MS)
