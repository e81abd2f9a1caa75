"""Passkeys and challenges in every store."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.passkeys.feature import STORE
from tafelrunde.service.features.passkeys.port import CHALLENGE_MS, MOST_PASSKEYS, Added, Passkey, PasskeyStore, Taken
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANN, BEN = (PlayerId(f"p-{name}") for name in ("ann", "ben"))
ONE, OTHER = b"\x01" * 32, b"\x02" * 32
NOW_MS = 1_000


@pytest.fixture
def store(stores: Stores) -> PasskeyStore:
    """Each store in turn, empty."""
    return STORE.of(stores)


def passkey(number: int, **changes: object) -> Passkey:
    """Return a passkey, made at that time."""
    kept = Passkey(f"k{number}", bytes([number, 0, 255]), b"key", 0, "Phone \u20ac", number)
    return msgspec.structs.replace(kept, **changes)


async def test_challenge_counts_once(store: PasskeyStore) -> None:
    """For the first who takes it, of many at once, and for that one again; one that is none counts for no one."""
    await store.keep_challenge(ONE, NOW_MS + CHALLENGE_MS, NOW_MS)
    takers = [bytes([number]) * 3 for number in range(8)]
    taken = await asyncio.gather(*(store.take_challenge(ONE, by, NOW_MS) for by in takers))
    assert sorted(each.value for each in taken) == ["first", *["not"] * 7]
    winner = takers[taken.index(Taken.FIRST)]
    await store.keep_challenge(ONE, NOW_MS + CHALLENGE_MS, NOW_MS)
    assert await store.take_challenge(ONE, winner, NOW_MS) is Taken.AGAIN
    assert await store.take_challenge(ONE, b"late", NOW_MS) is Taken.NOT
    assert await store.take_challenge(OTHER, winner, NOW_MS) is Taken.NOT


async def test_challenge_ends_after_its_time(store: PasskeyStore) -> None:
    """To the millisecond, whether someone has taken it or not."""
    end_ms = NOW_MS + CHALLENGE_MS
    await store.keep_challenge(ONE, end_ms, NOW_MS)
    await store.keep_challenge(OTHER, end_ms, NOW_MS)
    assert await store.take_challenge(ONE, b"me", end_ms - 1) is Taken.FIRST
    assert await store.take_challenge(ONE, b"me", end_ms) is Taken.NOT
    assert await store.take_challenge(OTHER, b"me", end_ms) is Taken.NOT


async def test_passkeys_are_kept_by_player(store: PasskeyStore) -> None:
    """Oldest first, each once, and each with all that is known of it."""
    second = passkey(2, counter=7, used_ms=9, tokens=("t1", "t2"))
    assert [await store.add(ANN, each) for each in (second, passkey(1), second)] == [Added.NOW, Added.NOW, _again(store)]
    assert await store.add(ANN, passkey(1, label="Other")) is Added.BEFORE
    assert await store.passkeys(ANN) == [passkey(1), second]
    assert await store.passkey(ANN, "k2") == second
    assert await store.passkey(BEN, "k2") is None
    assert await store.passkeys(BEN) == []


def _again(store: PasskeyStore) -> Added:
    """What a store says of the same passkey with all its times: a server cannot tell it from a lost reply."""
    return Added.BEFORE if type(store).__name__ == "MemoryPasskeys" else Added.NOW


async def test_no_more_passkeys_are_added_than_there_may_be(store: PasskeyStore) -> None:
    """Also by many at once; one that is removed makes room."""
    added = await asyncio.gather(*(store.add(ANN, passkey(number)) for number in range(MOST_PASSKEYS + 3)))
    assert added.count(Added.NOW) == len(await store.passkeys(ANN)) == MOST_PASSKEYS
    assert added.count(Added.FULL) == 3
    (first, *_) = await store.passkeys(ANN)
    assert await store.remove(ANN, first.id)
    assert not await store.remove(ANN, first.id)
    assert await store.add(ANN, passkey(99)) is Added.NOW


async def test_passkey_is_replaced_only_as_it_was(store: PasskeyStore) -> None:
    """Of many changes at once one is written; a passkey that was removed does not come back."""
    await store.add(ANN, passkey(1))
    changes = [passkey(1, counter=number) for number in range(1, 9)]
    done = await asyncio.gather(*(store.replace(ANN, passkey(1), each) for each in changes))
    assert done.count(True) == 1
    kept = changes[done.index(True)]
    assert await store.passkey(ANN, "k1") == kept
    assert not await store.replace(ANN, passkey(1), passkey(1, label="Late"))
    await store.remove(ANN, "k1")
    assert not await store.replace(ANN, kept, passkey(1, label="Late"))
    assert await store.passkeys(ANN) == []


async def test_player_is_forgotten_with_all_passkeys(store: PasskeyStore) -> None:
    """And no one else; twice is no matter."""
    for player in (ANN, BEN):
        await store.add(player, passkey(1))
    await store.forget(ANN)
    await store.forget(ANN)
    assert await store.passkeys(ANN) == []
    assert await store.passkeys(BEN) == [passkey(1)]
