"""How much a test tries, as in the suites over all games, and whether it runs on every kind of server."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import AnyGame
from tafelrunde.testing.suites.thorough import some, tries

__all__ = ["everywhere", "seat_counts", "some", "tries"]


def seat_counts(game: AnyGame) -> Sequence[int]:
    """Return the fewest seats of a game, the most, and a number between; all of them in the thorough profile."""
    counts = range(game.min_seats, game.max_seats + 1)
    return counts if tries(1, 2) == 2 else sorted({counts[0], counts[len(counts) // 2], counts[-1]})


def everywhere(config: pytest.Config) -> bool:
    """Return whether tests run on every kind of server, rather than on some of them."""
    return tries(1, 2) == 2 or config.getoption("--deployments") is True
