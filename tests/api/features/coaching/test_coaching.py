"""Coaching over HTTP: asked for once, made in the background, and only once the match is over."""

from __future__ import annotations

from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.coaching.feature import STORE
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio


async def finished(table: Table, **wishes: Any) -> tuple[str, str, str]:
    """Play a match of Coup to its end; return it and the tokens of its players."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, game="coup", options={"first_seat": 0}, **wishes)
    await table.finish(match, one, other)
    return match, one, other


async def made(table: Table, match: str) -> None:
    """Let the coach work until it has found everything."""
    while await table.application.get(Coach).work(MatchId(match)):
        pass


async def test_coaching_is_made_in_the_background_and_kept(table: Table) -> None:
    """Asked for, it is being made; later it is there, and asking again changes nothing."""
    match, one, _ = await finished(table)
    path = f"/matches/{match}/coaching"
    assert (await table.get(path, one)).status == 404
    for answer in (await table.post(path, one, key=None), await table.get(path, one)):
        assert (answer.status, answer.header("retry-after")) == (202, "1")
        assert (answer.json["whole"], answer.json["line"], answer.json["puzzles"]) == (False, [], [])
    await made(table, match)
    ready = await table.get(path, one)
    assert (ready.status, ready.json["whole"], ready.json["seat"]) == (200, True, 0)
    assert (await table.post(path, one, key=None)).json == ready.json
    assert ready.json["line"]
    for puzzle in ready.json["puzzles"]:
        assert puzzle["played"] in puzzle["legal"]
        assert puzzle["moves"][0]["command"] in puzzle["legal"]
        assert puzzle["view"]["seat"] == 0
        assert puzzle["prompt"]["text"]["de"]
        assert [each["seat"] for each in puzzle["held"]] == [1]


async def test_coaching_is_about_one_s_own_seat_unless_another_is_asked_for(table: Table) -> None:
    """Each player has their own by default; a spectator says which."""
    match, one, other = await finished(table, spectators="public")
    path = f"/matches/{match}/coaching"
    assert (await table.post(path, other, key=None)).json["seat"] == 1
    assert (await table.get(path, one)).status == 404
    assert (await table.post(f"{path}?seat=1", one, key=None)).json["seat"] == 1
    _, guest = await table.player()
    assert (await table.get(path, guest)).status == 404
    assert (await table.get(f"{path}?seat=1", guest)).json["seat"] == 1
    assert (await table.get(f"{path}?seat=1")).json["seat"] == 1
    assert (await table.get(f"{path}?seat=2", one)).status == 404


async def test_coaching_is_refused_until_the_match_is_over(table: Table) -> None:
    """Before, no seat gets any: neither one's seat nor another."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, game="coup")
    for token in (one, other):
        for seat in ("", "?seat=0", "?seat=1"):
            for answer in (
                await table.post(f"/matches/{match}/coaching{seat}", token, key=None),
                await table.get(f"/matches/{match}/coaching{seat}", token),
            ):
                assert answer.json["type"] == "urn:tafelrunde:problem:not-over"
    assert await STORE.of(table.application.stores).read(MatchId(match)) == {}


async def test_coaching_is_for_those_who_may_see_the_match(table: Table) -> None:
    """A match without spectators shows strangers nothing of it, even when it is over."""
    match, one, _ = await finished(table, spectators="off")
    await table.post(f"/matches/{match}/coaching", one, key=None)
    await made(table, match)
    _, stranger = await table.player()
    for token in (stranger, None):
        assert (await table.get(f"/matches/{match}/coaching?seat=0", token)).json[
            "type"
        ] == "urn:tafelrunde:problem:spectators-off"


@pytest.mark.parametrize(("budget", "left"), [(600, 580), (5, 0)])
async def test_coaching_costs_more_when_no_one_has_asked_yet(budget: int, left: int) -> None:
    """The first who asks pays for the searches from the budget of advice, be it small; later requests cost one."""
    async with opened(Settings(bot_pause_ms=0, limits=LimitSettings(advice_per_minute=budget))) as table:
        match, one, _ = await finished(table)
        answer = await table.post(f"/matches/{match}/coaching", one, key=None)
        assert answer.status == 202
        assert (answer.header("ratelimit") or "").startswith(f'"advice";r={left};')
        table.now_ms += 60_000
        again = await table.post(f"/matches/{match}/coaching", one, key=None)
        assert (again.header("ratelimit") or "").startswith(f'"advice";r={budget - 1};')
