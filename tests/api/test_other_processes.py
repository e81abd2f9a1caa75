"""What one process knows of a match, when a player sits down or leaves through another one."""

from __future__ import annotations

import pytest

from tafelrunde.service.memory_store import memory_stores
from tests.support.table import opened

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("spectators", ["off", "public", "delayed"])
async def test_a_player_who_came_through_another_process_sees_its_own_seat(spectators: str) -> None:
    """A process that knows a seat as reserved asks the store who sits there: else its player would be a spectator."""
    stores = memory_stores()
    async with opened(stores=stores) as here, opened(stores=stores) as there:
        (_, one), (_, other) = await here.player(), await here.player()
        match = await here.begin(one, other, spectators=spectators)
        await here.finish(match, one, other)
        rematch = await here.agree_rematch(match, one, other)
        for token in (one, other):
            assert (await there.view(rematch, token))["seat"] is None
            assert (await here.post(f"/matches/{rematch}/seats", token)).status == 200
        seen = [await there.view(rematch, token) for token in (other, one)]
        assert [(view["seat"], view["status"]) for view in seen] == [(1, "running"), (0, "running")]


async def test_a_player_who_left_through_another_process_is_a_spectator_at_once() -> None:
    """Before the start, no process takes a player to sit where it sat a moment ago."""
    stores = memory_stores()
    async with opened(stores=stores) as here, opened(stores=stores) as there:
        (_, one), (_, other) = await here.player(), await here.player()
        match = await here.open(one)
        assert (await here.post(f"/matches/{match}/seats", other)).status == 200
        assert (await there.view(match, other))["seat"] == 1
        assert (await here.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=other, key=here.key())).status == 200
        assert (await there.view(match, other))["seat"] is None


async def test_a_host_without_a_seat_may_not_follow_a_rematch_that_is_hidden_yet() -> None:
    """The stream is refused with 404, because one that ends with `bye` at once makes its client reconnect again and again."""
    async with opened() as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other, spectators="delayed")
        await table.finish(match, one, other)
        rematch = await table.agree_rematch(match, one, other)
        assert (await table.ask("DELETE", f"/api/v1/matches/{rematch}/seats/0", token=one, key=table.key())).status == 200
        async with table.listen(f"/api/v1/matches/{rematch}/stream", token=one) as stream:
            assert (await stream.begin()).status == 404
