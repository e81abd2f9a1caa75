"""Which browser to measure in."""

from __future__ import annotations

import os
import shutil


def browser_here() -> str | None:
    """Return the path of a Chromium, None if there is none; one with windows paints as people's browsers do."""
    known = ("chromium", "chromium-browser", "chromium-headless-shell")
    return os.environ.get("CHROMIUM") or next((found for name in known if (found := shutil.which(name))), None)
