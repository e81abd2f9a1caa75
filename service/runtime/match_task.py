"""The work of one match that has come due, in a worker or in the process of a host."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from ...domain.match import MatchId
from .. import tracing
from ..errors import NotFound, StoreUnavailable, VersionConflict
from ..failures import Failures
from ..ports.agenda import Agenda, AgendaKind
from .consumer import is_cancelled

REST_MS = 10_000
"""How long a match is left alone after an error in this code."""

LIMIT_SECONDS = 20.0
"""How long the work of a match may take."""

log = structlog.get_logger(__name__)


async def run_limited(work: Awaitable[object]) -> None:
    """Do some work for at most `LIMIT_SECONDS`; raise TimeoutError."""
    async with asyncio.timeout(LIMIT_SECONDS):
        await work


async def attempt(
    work: Awaitable[object],
    match_id: MatchId,
    kind: AgendaKind,
    agenda: Agenda,
    now_ms: Callable[[], int],
    failures: Failures,
) -> None:
    """Do the work of a match; nothing but a cancellation is raised.

    What fails because of the store is offered again when its lease has run out; what fails because of this code, or takes too
    long, after a rest, which is long if it has failed many times. When the match changes, it is offered at once.
    """
    rest_ms = 0
    try:
        with tracing.span("job", {"tafelrunde.job": kind.value, "tafelrunde.match": match_id}, kind=tracing.CONSUMER):
            await work
    except StoreUnavailable as error:
        log.warning("match task will be retried", match=match_id, kind=kind.value, error=type(error).__name__)
    except (VersionConflict, NotFound) as error:
        log.warning("match task will be retried", match=match_id, kind=kind.value, error=type(error).__name__)
        rest_ms = await failures.note(kind.value, match_id, error, 0, quiet=True)
    except TimeoutError as error:
        log.warning("match task took too long", match=match_id, kind=kind.value, seconds=LIMIT_SECONDS)
        rest_ms = await failures.note(kind.value, match_id, error, REST_MS, quiet=True)
    except (Exception, asyncio.CancelledError) as error:
        if is_cancelled(error):
            raise
        rest_ms = await failures.note(kind.value, match_id, error, REST_MS)
    else:
        await failures.clear(kind.value, match_id)
    if rest_ms:
        with suppress(StoreUnavailable):
            await agenda.postpone(kind, match_id, now_ms() + rest_ms)
