"""Attempts to sign in, and whose identity is whose player, in every store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.openid.feature import STORE
from tafelrunde.service.features.openid.port import ATTEMPT_MS, MOST_TOKENS, Attempt, OpenIdStore
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store.client import Client, number
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
ANN, BEN = PlayerId("p-ann"), PlayerId("p-ben")
IDENTITY, OTHER = b"\x00identity\xff", b"\x01other\xfe"
ATTEMPT = Attempt(10, b"\x00browser", "nonce", "verifier", ANN)


@pytest.fixture
def store(stores: Stores) -> OpenIdStore:
    """Each store in turn, empty."""
    return STORE.of(stores)


async def test_attempt_is_found_by_its_state_alone(store: OpenIdStore) -> None:
    """As it was kept, as often as it is looked at."""
    assert await store.attempt(b"state") is None
    await store.keep(b"state", ATTEMPT)
    await store.keep(b"alone", (alone := Attempt(10, b"", "", "", None)))
    assert await store.attempt(b"state") == await store.attempt(b"state") == ATTEMPT
    assert await store.attempt(b"alone") == alone


async def test_identity_of_an_attempt_ends_with_it(store: OpenIdStore) -> None:
    """It is there once the provider has answered, and gone with the attempt."""
    answered = msgspec.structs.replace(ATTEMPT, identity=IDENTITY)
    await store.keep(b"state", ATTEMPT)
    await store.keep(b"state", answered)
    assert await store.attempt(b"state") == answered


async def test_identity_puts_off_no_end_of_an_attempt_on_a_server(redis_kind_stores: Stores, server: Server) -> None:
    """And comes to none that has ended."""
    store, answered = STORE.of(redis_kind_stores), msgspec.structs.replace(ATTEMPT, identity=IDENTITY)
    wire, key = Client(server.url), f"openid-attempt:{b'state'.hex()}"
    try:
        await store.keep(b"state", ATTEMPT)
        assert number(await wire.call("PTTL", key)) > ATTEMPT_MS // 2
        assert number(await wire.call("PEXPIRE", key, ATTEMPT_MS // 2)) == 1
        await store.keep(b"state", answered)
        assert await store.attempt(b"state") == answered
        assert 0 < number(await wire.call("PTTL", key)) <= ATTEMPT_MS // 2
        await wire.call("DEL", key)
        await store.keep(b"state", answered)
        assert await store.attempt(b"state") is None
    finally:
        await wire.close()


async def test_attempt_is_taken_by_one_alone(store: OpenIdStore) -> None:
    """By the first, whenever it asks again; of several who ask at once, by one."""
    names = [b"%d" % number for number in range(5)]
    won = await asyncio.gather(*(store.take(b"state", name) for name in names))
    assert won.count(True) == 1
    assert [await store.take(b"state", name) for name in names] == won
    assert await store.take(b"other", names[0])


async def test_attempt_is_gone_when_it_has_ended(store: OpenIdStore) -> None:
    """One that has not ended stays, and so does who has taken it."""
    await store.keep(b"state", ATTEMPT)
    assert await store.take(b"state", b"one")
    await store.prune(ATTEMPT.until_ms - 1)
    assert await store.attempt(b"state") == ATTEMPT
    assert not await store.take(b"state", b"two")


async def test_identity_leads_to_one_player(store: OpenIdStore) -> None:
    """It changes only from where the caller has seen it lead, and a repeated change is the same one."""
    assert await store.holder(IDENTITY) is None
    assert await store.replace(IDENTITY, None, ANN)
    assert await store.replace(IDENTITY, None, ANN)
    assert not await store.replace(IDENTITY, None, BEN)
    assert (await store.holder(IDENTITY), await store.holder(OTHER)) == (ANN, None)
    assert await store.replace(IDENTITY, ANN, BEN)
    assert not await store.replace(IDENTITY, ANN, None)
    assert await store.holder(IDENTITY) == BEN
    assert await store.replace(IDENTITY, BEN, None)
    assert await store.replace(IDENTITY, BEN, None)
    assert await store.holder(IDENTITY) is None


async def test_identity_goes_to_one_of_those_who_claim_it_at_once(store: OpenIdStore) -> None:
    """The others learn that they were late."""
    players = [PlayerId(f"p-{number}") for number in range(5)]
    won = await asyncio.gather(*(store.replace(IDENTITY, None, player) for player in players))
    assert won.count(True) == 1
    assert await store.holder(IDENTITY) == players[won.index(True)]


async def test_identities_are_noted_at_their_player(store: OpenIdStore) -> None:
    """With the first time, until they are struck; those of others are their own."""
    for player, identity, since_ms in ((ANN, IDENTITY, 1), (ANN, OTHER, 2), (ANN, IDENTITY, 3), (BEN, OTHER, 4)):
        await store.note(player, identity, since_ms)
    assert await store.noted(ANN) == {IDENTITY: 1, OTHER: 2}
    await store.strike(ANN, IDENTITY)
    await store.strike(ANN, IDENTITY)
    assert await store.noted(ANN) == {OTHER: 2}
    await store.strike(ANN, OTHER)
    assert (await store.noted(ANN), await store.noted(BEN)) == ({}, {OTHER: 4})


async def test_newest_tokens_are_noted_at_their_player(store: OpenIdStore) -> None:
    """Oldest first, as many as a player can have, until all are struck."""
    for place in range(MOST_TOKENS + 2):
        await store.note_token(ANN, f"t{place:02}", place)
    await store.note_token(ANN, "t05", 100)
    noted = await store.noted_tokens(ANN)
    assert (len(noted), noted[0], noted[-1]) == (MOST_TOKENS, "t02", "t05")
    assert await store.noted_tokens(BEN) == []
    await store.strike_tokens(ANN)
    await store.strike_tokens(ANN)
    assert await store.noted_tokens(ANN) == []
