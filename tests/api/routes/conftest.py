from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.over_sockets import OverSockets
from tests.support.table import Table, opened

BOTH_WAYS = {"test_play", "test_time_travel", "test_left_matches", "test_seat_tokens", "test_corrections", "test_branches"}
"""Tests of what a socket can be asked as well."""
OF_HTTP = {
    "test_view_is_refused_at_what_is_no_cursor",
    "test_every_seat_s_view_is_open_after_the_end",
    "test_own_looks_may_not_be_kept_by_others",
}
"""Those of parameters and headers, which a frame has not."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have those tests run over both ways in."""
    both = metafunc.definition.path.stem in BOTH_WAYS and metafunc.function.__name__ not in OF_HTTP
    if both and "table" in metafunc.fixturenames:
        metafunc.parametrize("table", [Table, OverSockets], indirect=True, ids=["http", "socket"])


@pytest.fixture
async def table(request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    """A running service over stores in memory."""
    async with opened(kind=getattr(request, "param", Table)) as table:
        yield table
