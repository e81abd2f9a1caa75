"""Inboxes in every store: what is kept, what is left out, and which places are known."""

from __future__ import annotations

import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.features.inbox.feature import STORE as INBOXES
from tafelrunde.service.features.inbox.port import OF_NO_LOG, InboxLimits, InboxStore, Line, Notice, Notices, Spot
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANN, BEN = PlayerId("p-ann"), PlayerId("p-ben")
ROOM = InboxLimits()
UNTIL_MS = 1_000_000


@pytest.fixture
def store(stores: Stores) -> InboxStore:
    """Each store in turn, empty."""
    return INBOXES.of(stores)


def notice(place: int, *bodies: str, player: PlayerId = ANN, shard: int = 0, due_ms: int = 0) -> Notice:
    """Return a notice of one line."""
    found = tuple(body.encode() for body in bodies)
    return Notice(player=player, line=Line(shard, f"{place:05d}"), bodies=found, due_ms=due_ms)


async def listen(store: InboxStore, player: PlayerId = ANN, now_ms: int = 0) -> Spot:
    """Begin to listen, and return where the inbox ends."""
    found = await store.read(player, None, 10, now_ms, UNTIL_MS)
    assert found is not None
    assert found.items == ()
    return found.end


async def after(store: InboxStore, spot: Spot, player: PlayerId = ANN, limit: int = 100) -> Notices:
    """Return what an inbox has after a place that it knows."""
    found = await store.read(player, spot, limit, 0, UNTIL_MS)
    assert found is not None
    return found


def bodies(found: Notices) -> list[str]:
    """Return the bodies of notices."""
    return [body.decode() for _, body in found.items]


async def test_notices_come_in_order_from_any_place(store: InboxStore) -> None:
    """Each place leads to exactly what follows it, page by page."""
    start = await listen(store)
    assert start.n == 0
    await store.add([notice(1, "a", "ä"), notice(2, "c", shard=3)], 0, ROOM)
    found = await after(store, start)
    assert bodies(found) == ["a", "ä", "c"]
    assert [spot.n for spot, _ in found.items] == [1, 2, 3]
    assert found.end == found.items[-1][0] == await listen(store)
    assert bodies(await after(store, found.items[0][0], limit=1)) == ["ä"]
    assert bodies(await after(store, found.end)) == []


async def test_line_counts_once_no_matter_who_adds_it_again(store: InboxStore) -> None:
    """Two outboxes, or one that repeats a portion, leave each notice once, in the order of the lines."""
    start = await listen(store)
    await store.add([notice(1, "a"), notice(2, "b")], 0, ROOM)
    await store.add([notice(1, "a"), notice(2, "b"), notice(3, "c"), notice(1, "other shard", shard=9)], 0, ROOM)
    assert bodies(await after(store, start)) == ["a", "b", "c", "other shard"]


async def test_inbox_has_nothing_of_what_others_get_or_came_before(store: InboxStore) -> None:
    """Only who listens has an inbox, and only its own notices come into it."""
    await store.add([notice(1, "too early")], 0, ROOM)
    start = await listen(store)
    await store.add([notice(2, "for Ben", player=BEN), notice(2, "for Ann")], 0, ROOM)
    assert bodies(await after(store, start)) == ["for Ann"]
    assert bodies(await after(store, await listen(store, BEN), BEN)) == []
    assert await store.ends([ANN, BEN, PlayerId("p-none")]) == [1, 0, 0]
    assert await store.ends([]) in ([], ())
    assert await store.listeners(0) == {ANN: 0, BEN: 0}


async def test_place_is_unknown_if_it_is_gone_or_never_was(store: InboxStore) -> None:
    """Trimmed, beyond the end, from another history or another inbox: the reader learns it, and gets no mixture."""
    start = await listen(store)
    await store.add([notice(place, f"{place}") for place in range(1, 6)], 0, InboxLimits(each=3))
    end = await listen(store)
    for wrong in (start, Spot(1, end.chain), Spot(6, end.chain), Spot(5, "00000000"), Spot(9, "")):
        assert await store.read(ANN, wrong, 10, 0, UNTIL_MS) is None
    await store.remove(ANN)
    assert await store.read(ANN, end, 10, 0, UNTIL_MS) is None
    assert await listen(store) != start, "an inbox that begins again is not taken for the one before"


async def test_first_place_that_is_kept_is_known(store: InboxStore) -> None:
    """Who has had everything that was trimmed misses nothing."""
    start = await listen(store)
    await store.add([notice(1, "a"), notice(2, "b")], 0, ROOM)
    second = (await after(store, start)).items[1][0]
    await store.add([notice(3, "c"), notice(4, "d")], 0, InboxLimits(each=2))
    assert bodies(await after(store, second)) == ["c", "d"]


async def test_longest_inbox_makes_room_for_all(store: InboxStore) -> None:
    """What is kept in all is bounded, and a busy player does not push out what others have."""
    mine = await listen(store)
    other = await listen(store, BEN)
    room = InboxLimits(each=100, in_all=5)
    await store.add([notice(1, "b", player=BEN)], 0, room)
    await store.add([notice(place, f"{place}") for place in range(1, 9)], 0, room)
    assert bodies(await after(store, other, BEN)) == ["b"]
    assert await store.read(ANN, mine, 100, 0, UNTIL_MS) is None
    await store.remove(ANN)
    start = await listen(store)
    await store.add([notice(place, f"{place}") for place in range(10, 14)], 0, room)
    assert bodies(await after(store, start)) == ["10", "11", "12", "13"], "what was removed takes no room"


async def test_notice_waits_until_it_is_due(store: InboxStore) -> None:
    """In the order in which they come due; a repeated line does not bring it twice."""
    start = await listen(store)
    await store.add([notice(1, "late", due_ms=60), notice(2, "later", due_ms=70), notice(3, "now")], 50, ROOM)
    await store.add([notice(1, "late", due_ms=60)], 50, ROOM)
    assert bodies(await after(store, start)) == ["now"]
    await store.release(59, ROOM)
    assert bodies(await after(store, start)) == ["now"]
    await store.release(65, ROOM)
    await store.release(65, ROOM)
    assert bodies(await after(store, start)) == ["now", "late"]
    await store.release(100, ROOM)
    assert bodies(await after(store, start)) == ["now", "late", "later"]


async def test_inboxes_begin_again_if_too_much_waits(store: InboxStore) -> None:
    """Nothing is dropped in silence: places from before are unknown."""
    start = await listen(store)
    await store.add([notice(place, "late", due_ms=60) for place in range(1, 5)], 50, InboxLimits(in_all=3))
    assert await store.read(ANN, start, 10, 0, UNTIL_MS) is None
    await store.release(100, ROOM)
    assert await store.ends([ANN]) == [0]


async def test_inbox_is_kept_as_long_as_its_player_listens(store: InboxStore) -> None:
    """After that it is gone with all that waits for it; listening again begins another one."""
    assert await store.read(ANN, None, 1, 10, 100) is not None
    start = (await after(store, await listen(store, BEN), BEN)).end
    await store.add([notice(1, "a"), notice(2, "late", due_ms=500)], 20, ROOM)
    assert await store.listeners(100) == {ANN: 10, BEN: 0}
    assert await store.listeners(101) == {BEN: 0}
    again = await store.read(ANN, None, 1, 200, UNTIL_MS)
    assert again is not None
    assert again.end.n == 0
    await store.release(1_000, ROOM)
    assert await store.ends([ANN]) == [0]
    await store.clear()
    assert await store.listeners(0) == {}
    assert await store.read(BEN, start, 1, 0, UNTIL_MS) is None


async def test_what_no_log_has_is_added_whenever_it_comes(store: InboxStore) -> None:
    """Equal messages are two, and lines count as before."""
    start = await listen(store)
    posted = Notice(player=ANN, line=OF_NO_LOG, bodies=(b"posted",), due_ms=0)
    await store.add([posted, notice(1, "a"), posted], 0, ROOM)
    await store.add([posted, notice(1, "a")], 0, ROOM)
    assert bodies(await after(store, start)) == ["posted", "a", "posted", "posted"]


async def test_positions_are_kept(store: InboxStore) -> None:
    """Per shard."""
    assert await store.positions() == {}
    await store.advance({3: "1-0", 4: "2-0"})
    await store.advance({4: "3-0"})
    await store.advance({})
    assert await store.positions() == {3: "1-0", 4: "3-0"}
