"""Schemathesis against a running service: every answer is as the contract promises, for any request in any role."""

from __future__ import annotations

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.views.feeds import Cursor, FeedPage
from tafelrunde.service.views.queries import MatchQueries
from tafelrunde.service.views.viewers import Viewer
from tests.support.roles import ROLES, world
from tests.support.served import service
from tools.fuzz import cases, fuzz

WHOLLY = ("--max-examples", "1")
"""One example of each request besides all bounds and examples: `make fuzz` tries many."""
BRIEFLY = (*WHOLLY, "--phases", "fuzzing,stateful")


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_running_service_keeps_its_contract(role: str) -> None:
    """All checks, links followed; the checks include every example and every bound. Streams are excluded, as they do not end."""
    wholly = role == "operator"
    with service() as running:
        told = fuzz(running.url, role, world(running), 1, WHOLLY if wholly else BRIEFLY)
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful") if wholly else ("Fuzzing", "Stateful"):
        assert f"✅ {phase}" in told, told[-3_000:]
    assert cases(told) > (2_000 if wholly else 50)


@pytest.mark.slow
def test_fault_is_found_when_it_is_planted_behind_a_place_in_a_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requests reach existing resources, and an undocumented answer is detected."""
    with service() as running:
        found = world(running)
        feed = MatchQueries.feed

        async def broken(queries: MatchQueries, viewer: Viewer, match: MatchId, after: Cursor | None, limit: int) -> FeedPage:
            page = await feed(queries, viewer, match, after, limit)
            assert after is None, "planted"
            return page

        monkeypatch.setattr(MatchQueries, "feed", broken)
        with pytest.raises(SystemExit, match="Server error"):
            fuzz(
                running.url,
                "player",
                found,
                1,
                ("--max-examples", "25", "--phases", "fuzzing", "--include-operation-id", "getFeed"),
            )
