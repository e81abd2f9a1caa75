"""State: what is true of a table or a match. domain/fields.py says how its fields are declared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from .fields import StateType, write_methods


class State(metaclass=StateType):
    """What is true of something, changed in place. Its fields are declared as annotations."""

    @classmethod
    def __init_subclass__(cls) -> None:
        """Write `copy` and `digest_form` for a class, unless it has its own."""
        write_methods(cls)

    def copy(self) -> Self:
        """Return an independent state: its lists, dicts, sets and states are its own."""
        raise NotImplementedError("a state without fields has no copy")

    def digest_form(self) -> Mapping[str, object]:
        """Return what the digests in logs are made of, by stored name; equal for equal states. Stored: never rename.

        A field that is renamed keeps its stored name by `stored(name=...)`. A new one is `Derived`: old logs have digests without
        it. Lists are those of the state itself.
        """
        raise NotImplementedError("a state without fields has no digest")
