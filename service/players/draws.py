"""Random ids and secrets, which a request with an idempotency key draws alike each time that it is carried out."""

from __future__ import annotations

import hmac
import itertools
import secrets
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DRAWN: ContextVar[Iterator[bytes] | None] = ContextVar("drawn", default=None)
_MOST_BYTES = 64


def fresh_bytes(count: int) -> bytes:
    """Return *count* random bytes, at most 64; within `drawn_from` those that its seed leads to."""
    assert count <= _MOST_BYTES, "one digest has no more"
    drawn = _DRAWN.get()
    return secrets.token_bytes(count) if drawn is None else next(drawn)[:count]


@contextmanager
def drawn_from(seed: bytes) -> Generator[None]:
    """Let all that is drawn within follow from a secret seed of 32 bytes, in order."""
    digests = (hmac.digest(seed, b"%d" % number, "sha512") for number in itertools.count())
    before = _DRAWN.set(digests)
    try:
        yield
    finally:
        _DRAWN.reset(before)
