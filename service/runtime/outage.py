"""An outage in the log: one line when it begins, one when its reason changes, one when it is over."""

from __future__ import annotations

import time

import structlog
from redis.exceptions import RedisError

from ..errors import StoreUnavailable
from ..redis_store.refusals import refusal_of

log = structlog.get_logger(__name__)


class Outage:
    """Logs when one thing is unavailable: few lines, however often that is noticed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._reason: str | None = None
        self._began = 0.0

    def note(self, error: Exception) -> None:
        """Record that it is unavailable; logged once per reason."""
        reason = _reason(error)
        if self._reason is None:
            self._began = time.monotonic()
        if reason != self._reason:
            self._reason = reason
            log.warning(f"{self.name} unavailable", error=type(error).__name__, reason=reason)

    def over(self) -> None:
        """Record that it is available; logged once after each outage."""
        if self._reason is not None:
            self._reason = None
            log.info(f"{self.name} available again", seconds=round(time.monotonic() - self._began, 1))


def _reason(error: Exception) -> str:
    """Return the server's own error, or that there was no answer: how that was noticed differs from try to try."""
    refusal = error.refusal if isinstance(error, StoreUnavailable) else refusal_of(error) if isinstance(error, RedisError) else ""
    return refusal or "no answer"
