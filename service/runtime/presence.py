"""Presence: a key on the server of the job queues for sweepers and for each queue, renewed by the processes that serve it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from redis import Redis

from .queue_names import MATCHES_NEED

SWEEPER = "sweeper"
NEEDED = (SWEEPER, *(name.value for name in MATCHES_NEED))
"""The roles that processes must fill, so that no match stands still."""
GONE_SECONDS = 20
BEAT_SECONDS = 4.0


class Presence:
    """Announces that this process fills some of these roles; `renew` may be called at any rate."""

    def __init__(self, client: Redis, names: Sequence[str]) -> None:
        self._client = client
        self._names = names
        self._last = float("-inf")

    def renew(self) -> None:
        """Announce it, at most every four seconds. Raises RedisError."""
        now = time.monotonic()
        if now - self._last >= BEAT_SECONDS:
            with self._client.pipeline(transaction=False) as pipeline:  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
                for name in self._names:
                    pipeline.set(_key(name), 1, ex=GONE_SECONDS)
                pipeline.execute()
            self._last = now


def unattended_roles(client: Redis) -> list[str]:
    """Return the roles that no process has filled for `GONE_SECONDS`. Raises RedisError."""
    with client.pipeline(transaction=False) as pipeline:  # pyright: ignore[reportUnknownMemberType] - a keyword is untyped
        for name in NEEDED:
            pipeline.exists(_key(name))
        return [name for name, found in zip(NEEDED, pipeline.execute(), strict=True) if not found]


def _key(name: str) -> str:
    return f"present:{name}"
