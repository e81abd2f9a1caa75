"""Purses: what a player does is paid by the player and by its address, so that guests made in a row share one budget."""

from __future__ import annotations

import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.memory_store.quotas import MemoryQuotas
from tafelrunde.service.players.purses import PLAYERS_AT_AN_ADDRESS, Purse
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.ports.quotas import Quota

pytestmark = pytest.mark.anyio
HERE, THERE = "at 192.0.2.1", "at 192.0.2.2"


def purse_of(quota: Quota | None) -> tuple[Purse, list[int]]:
    """Return a purse and its clock."""
    clock = [1_000_000]
    return Purse(Quotas(MemoryQuotas(), lambda: clock[0]), b"key", quota), clock


async def paid(purse: Purse, player: str, address: str) -> str | None:
    """Pay once; return the name of the budget that refuses."""
    refused = await purse.pay(PlayerId(player), address)
    return refused.budget.name if refused is not None else None


async def test_player_spends_what_it_has_wherever_it_asks() -> None:
    """And gets it back with time; others do not feel it."""
    purse, clock = purse_of(Quota("talk", 2, 60))
    assert [await paid(purse, "p1", each) for each in (HERE, THERE, HERE)] == [None, None, "talk"]
    assert await paid(purse, "p2", HERE) is None
    clock[0] += 60_000
    assert await paid(purse, "p1", HERE) is None


async def test_guests_at_an_address_share_what_it_has() -> None:
    """However many there are; a player elsewhere, and one of an application (no address), do not pay for them."""
    purse, _ = purse_of(Quota("talk", 2, 60))
    most = 2 * PLAYERS_AT_AN_ADDRESS
    assert [await paid(purse, f"p{n}", HERE) for n in range(most + 2)] == [None] * most + ["talk-at"] * 2
    assert [await paid(purse, "q", each) for each in (THERE, "")] == [None, None]


async def test_player_does_not_pay_for_what_its_address_refuses() -> None:
    """It has as much left as before, for another address."""
    purse, _ = purse_of(Quota("talk", 1, 60))
    for n in range(PLAYERS_AT_AN_ADDRESS):
        await paid(purse, f"p{n}", HERE)
    assert [await paid(purse, "q", each) for each in (HERE, HERE, THERE)] == ["talk-at", "talk-at", None]


async def test_purse_without_a_quota_pays_for_all() -> None:
    """That is a deployment without limits."""
    purse, _ = purse_of(None)
    assert [await paid(purse, "p1", HERE) for _ in range(100)] == [None] * 100
