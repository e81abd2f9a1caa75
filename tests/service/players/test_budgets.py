"""Budgets: what a player does is paid by the player and by its address, so that guests made in a row share one budget."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import Accounts
from tafelrunde.service.players.budgets import Budget, Budgets
from tafelrunde.service.players.quota_table import ADDRESS_SHARES, TALK
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.players.token_seal import token_seal_of
from tafelrunde.service.ports.players import PlayerRecord

pytestmark = pytest.mark.anyio
HERE, THERE = "at 192.0.2.1", "at 192.0.2.2"


async def budget_of(one: int, *, limited: bool = True) -> tuple[Budget, list[int]]:
    """Return a budget of two named players, p1 and p2, with its clock; all others are guests."""
    clock = [1_000_000]
    stores = memory_stores()
    for name in ("p1", "p2"):
        await stores.players.put_player(PlayerRecord(PlayerId(name), name, guest=False, created_ms=1))
    accounts = Accounts(stores.players, lambda: clock[0], token_seal_of(stores.id_key))
    budgets = Budgets(Quotas(stores.budgets, lambda: clock[0]), accounts, stores.id_key, limited=limited)
    return budgets.of_row(msgspec.structs.replace(TALK, one=one)), clock


async def spent(budget: Budget, player: str, address: str) -> str | None:
    """Spend once; return the name of the budget that refuses."""
    refused = await budget.spend(PlayerId(player), address)
    return refused.budget.name if refused is not None else None


async def test_player_spends_what_it_has_wherever_it_asks() -> None:
    """It gets that back with time; others do not feel it."""
    budget, clock = await budget_of(2)
    assert [await spent(budget, "p1", each) for each in (HERE, THERE, HERE)] == [None, None, "talk"]
    assert await spent(budget, "p2", HERE) is None
    clock[0] += 60_000
    assert await spent(budget, "p1", HERE) is None


async def test_guests_at_an_address_share_half_of_what_it_has() -> None:
    """However many there are; named players there have the rest, and a player elsewhere or without an address is not affected."""
    budget, clock = await budget_of(2)
    most = 2 * ADDRESS_SHARES // 2
    assert [await spent(budget, f"g{n}", HERE) for n in range(most + 2)] == [None] * most + ["talk-at"] * 2
    assert [await spent(budget, "q", each) for each in (THERE, "")] == [None, None]
    assert [await spent(budget, each, HERE) for each in ("p1", "p2", "p1", "p2")] == [None] * 4
    refused = await budget.spend(PlayerId("late"), HERE)
    assert refused is not None
    clock[0] += 1_000 * refused.wait_s
    assert await spent(budget, "late", HERE) is None


async def test_player_does_not_pay_for_what_its_address_refuses() -> None:
    """It has as much left as before, for another address; and the address keeps what it has."""
    budget, _ = await budget_of(1)
    for n in range(ADDRESS_SHARES // 2 + 1):
        await spent(budget, f"g{n}", HERE)
    assert [await spent(budget, "q", each) for each in (HERE, HERE, THERE)] == ["talk-at", "talk-at", None]
    for n in range(100):
        await spent(budget, f"h{n}", HERE)
    assert await spent(budget, "p1", HERE) is None


async def test_budget_without_limits_refuses_nothing() -> None:
    """A deployment may limit by other means."""
    budget, _ = await budget_of(1, limited=False)
    assert [await spent(budget, "p1", HERE) for _ in range(100)] == [None] * 100
