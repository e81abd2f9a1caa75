"""Heartbeats: a key per host and kind of process that expires unless it is renewed, for health checks."""

from __future__ import annotations

import socket
import time
from typing import Literal, TypeAlias

from redis import Redis

Role: TypeAlias = Literal["worker", "sweeper"]

LIFE_SECONDS = 15
LEAST_SECONDS = 4.0


class Heartbeat:
    """The heartbeat of this process; `beat` may be called at any rate."""

    def __init__(self, client: Redis, role: Role) -> None:
        self._client = client
        self._key = _key(role)
        self._last = float("-inf")

    def beat(self) -> None:
        """Renew the key, at most every four seconds. Raises RedisError."""
        now = time.monotonic()
        if now - self._last >= LEAST_SECONDS:
            self._client.set(self._key, 1, ex=LIFE_SECONDS)
            self._last = now


def alive(client: Redis, role: Role) -> bool:
    """Return whether a process of that kind on this host has sent a heartbeat recently."""
    return bool(client.exists(_key(role)))


def _key(role: Role) -> str:
    return f"alive:{role}:{socket.gethostname()}"
