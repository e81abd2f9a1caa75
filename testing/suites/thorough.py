"""How much a test tries: little in CI, much with `--hypothesis-profile=thorough`, as Hypothesis itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

Element = TypeVar("Element")


def tries(few: int, many: int) -> int:
    """Return how often something is tried: a few times, or many times in the thorough profile."""
    return many if settings.get_current_profile_name() == "thorough" else few


def some(found: Sequence[Element], most: int = 20) -> Sequence[Element]:
    """Return all of a few things, the same random ones of many; all of them in the thorough profile."""
    return found if len(found) <= tries(most, len(found)) else random.Random(len(found)).sample(found, most)
