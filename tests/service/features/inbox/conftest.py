from __future__ import annotations

import pytest

from tafelrunde.service.ports.stores import Stores


@pytest.fixture(params=("memory_stores", "redis_stores"))
def stores(request: pytest.FixtureRequest) -> Stores:
    """Empty stores, in memory and on a server."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Stores)
    return found
