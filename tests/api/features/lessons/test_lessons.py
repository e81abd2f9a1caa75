"""A lesson over HTTP: what it says, and the practice match that it is."""

from __future__ import annotations

import json

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.verify import verify
from tests.support.table import Table

pytestmark = pytest.mark.anyio

MOST = 400


async def test_lesson_says_its_lines_to_everyone(table: Table) -> None:
    """Without a token, with texts in both languages, and an entity tag."""
    for game in GAMES.values():
        answer = await table.get(f"/games/{game.id}/lesson")
        assert answer.status == 200
        assert game.lesson is not None
        told = answer.json
        assert (told["game"], told["seats"], told["seat"], told["bot"]) == (game.id, game.lesson.seats, 0, game.lesson.bot)
        assert [line["key"] for line in told["lines"]] == [line.key for line in game.lesson.lines]
        assert all(line["text"]["de"] and line["text"]["en"] for line in told["lines"])
        assert answer.header("etag")


async def test_game_without_a_lesson_has_none(table: Table) -> None:
    """The lines and the match are not found, also for a game that does not exist."""
    token = (await table.player())[1]
    for game in ("duel", "chess"):
        assert (await table.get(f"/games/{game}/lesson")).status == 404
        assert (await table.post(f"/games/{game}/lesson", token)).status == 404


async def test_lesson_is_a_practice_match_of_its_own(table: Table) -> None:
    """It runs at once against bots, is marked, unlisted and not rated, and its first deal is the same for two learners."""
    hands = []
    for _ in range(2):
        token = (await table.player())[1]
        answer = await table.post("/games/matchmaster/lesson", token)
        assert answer.status == 201
        match = answer.json["match"]
        assert (answer.header("location") or "").endswith(f"/matches/{match}")
        facts = (await table.get(f"/matches/{match}", token)).json
        assert (facts["lesson"], facts["rated"], facts["hints"], facts["visibility"]) == (True, False, True, "unlisted")
        assert (facts["status"], facts["spectators"]) == ("running", "off")
        assert [chair["bot"] for chair in facts["chairs"]] == [None, "honest", "honest"]
        hands.append((await table.view(match, token))["table"]["hand"])
    assert hands[0] == hands[1]


async def test_same_key_opens_one_lesson(table: Table) -> None:
    """A retry gets the same match; the same key for another game is refused."""
    token = (await table.player())[1]
    one = await table.post("/games/coup/lesson", token, key="k")
    again = await table.post("/games/coup/lesson", token, key="k")
    assert one.json == again.json
    assert again.header("idempotency-replayed") == "true"
    assert (await table.post("/games/mondkrone/lesson", token, key="k")).status == 422


async def test_other_matches_are_no_lessons(table: Table) -> None:
    """Their facts say so."""
    one, other = (await table.player())[1], (await table.player())[1]
    match = await table.begin(one, other)
    assert (await table.get(f"/matches/{match}", one)).json["lesson"] is False


async def played(table: Table) -> tuple[str, str]:
    """Play the lesson of Coup to its end; return the learner's token and the match."""
    token = (await table.player())[1]
    match = (await table.post("/games/coup/lesson", token)).json["match"]
    for _ in range(MOST):
        await table.application.process_manager.play_bots(MatchId(match))
        if (await table.view(match, token))["status"] != "running":
            break
        assert (await table.play(match, token)).status == 200
    assert (await table.view(match, token))["status"] == "over"
    return token, match


async def test_lesson_that_is_over_can_be_verified(table: Table) -> None:
    """As any other match: its cards follow from its secret, and its computers' answers from what they saw."""
    token, match = await played(table)
    verdict = (await table.get(f"/matches/{match}/verification", token)).json
    assert (verdict["right"], verdict["conclusion"], verdict["taken_up"]) == (True, "right", None)
    lines = await table.get(f"/matches/{match}/record", token, headers=[("Accept", "application/x-ndjson")])
    record = lines.body.splitlines(keepends=True)
    assert verify(record, GAMES).right
    assert any(json.loads(line).get("event", {}).get("type") == "match.lesson-begun.1" for line in record)
