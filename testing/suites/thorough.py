"""How much a test tries: little in CI, much with `--hypothesis-profile=thorough`, as Hypothesis itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

from ...domain.game import AnyGame

Element = TypeVar("Element")


def tries(few: int, many: int) -> int:
    """Return how often something is tried: a few times, or many times in the thorough profile."""
    return many if settings.get_current_profile_name() == "thorough" else few


def seat_counts(game: AnyGame) -> Sequence[int]:
    """Return the fewest seats of a game, the most, and a number between; all of them in the thorough profile."""
    counts = range(game.min_seats, game.max_seats + 1)
    return counts if tries(1, 2) == 2 else sorted({counts[0], counts[len(counts) // 2], counts[-1]})


def some(found: Sequence[Element], most: int = 20) -> Sequence[Element]:
    """Return all of a few things, the same random ones of many; all of them in the thorough profile."""
    return found if len(found) <= tries(most, len(found)) else random.Random(len(found)).sample(found, most)
