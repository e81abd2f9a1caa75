"""Settings from the environment: those of the core, its limits, and those of all features."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from .features.registry import FEATURES
from .settings import LimitSettings, Settings, read

KINDS: tuple[type[msgspec.Struct], ...] = (
    Settings,
    LimitSettings,
    *(each.settings for each in FEATURES if each.settings is not None),
)
"""All classes of settings. No two have a field of the same name."""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that *environment* gives; raise StartupRefused naming a wrong variable."""
    return read(environment, KINDS[2:])
