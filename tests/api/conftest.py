from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.table import Table, opened


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A running service over stores in memory."""
    async with opened() as table:
        yield table
