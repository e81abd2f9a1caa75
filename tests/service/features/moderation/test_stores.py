"""What every store of moderation promises: one act of an id, changes of what was read, and nothing left of what is deleted."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.moderation.feature import STORE
from tafelrunde.service.features.moderation.port import Act, ActKind
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANNA, BERT, BOSS = PlayerId("anna"), PlayerId("bert"), PlayerId("boss")


def act(name: str, at_ms: int, player: PlayerId = ANNA, until_ms: int | None = None) -> Act:
    """Return an act, a sanction if it has an end."""
    kind = ActKind.CLOSE_REPORT if until_ms is None else ActKind.SUSPEND
    return Act(id=name, kind=kind, at_ms=at_ms, by=BOSS, reason=name, player=player, until_ms=until_ms)


async def test_acts_are_kept_once_and_listed_newest_first(stores: Stores) -> None:
    """All, or those that concern a player."""
    store = STORE.of(stores)
    first, second, third = act("a", 10), act("b", 20, BERT), act("c", 30)
    assert [await store.add(each) for each in (first, second, third)] == [first, second, third]
    assert await store.add(act("a", 40, BERT)) == first
    assert [*await store.newest(0, 2)] == [third, second]
    assert [*await store.newest(2, 2)] == [first]
    assert [*await store.concerning(ANNA)] == [third, first]
    assert (await store.find("b"), await store.find("d")) == (second, None)


async def test_sanctions_last_until_their_end(stores: Stores) -> None:
    """Or until they are lifted; what does not last is old from the beginning."""
    store = STORE.of(stores)
    short, long, plain = act("a", 10, until_ms=20), act("b", 10, until_ms=30), act("c", 10)
    for each in (short, long, plain):
        await store.add(each)
    assert {each.id for each in await store.lasting(10)} == {"a", "b"}
    assert {each.id for each in await store.lasting(20)} == {"b"}
    assert {each.id for each in await store.old(20)} == {"a", "c"}
    assert await store.replace(long, msgspec.structs.replace(long, lifted_ms=15))
    assert [*await store.lasting(10)] == [short]
    assert {each.id for each in await store.old(15)} == {"b", "c"}


async def test_act_is_replaced_as_it_was_read(stores: Stores) -> None:
    """One of many at once; one that was deleted does not come back."""
    store = STORE.of(stores)
    before = await store.add(act("a", 10, until_ms=20))
    changes = [msgspec.structs.replace(before, lifted_ms=number) for number in range(11, 15)]
    done = await asyncio.gather(*(store.replace(before, each) for each in changes))
    assert sum(done) == 1
    kept = await store.find("a")
    assert kept is not None
    assert kept == changes[done.index(True)]
    await store.remove(kept)
    assert not await store.replace(kept, before)
    assert (await store.find("a"), [*await store.concerning(ANNA)], [*await store.newest(0, 9)]) == (None, [], [])


async def test_act_leaves_its_player_when_that_is_taken_out(stores: Stores) -> None:
    """It is still in the list of all."""
    store = STORE.of(stores)
    before = await store.add(act("a", 10, until_ms=20))
    after = msgspec.structs.replace(before, player=None, reason="")
    assert await store.replace(before, after)
    assert ([*await store.concerning(ANNA)], [*await store.newest(0, 9)]) == ([], [after])


async def test_address_of_a_player_is_the_last_one(stores: Stores) -> None:
    """Until it is deleted."""
    store = STORE.of(stores)
    assert await store.address_of(ANNA) == ""
    for each in ("first", "second"):
        await store.note_address(ANNA, each)
    assert (await store.address_of(ANNA), await store.address_of(BERT)) == ("second", "")
    await store.forget_address(ANNA)
    assert await store.address_of(ANNA) == ""
