"""People over the wire."""

from __future__ import annotations

import pytest

from tafelrunde.service.features.registry import without
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio


async def test_avatar_comes_with_player_and_seat(table: Table) -> None:
    """The same in both; an empty seat has none."""
    player, token = await table.player("Anna")
    mine = (await table.get("/me", token)).json["avatar"]
    assert (await table.get(f"/players/{player}")).json["avatar"] == mine
    one, other = (await table.get(f"/matches/{await table.open(token)}")).json["chairs"]
    assert one["avatar"] == mine
    assert "avatar" not in other


async def test_no_one_has_an_avatar_without_the_feature() -> None:
    """Fields of a feature leave with it."""
    async with opened(features=without("people")) as table:
        _, token = await table.player("Anna")
        assert not {"avatar", "languages"} & (await table.get("/me", token)).json.keys()
        chairs = (await table.get(f"/matches/{await table.open(token)}")).json["chairs"]
        assert all("avatar" not in each for each in chairs)
