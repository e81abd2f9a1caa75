"""What the stores of a deployment stand on."""

from __future__ import annotations

from collections.abc import Callable


class Backing:
    """What all stores of one deployment stand on: its server, or the memory of this process. It has the stores of features."""

    def __init__(self) -> None:
        self._stores: dict[str, object] = {}

    def store(self, name: str, make: Callable[[], object]) -> object:
        """Return the one store of that name, made when it is first asked for."""
        if name not in self._stores:
            self._stores[name] = make()
        return self._stores[name]
