"""What the stores of a deployment stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum


class StoreKind(Enum):
    """Where a bundle of stores has its data."""

    MEMORY = "memory"
    REDIS = "redis"


class Backing:
    """What all stores of one deployment stand on: its server, or the memory of this process. It has the stores of features."""

    kind = StoreKind.MEMORY

    def __init__(self) -> None:
        self._stores: dict[str, object] = {}

    def store(self, name: str, makers: Mapping[StoreKind, Callable[..., object]]) -> object:
        """Return the one store of that name, made when it is first requested: by the maker of this kind, with this backing."""
        if name not in self._stores:
            self._stores[name] = makers[self.kind](self)
        return self._stores[name]
