"""Random ids and secrets, which a request with an idempotency key draws alike each time that it is carried out."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_MOST_BYTES = 64


class Draws:
    """Digests that follow from a secret seed, in order, and how many of them were drawn."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.count = 0

    def next(self) -> bytes:
        """Return the next digest, of 64 bytes."""
        digest = hmac.digest(self._seed, b"%d" % self.count, "sha512")
        self.count += 1
        return digest


_DRAWS: ContextVar[Draws | None] = ContextVar("draws", default=None)


def fresh_bytes(count: int) -> bytes:
    """Return *count* random bytes, at most 64; within `drawn_from` those that its seed leads to."""
    assert count <= _MOST_BYTES, "one digest has no more"
    draws = _DRAWS.get()
    return secrets.token_bytes(count) if draws is None else draws.next()[:count]


@contextmanager
def drawn_from(seed: bytes) -> Generator[Draws]:
    """Let all that is drawn within follow from a secret seed of 32 bytes, in order."""
    draws = Draws(seed)
    before = _DRAWS.set(draws)
    try:
        yield draws
    finally:
        _DRAWS.reset(before)
