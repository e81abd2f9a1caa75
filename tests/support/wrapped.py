"""Stores of which every one is wrapped: to count its calls, to refuse them, or to cut them off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tafelrunde.service.ports.backing import Backing, StoreKind
from tafelrunde.service.ports.stores import Stores

BARE = {"id_key", "blobs", "backing"}
"""Fields that are no stores, or that are left as they are."""


class Wrapping(Backing):
    """Wraps the stores of features."""

    def __init__(self, inner: Backing, wrap: Callable[[str, object], object]) -> None:
        super().__init__()
        self._inner = inner
        self._wrap = wrap

    def store(self, name: str, makers: Mapping[StoreKind, Callable[..., object]]) -> object:
        """Return the store of that name, wrapped, the same each time."""
        wrapping = {self.kind: lambda _: self._wrap(name, self._inner.store(name, makers))}
        return super().store(name, wrapping)


def wrapped(stores: Stores, wrap: Callable[[str, object], object]) -> Stores:
    """Return stores in memory with each of them, by its name, wrapped; those of features, too."""
    parts: dict[str, Any] = {name: wrap(name, getattr(stores, name)) for name in stores.__struct_fields__ if name not in BARE}
    return msgspec.structs.replace(stores, **parts, backing=Wrapping(stores.backing, wrap))
