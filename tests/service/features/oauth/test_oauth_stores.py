"""Clients, codes and grants in every store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.oauth.feature import STORE
from tafelrunde.service.features.oauth.memory import MemoryOauth
from tafelrunde.service.features.oauth.port import (
    CLIENT_MS,
    CODE_KEPT_MS,
    ENDED_MS,
    NEW_CLIENT_MS,
    Client,
    Code,
    Grant,
    Held,
    OauthStore,
)
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


async def test_client_is_renewed_while_it_is_there(store: OauthStore) -> None:
    """One that was deleted does not come back."""
    await store.put_client(CLIENT)
    assert await store.renew_client("a1")
    await store.drop_client("a1")
    await store.drop_client("a1")
    assert not await store.renew_client("a1")
    assert await store.client("a1") is None


async def test_grants_of_a_client_are_found_until_they_are_deleted(store: OauthStore) -> None:
    """Of all players, and of no other client."""
    other = msgspec.structs.replace(GRANT, id="g2", client="a2")
    for player, grant in ((ANN, GRANT), (BEN, GRANT), (BEN, other)):
        assert await store.put_grant(player, NONE, grant)
    assert {*await store.allowed("a1")} == {(ANN, "g1"), (BEN, "g1")}
    await store.drop_grant(ANN, "g1")
    assert [*await store.allowed("a1")] == [(BEN, "g1")]
    await store.forget(BEN)
    assert [*await store.allowed("a1")] == [*await store.allowed("a2")] == []


async def test_grants_of_a_client_that_have_ended_are_swept_when_another_is_kept(store: OauthStore) -> None:
    """Those of players who never come back would stay; one that was renewed meanwhile has not ended."""
    change = msgspec.structs.replace
    for player, name, until_ms in ((ANN, "g1", 10), (ANN, "g2", 20), (BEN, "g3", 11)):
        assert await store.put_grant(player, NONE, change(GRANT, id=name, until_ms=until_ms))
    renewed = change(GRANT, until_ms=30, used_ms=9)
    assert await store.put_grant(ANN, await store.grant(ANN, "g1"), renewed)
    assert {*await store.allowed("a1")} == {(ANN, "g1"), (ANN, "g2"), (BEN, "g3")}
    assert await store.put_grant(BEN, NONE, change(GRANT, id="g4", used_ms=11, until_ms=40))
    assert {*await store.allowed("a1")} == {(ANN, "g1"), (ANN, "g2"), (BEN, "g4")}


async def test_client_that_was_ended_is_known_to_be(store: OauthStore) -> None:
    """By its id, also where it was not there."""
    await store.put_client(CLIENT)
    assert not await store.is_ended("a1")
    await store.drop_client("a1")
    await store.drop_client("a2")
    assert [await store.is_ended(name) for name in ("a1", "a2", "a3")] == [True, True, False]


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


async def test_clients_and_grants_in_memory_end_as_on_a_server() -> None:
    """When they were not used for their time: those that register again and again do not fill up the process."""
    passed = 0
    store = MemoryOauth(lambda: passed)
    for name in ("a1", "a2", "a3"):
        await store.put_client(msgspec.structs.replace(CLIENT, id=name))
    passed = NEW_CLIENT_MS - 1
    assert [await store.renew_client(name) for name in ("a1", "a2")] == [True, True]
    passed = NEW_CLIENT_MS
    assert [await store.client(name) is not None for name in ("a1", "a2", "a3")] == [True, True, False], "no one has allowed it"
    passed = 0
    store = MemoryOauth(lambda: passed)
    for name in ("a1", "a2"):
        await store.put_client(msgspec.structs.replace(CLIENT, id=name))
        assert await store.renew_client(name)
    await store.put_grant(ANN, NONE, GRANT)
    passed = CLIENT_MS - 1
    assert await store.renew_client("a1")
    await store.put_grant(BEN, NONE, GRANT)
    passed = CLIENT_MS
    assert [await store.client(name) is not None for name in ("a1", "a2")] == [True, False]
    assert (len(await store.grants(ANN)), len(await store.grants(BEN))) == (0, 1)
    passed = 2 * CLIENT_MS
    assert await store.client("a1") is None
    assert [*await store.grants(BEN)] == [*await store.allowed("a1")] == []
    await store.drop_client("a1")
    assert await store.is_ended("a1")
    passed += ENDED_MS
    assert not await store.is_ended("a1")


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
