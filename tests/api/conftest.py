from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.fixed_chance import fixed_chance
from tests.support.table import Table, opened


@pytest.fixture(autouse=True)
def same_matches(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is dealt in a test is the same in every run."""
    with fixed_chance(request.node.nodeid):
        yield


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A running service over stores in memory."""
    async with opened() as table:
        yield table
