"""Blobs in memory."""

from __future__ import annotations

from collections.abc import Sequence


class MemoryBlobs:
    """Blobs in a dict."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}

    async def make(self) -> None:
        """Make nothing."""

    async def check(self) -> None:
        """Check nothing: memory always takes blobs."""

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob, unless the key has one."""
        self.blobs.setdefault(key, blob)

    async def get(self, key: str) -> bytes | None:
        return self.blobs.get(key)

    async def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self.blobs.pop(key, None)

    async def close(self) -> None:
        """Close nothing."""
