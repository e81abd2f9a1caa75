"""Records and verdicts over HTTP."""

from __future__ import annotations

import json

import pytest

from tafelrunde.service.verify import verify
from tafelrunde.workers.proving import lines_of
from tests.api.table import GAMES, Table

pytestmark = pytest.mark.anyio

LINES = [("Accept", "application/x-ndjson")]


async def finished(table: Table, **wishes: object) -> tuple[str, str]:
    """Return a match of Duel that is over, and the token of one of its players."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, **wishes)
    await table.finish(match, one, other)
    return match, one


async def test_record_has_two_forms_with_the_same_lines(table: Table) -> None:
    """A document, and lines; both are found right."""
    match, token = await finished(table)
    document = await table.get(f"/matches/{match}/record", token)
    lines = await table.get(f"/matches/{match}/record", token, headers=LINES)
    assert (document.status, document.header("content-type")) == (200, "application/json")
    assert (lines.status, lines.header("content-type")) == (200, "application/x-ndjson")
    assert lines_of(document.body) == lines_of(lines.body)
    assert verify(lines_of(lines.body), GAMES).finding is None
    assert [json.loads(line)["line"] for line in lines.body.splitlines()][-2:] == ["end", "sum"]


async def test_verification_tells_what_was_checked(table: Table) -> None:
    """All is right, again and again."""
    match, token = await finished(table)
    first, again = [await table.get(f"/matches/{match}/verification", token) for _ in range(2)]
    assert first.body == again.body
    assert (first.json["right"], first.json["finding"], first.json["match"]) == (True, None, match)
    assert first.json["entries"] > first.json["commands"] > 0


@pytest.mark.parametrize("what", ["record", "verification"])
async def test_nothing_is_told_before_the_end(what: str, table: Table) -> None:
    """Not to the players, nor to those who watch, nor to anybody who may not."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, spectators="public")
    for token in (one, other, None):
        answer = await table.get(f"/matches/{match}/{what}", token)
        assert (answer.status, answer.json["type"]) == (409, "/problems/not-over")
    hidden = await table.begin(one, other)
    assert (await table.get(f"/matches/{hidden}/{what}")).json["type"] in {"/problems/not-found", "/problems/spectators-off"}


async def test_record_of_a_match_that_nobody_may_watch_is_for_its_players(table: Table) -> None:
    """Spectators are off: they stay off after the end."""
    match, token = await finished(table)
    assert (await table.get(f"/matches/{match}/record", token)).status == 200
    assert (await table.get(f"/matches/{match}/record")).status in {403, 404}
