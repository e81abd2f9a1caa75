"""Deprecated: `tafelrunde.service.application` is where this went. These names will be removed in 0.4.0."""

from __future__ import annotations

import warnings

from . import application

NAMES = {"House": "Application", "Receipt": "Receipt", "unix_ms": "unix_ms"}


def __getattr__(name: str) -> object:
    """Return what moved, with a warning."""
    if name not in NAMES:
        raise AttributeError(name)
    new = NAMES[name]
    warnings.warn(f"{__name__}.{name} is now tafelrunde.service.application.{new}", DeprecationWarning, stacklevel=2)
    return getattr(application, new)
