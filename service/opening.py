"""Deprecated: `tafelrunde.service.matches.setup` is where this went. These names will be removed in 0.4.0."""

from __future__ import annotations

import warnings

from .matches import setup

NAMES = {"NewMatch": "NewMatch"}


def __getattr__(name: str) -> object:
    """Return what moved, with a warning."""
    if name not in NAMES:
        raise AttributeError(name)
    new = NAMES[name]
    warnings.warn(f"{__name__}.{name} is now tafelrunde.service.matches.setup.{new}", DeprecationWarning, stacklevel=2)
    return getattr(setup, new)
