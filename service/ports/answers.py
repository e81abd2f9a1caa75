"""Answers that are kept for requests that come again: what they need of a store."""

from __future__ import annotations

from typing import Protocol


class AnswerStore(Protocol):
    """Bytes at places, each for a time (milliseconds). Every method may raise StoreUnavailable."""

    async def claim(self, place: str, claim: bytes, now_ms: int, lease_ms: int) -> bytes | None:
        """Put a claim where nothing is, and return None; or return what is there. In one step, safe to repeat."""
        ...

    async def keep(self, place: str, answer: bytes, now_ms: int, keep_ms: int) -> None:
        """Put an answer in place of what is there."""
        ...

    async def release(self, place: str, claim: bytes) -> None:
        """Clear a place if that claim is still there."""
        ...
