"""Clients, codes and grants in every store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.oauth.feature import STORE
from tafelrunde.service.features.oauth.memory import MemoryOauth
from tafelrunde.service.features.oauth.port import CODE_KEPT_MS, Client, Code, Grant, Held, OauthStore
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANN, BEN = PlayerId("p" + "a" * 26), PlayerId("p" + "b" * 26)
CLIENT = Client("a1", "Chess clock", ("https://clock.example/back",), 5)
CODE = Code(ANN, "g1", "a1", "https://clock.example/back", "c" * 43, ("read",), 10, None)
GRANT = Grant("g1", "a1", "Chess clock", "clock.example", ("read",), 1, 2, 3, None, "t1", b"r" * 32)
NONE = Held(None, b"")


@pytest.fixture
def store(stores: Stores) -> OauthStore:
    """Each store in turn, empty."""
    return STORE.of(stores)


async def test_client_is_found_by_its_id(store: OauthStore) -> None:
    """As it was registered; no other is."""
    await store.put_client(CLIENT)
    assert await store.client("a1") == CLIENT
    assert await store.client("a2") is None


async def test_one_is_the_first_when_many_use_a_code(store: OauthStore) -> None:
    """Who asks again is what it was, as its request may come twice; a code stays known after its use."""
    await store.put_code(b"d" * 32, CODE)
    assert await store.uses(b"d" * 32) == 0
    places = await asyncio.gather(*(store.use_code(b"d" * 32, f"by-{number}") for number in range(5)))
    assert sorted(places) == [1, 2, 3, 4, 5]
    assert [await store.use_code(b"d" * 32, f"by-{number}") for number in range(5)] == places
    assert (await store.uses(b"d" * 32), await store.code(b"d" * 32)) == (5, CODE)
    assert (await store.uses(b"e" * 32), await store.code(b"e" * 32)) == (0, None)


async def test_grant_is_replaced_as_it_was_read(store: OauthStore) -> None:
    """Or not at all, also when it was deleted meanwhile; the same write again is none."""
    later = msgspec.structs.replace(GRANT, access="t2")
    assert await store.grant(ANN, "g1") == NONE
    assert await store.put_grant(ANN, NONE, GRANT)
    assert await store.put_grant(ANN, NONE, GRANT)
    found = await store.grant(ANN, "g1")
    assert found.grant == GRANT
    assert await store.put_grant(ANN, found, later)
    assert not await store.put_grant(ANN, found, msgspec.structs.replace(GRANT, access="t3"))
    assert [each.grant for each in await store.grants(ANN)] == [later]
    now = await store.grant(ANN, "g1")
    await store.drop_grant(ANN, "g1")
    await store.drop_grant(ANN, "g1")
    assert not await store.put_grant(ANN, now, GRANT)
    assert [*await store.grants(ANN)] == []


async def test_grants_are_forgotten_with_their_player(store: OauthStore) -> None:
    """No one else's."""
    for player in (ANN, BEN):
        await store.put_grant(player, NONE, GRANT)
    await store.forget(ANN)
    assert ([*await store.grants(ANN)], len(await store.grants(BEN))) == ([], 1)


async def test_codes_in_memory_are_forgotten_when_their_time_is_over() -> None:
    """With their uses, so that a process that runs for long does not fill up with them; servers do so by themselves."""
    store = MemoryOauth()
    await store.put_code(b"d" * 32, CODE)
    await store.use_code(b"d" * 32, "by")
    await store.put_code(b"e" * 32, msgspec.structs.replace(CODE, until_ms=CODE.until_ms + CODE_KEPT_MS))
    assert (await store.code(b"d" * 32), await store.uses(b"d" * 32)) == (CODE, 1)
    await store.put_code(b"f" * 32, msgspec.structs.replace(CODE, until_ms=CODE.until_ms + CODE_KEPT_MS + 1))
    assert (await store.code(b"d" * 32), await store.uses(b"d" * 32)) == (None, 0)
    assert await store.code(b"e" * 32) is not None
