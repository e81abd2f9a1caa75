"""The store of notices: each planned once, claimed by one at a time, and done for good."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.domain.wording import Language
from tafelrunde.service.features.notices.feature import STORE
from tafelrunde.service.features.notices.port import DONE_MS, Chosen, NoticeId, Occasion, Planned, Push, PushId
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio

ANNA, BERT = PlayerId("anna"), PlayerId("bert")
NOW_MS = 1_700_000_000_000


def planned(name: str, due_ms: int = NOW_MS, player: PlayerId = ANNA) -> Planned:
    """Return a notice."""
    return Planned(id=NoticeId(name), player=player, way="mail", about="turn", at_ms=NOW_MS, due_ms=due_ms, match="m", decision=3)


async def test_choice_is_written_if_no_one_was_faster(stores: Stores) -> None:
    """Of two who have read the same, one writes; the same once more counts as written."""
    store = STORE.of(stores)
    assert not await store.wanted()
    push = Push(id=PushId("b1"), endpoint="https://a.example", key=b"\x04", secret=b"s", language=Language.DE, created_ms=1)
    first = Chosen(player=ANNA, revision=1, since_ms=NOW_MS, occasions=(Occasion.TURN,), pushes=(push,))
    other = msgspec.structs.replace(first, occasions=())
    assert sorted(await asyncio.gather(store.put(first), store.put(other))) == [False, True]
    [held] = (await store.of([ANNA, BERT])).values()
    assert held in (first, other)
    assert await store.put(held)
    assert await store.put(msgspec.structs.replace(held, revision=2, pushes=()))
    assert not await store.put(msgspec.structs.replace(held, revision=4))
    assert await store.wanted()
    await store.forget(ANNA)
    assert (await store.of([ANNA]), await store.wanted()) == ({}, False)


async def test_notice_is_planned_once(stores: Stores) -> None:
    """Neither while it waits nor within a day after it is done; and no more are added than there is room for."""
    store = STORE.of(stores)
    assert await store.plan([planned("a"), planned("a", NOW_MS + 5)], NOW_MS) == 0
    [claimed] = await store.claim(NOW_MS, NOW_MS + 60, 10, mail=True)
    assert claimed == msgspec.structs.replace(planned("a"), due_ms=NOW_MS + 60, tries=1)
    await store.finish(claimed.id, NOW_MS)
    assert await store.plan([planned("a")], NOW_MS + 1) == 0
    assert await store.claim(NOW_MS + 100, NOW_MS + 160, 10, mail=True) == []
    assert await store.plan([planned("a"), planned("b"), planned("c")], NOW_MS + DONE_MS, most=2) == 1
    assert {each.id for each in await store.claim(NOW_MS + DONE_MS, NOW_MS + DONE_MS + 1, 10, mail=True)} == {"a", "b"}


async def test_notice_is_claimed_by_one_at_a_time(stores: Stores) -> None:
    """The oldest first; one that was not finished in time is claimed again, and counted."""
    store = STORE.of(stores)
    await store.plan([planned("late", NOW_MS + 500), *(planned(f"n{each}", NOW_MS - each) for each in range(4))], NOW_MS)
    both = await asyncio.gather(*(store.claim(NOW_MS, NOW_MS + 100, 2, mail=True) for _ in range(2)))
    assert sorted(each.id for found in both for each in found) == ["n0", "n1", "n2", "n3"]
    assert [each.id for each in both[0]] == ["n3", "n2"]
    assert await store.claim(NOW_MS + 99, NOW_MS + 200, 10, mail=True) == []
    await store.finish(NoticeId("n0"), NOW_MS)
    await store.postpone(NoticeId("n1"), NOW_MS + 900)
    await store.postpone(NoticeId("n0"), NOW_MS + 100)
    again = await store.claim(NOW_MS + 100, NOW_MS + 200, 10, mail=True)
    assert sorted((each.id, each.tries) for each in again) == [("n2", 2), ("n3", 2)]
    assert [each.id for each in await store.claim(NOW_MS + 899, NOW_MS + 1_000, 10, mail=True)] != []
    assert "n1" in {each.id for each in await store.claim(NOW_MS + 900, NOW_MS + 2_000, 10, mail=True)}


async def test_player_was_there_when_it_was_last_noted(stores: Stores) -> None:
    """Notes older than a day are forgotten, and so are those of a deleted player."""
    store = STORE.of(stores)
    assert await store.seen_ms(ANNA) is None
    await store.touch([ANNA, BERT], NOW_MS)
    await store.touch([ANNA], NOW_MS + 10)
    assert (await store.seen_ms(ANNA), await store.seen_ms(BERT)) == (NOW_MS + 10, NOW_MS)
    await store.forget(ANNA)
    assert await store.seen_ms(ANNA) is None
    await store.touch([ANNA], NOW_MS + DONE_MS)
    assert await store.seen_ms(BERT) is None


async def test_mail_and_push_are_claimed_apart(stores: Stores) -> None:
    """Also after one was put off: neither waits for the other."""
    store = STORE.of(stores)
    await store.plan([planned("mail"), msgspec.structs.replace(planned("push"), way="b1")], NOW_MS)
    for mail, name in ((False, NoticeId("push")), (True, NoticeId("mail"))):
        assert [each.id for each in await store.claim(NOW_MS, NOW_MS + 9, 10, mail=mail)] == [name]
        await store.postpone(name, NOW_MS)
        assert [each.id for each in await store.claim(NOW_MS, NOW_MS + 9, 10, mail=mail)] == [name]
        await store.finish(name, NOW_MS)
        assert await store.claim(NOW_MS + 9, NOW_MS + 99, 10, mail=mail) == []
    assert await store.plan([planned("a"), msgspec.structs.replace(planned("b"), way="b1")], NOW_MS, most=1) == 1


async def test_browser_is_held_by_one_player(stores: Stores) -> None:
    """By the last one, who alone lets it go."""
    store = STORE.of(stores)
    place = "https://push.example/1"
    assert await store.holder(place) is None
    assert [await store.hold(place, each) for each in (ANNA, ANNA, BERT)] == [None, ANNA, ANNA]
    await store.let_go(place, ANNA)
    assert await store.holder(place) == BERT
    await store.let_go(place, BERT)
    assert await store.holder(place) is None
