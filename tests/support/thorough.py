"""How much a test tries, as in the suites over all games, and whether it runs on every kind of server."""

from __future__ import annotations

import pytest

from tafelrunde.testing.suites.thorough import some, tries

__all__ = ["everywhere", "some", "tries"]


def everywhere(config: pytest.Config) -> bool:
    """Return whether tests run on every kind of server, rather than on some of them."""
    return tries(1, 2) == 2 or config.getoption("--deployments") is True
