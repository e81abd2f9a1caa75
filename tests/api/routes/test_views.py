"""The views at successive items of a feed, in every game: one for each item, as a look at its cursor shows it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tafelrunde.domain.registry import GAMES
from tests.api.routes.test_time_travel import SPECTATOR, Game, begun
from tests.support.table import opened

pytestmark = pytest.mark.anyio

ANSWERS, LIMIT = 25, 7


async def all_views(played: Game, whose: str, more: str = "") -> list[Any]:
    """Return the views at all items of a viewer's feed, page by page."""
    found: list[Any] = []
    after = ""
    following = True
    while following:
        path = f"/matches/{played.match}/views?limit={LIMIT}{after}{more}"
        page = (await played.table.get(path, played.tokens[whose])).json
        assert page["cursor"] == page["views"][-1]["cursor"]
        found = found + page["views"]
        after = f"&after={page['cursor']}"
        following = page["more"]
    return found


async def cursors(played: Game, whose: str) -> list[str]:
    """Return the cursors of a viewer's feed."""
    found: list[str] = []
    after = ""
    more = True
    while more:
        page = (await played.table.get(f"/matches/{played.match}/feed?limit=500{after}", played.tokens[whose])).json
        found += [item["cursor"] for item in page["items"]]
        after = f"&after={page['cursor']}"
        more = page["more"]
    return found


async def check(played: Game, whose: str) -> int:
    """Compare each view with a look at its cursor; return how many items were not the last of their command."""
    found = await all_views(played, whose)
    parts = 0
    assert [view["cursor"] for view in found] == await cursors(played, whose)
    for view in found:
        then = await played.look(whose, f"?at={view['cursor']}")
        if then["cursor"] == view["cursor"]:
            assert view == then
        else:
            assert (view["waiting"], view["question"]) == (None, None)
            parts += 1
    return parts


@pytest.mark.parametrize("game", GAMES)
async def test_view_of_each_item_is_what_a_look_at_it_shows(game: str) -> None:
    """Each seat and a spectator; between two items of one command nothing is asked."""
    rng = random.Random(game)
    answers = 0
    async with opened() as table:
        played = await begun(table, game)
        while await played.answer(rng) and answers < ANSWERS:
            answers += 1
        assert sum([await check(played, whose) for whose in played.tokens]) > 0


@pytest.mark.parametrize("game", GAMES)
async def test_other_viewers_are_shown_after_the_end_only(game: str) -> None:
    """The same items from another seat: refused while the match runs, whole after it."""
    rng = random.Random(game)
    async with opened() as table:
        played = await begun(table, game)
        path = f"/matches/{played.match}/views?perspective="
        for whose in played.tokens:
            answer = await table.get(path + whose, played.tokens["0"])
            assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:not-over")
        while await played.answer(rng):
            pass
        items = await cursors(played, SPECTATOR)
        for whose in played.tokens:
            found = await all_views(played, SPECTATOR, f"&perspective={whose}")
            assert [view["cursor"] for view in found] == items
            assert {view["seat"] for view in found} == {None if whose == SPECTATOR else int(whose)}
        none = await table.get(f"{path}{GAMES_SEATS}", played.tokens["0"])
        assert none.status == 404


GAMES_SEATS = 7
"""A seat that no match of three has."""


async def test_cursor_of_another_feed_is_refused() -> None:
    """A cursor belongs to one viewer's feed, as everywhere."""
    rng = random.Random(1)
    async with opened() as table:
        played = await begun(table, "coup")
        for _ in range(5):
            await played.answer(rng)
        cursor = (await played.look("0"))["cursor"]
        answer = await table.get(f"/matches/{played.match}/views?after={cursor}", played.tokens["1"])
        assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:cursor-unknown")
