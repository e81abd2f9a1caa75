"""How much a test tries: little in CI, much with `--hypothesis-profile=thorough`, as Hypothesis itself."""

from __future__ import annotations

from hypothesis import settings


def tries(few: int, many: int) -> int:
    """Return how often something is tried: a few times, or many times in the thorough profile."""
    return many if settings.get_current_profile_name() == "thorough" else few
