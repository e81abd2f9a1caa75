"""Quick matches over the wire: seeking, sitting down, and what others learn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.quick.duty import QuickFilling
from tafelrunde.service.features.quick.service import COME_MS
from tests.support.table import Table

pytestmark = pytest.mark.anyio

WISH = {"game": "coup", "seats": 2, "pace": "quick", "patience_seconds": 30}


async def seek(table: Table, token: str, **more: object) -> Any:
    """Seek a match; return the place."""
    answer = await table.post("/quick-matches", token, {**WISH, **more})
    assert answer.status == 200, answer
    return answer.json


async def test_place_says_what_to_do_until_when(table: Table) -> None:
    """The commitment is there before any nonce; after sitting down the seat is one's own."""
    _, token = await table.player("Anna")
    place = await seek(table, token)
    assert (place["seats"], place["taken"], place["seat"], place["seated"]) == (2, 1, 0, False)
    assert place["kept_until_ms"] == table.now_ms + COME_MS
    assert place["fills_ms"] == table.now_ms + 30_000
    facts = (await table.get(f"/matches/{place['match']}", token)).json
    assert (facts["commitment"], facts["reserved_seat"], facts["rated"]) == (place["commitment"], 0, True)
    assert (await table.post(f"/matches/{place['match']}/seats", token, {"nonce": "mine"})).status == 200
    again = await seek(table, token)
    assert (again["match"], again["seated"], again["kept_until_ms"]) == (place["match"], True, None)


async def test_player_who_does_not_come_learns_when_to_look_again(table: Table) -> None:
    """In words, for each time that it stays away; not that it asks too often."""
    _, token = await table.player()
    for shown in ("20 Sekunden", "40 Sekunden", "80 Sekunden", "3 Minuten"):
        kept_until_ms = (await seek(table, token))["kept_until_ms"]
        table.now_ms = kept_until_ms
        await table.application.get(QuickFilling).step()
        refused = await table.post("/quick-matches", token, WISH)
        assert (refused.status, refused.json["type"]) == (409, "urn:tafelrunde:problem:seat-not-taken")
        assert f"Suche in {shown} noch einmal." in refused.json["message"]["de"]
        table.now_ms += 1_000 * int(refused.json["detail"].split()[-2])


async def test_two_seekers_play_with_each_other(table: Table) -> None:
    """No one presses start; each finds in the inbox that the match has begun, if it listens."""
    tokens = [(await table.player())[1] for _ in range(2)]
    after = (await table.get("/me/inbox", tokens[0])).json["cursor"]
    places = [await seek(table, token) for token in tokens]
    match = places[0]["match"]
    assert {place["match"] for place in places} == {match}
    for token in tokens:
        assert (await table.post(f"/matches/{match}/seats", token)).status == 200
    assert (await table.view(match, tokens[0]))["status"] == "running"
    for _ in range(2):
        await table.application.get(QuickFilling).step()
    items = (await table.get(f"/me/inbox?after={after}", tokens[0])).json["items"]
    assert [each["message"]["data"] for each in items if each["message"]["type"] == "quick.matched"] == [
        {"match": match, "game": "coup"}
    ]
    await table.finish(match, *tokens)


async def test_blocked_player_is_not_met(table: Table) -> None:
    """Two tables wait instead, and neither learns why."""
    (one, first), (other, second) = await table.player(), await table.player()

    async def apart(*players: PlayerId) -> bool:
        return {*players} == {one, other}

    table.application.hooks.may_not_meet.append(apart)
    assert (await seek(table, first))["match"] != (await seek(table, second))["match"]


async def test_list_of_what_is_sought_names_no_one(table: Table) -> None:
    """It says how many wait for what, and leads to no match."""
    player, token = await table.player("Anna")
    match = (await seek(table, token))["match"]
    found = (await table.get("/quick-matches")).json
    assert found == {"items": [{"game": "coup", "seats": 2, "pace": "quick", "seekers": 1}]}
    assert not {player, "Anna", match} & {*json.dumps(found).split('"')}


@pytest.mark.parametrize(
    ("wish", "status", "problem"),
    [
        ({"game": "chess"}, 404, "not-found"),
        ({"seats": 9}, 422, "invalid-options"),
        ({"bot": "no-such-bot"}, 422, "invalid-options"),
        ({"patience_seconds": 4}, 400, "invalid-request"),
        ({"pace": "weeks"}, 400, "invalid-request"),
    ],
)
async def test_wish_that_cannot_be_played_is_refused(table: Table, wish: dict[str, object], status: int, problem: str) -> None:
    """And no table is left behind."""
    _, token = await table.player()
    answer = await table.post("/quick-matches", token, {**WISH, **wish})
    assert (answer.status, answer.json["type"]) == (status, f"urn:tafelrunde:problem:{problem}")
    assert (await table.get("/quick-matches")).json["items"] == []
