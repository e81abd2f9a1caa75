"""A rule changes while finished matches are kept: every reader gets the same bytes as before."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.table import Table

pytestmark = pytest.mark.anyio

MATCHMASTER = GameId("matchmaster")


def forget(table: Table) -> None:
    """Drop everything in memory, as a restart would."""
    table.application.repository._loaded.clear()
    table.application.feeds._feeds.clear()
    table.application.card_proofs._card_proofs.clear()


async def told(table: Table, match: str, *tokens: str) -> list[bytes]:
    """Return everything that seats and spectators see of a match."""
    paths = ["", "/view", "/feed?limit=500", "/proofs", "/record"]
    found = [await table.get(f"/matches/{match}{path}", token) for path in paths for token in (*tokens, None)]
    assert {answer.status for answer in found} == {200}
    return [answer.body for answer in found]


@pytest.mark.parametrize("archived", [False, True])
async def test_finished_match_is_reported_as_before(table: Table, monkeypatch: pytest.MonkeyPatch, archived: bool) -> None:
    """Facts, views, feeds, proofs, the record; from the log and from the archive. The verification names the difference."""
    one, other = (await table.player())[1], (await table.player())[1]
    match = await table.begin(one, other, game="matchmaster", spectators="public", options={"first_dealer": 0})
    await table.finish(match, one, other)
    if archived:
        assert (await table.application.finalizer.archive(MatchId(match))).events > 100
    before = await told(table, match, one, other)
    forget(table)
    facts_of(MATCHMASTER).changed_rule(monkeypatch)
    assert await told(table, match, one, other) == before
    found = (await table.get(f"/matches/{match}/verification", one)).json
    assert (found["right"], found["finding"]["what"]) == (False, "the event that the rules give")


async def test_match_of_other_rules_is_undecided(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule change gets a new version: matches played before are called neither wrong nor right."""
    one, other = (await table.player())[1], (await table.player())[1]
    match = await table.begin(one, other, game="matchmaster", options={"first_dealer": 0})
    await table.finish(match, one, other)
    forget(table)
    facts_of(MATCHMASTER).changed_rule(monkeypatch)
    monkeypatch.setattr(type(GAMES[MATCHMASTER]), "rules_version", 99)
    found = (await table.get(f"/matches/{match}/verification", one)).json
    assert (found["right"], found["conclusion"], found["finding"], found["taken_up"]) == (False, "undecided", None, None)
