"""The transparency log: a Merkle tree over all finished matches that anyone can check."""

from __future__ import annotations

import warnings
from importlib import import_module

CHECKS = ("check_inclusion", "check_consistency", "leaves_of")


def __getattr__(name: str) -> object:
    """Return a check from where it was before, with a warning."""
    if name not in CHECKS:
        raise AttributeError(name)
    warnings.warn(f"{__name__}.{name} is now {__name__}.checks.{name}", DeprecationWarning, stacklevel=2)
    return getattr(import_module(f"{__name__}.checks"), name)
