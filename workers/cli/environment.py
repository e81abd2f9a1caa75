"""What commands read from the environment: settings and a token."""

from __future__ import annotations

import os

from ...service.settings import Settings, read_settings
from ..parent_watch import end_with_parent


def settings_of(process: str) -> Settings:
    """Return the settings of a process, tied to its parent, with logging set up."""
    from ...service.runtime.logging_setup import configure

    settings = read_settings(os.environ)
    configure(settings, process)
    end_with_parent(os.environ)
    return settings


def token_of_environment() -> str | None:
    """Return the token in the environment, None if there is none or an empty one."""
    return os.environ.get("TAFELRUNDE_TOKEN", "").strip() or None
