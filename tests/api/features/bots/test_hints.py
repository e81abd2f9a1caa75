"""Hints over HTTP: only from what the seat may see, and kept in the log."""

from __future__ import annotations

from typing import Any

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.table import Table

pytestmark = pytest.mark.anyio


async def practice(table: Table, game: str, seats: int, **wishes: Any) -> tuple[str, str]:
    """Return a match against bots that has begun, and the token of its only player."""
    token = (await table.player())[1]
    bots = [{"seat": seat, "bot": "random"} for seat in range(1, seats)]
    wish = {"game": game, "seats": seats, "bots": bots, "start": True, "clock": {"turn_seconds": 600}, **wishes}
    return (await table.post("/matches", token, wish)).json["match"], token


async def asked(table: Table, match: str, token: str) -> Any:
    """Let the bots play until the player is asked, and return the question."""
    await table.play_bots(match)
    return (await table.get(f"/matches/{match}/view", token)).json["question"]


@pytest.mark.parametrize("game", GAMES)
async def test_hint_weighs_the_legal_moves(table: Table, game: GameId) -> None:
    """Every move of a hint is legal now, and the one put first was tried in as many worlds as any other."""
    match, token = await practice(table, game, GAMES[game].min_seats, hints=True)
    question = await asked(table, match, token)
    hint = (await table.get(f"/matches/{match}/hint", token)).json
    assert (hint["decision"], hint["seat"]) == (question["decision"], 0)
    assert all(move["command"] in question["legal"] for move in hint["moves"])
    assert hint["moves"][0]["worlds"] >= max(move["worlds"] for move in hint["moves"])


async def test_match_with_hints_is_not_rated(table: Table) -> None:
    """Ratings are for what players find by themselves."""
    match, token = await practice(table, "coup", 2, hints=True)
    assert not (await table.get(f"/matches/{match}", token)).json["rated"]


async def test_hint_is_refused_where_there_are_none(table: Table) -> None:
    """A match without hints, and a seat that is not asked, get a reason."""
    match, token = await practice(table, "coup", 2)
    answer = await table.get(f"/matches/{match}/hint", token)
    assert (answer.status, answer.json["code"]) == (409, "match.no-hints")


async def test_hint_that_was_taken_is_in_one_s_own_feed(table: Table) -> None:
    """The log keeps it, once for a decision."""
    match, token = await practice(table, "mondkrone", 2, hints=True)
    question = await asked(table, match, token)
    for _ in range(2):
        await table.get(f"/matches/{match}/hint", token)
    items = (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]
    taken = [item["event"] for item in items if item["event"]["type"] == "match.hint-taken.1"]
    assert taken == [{"type": "match.hint-taken.1", "seat": 0, "decision": question["decision"]}]
