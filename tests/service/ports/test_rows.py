from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import product

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tafelrunde.domain.match import MatchId, PlayerId, Status
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import shard_of
from tafelrunde.service.ports.rows import Late, Listing, Row, RowStore, fits
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.client import Client, Reply, Value, items, text
from tafelrunde.service.redis_store.keys import ALL_SHARDS
from tafelrunde.service.redis_store.rows import RedisRows
from tests.service.story import MATCH, another_row, matches_of
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
SHARD = shard_of(MATCH)
ANN, BEN = PlayerId("p-ann"), PlayerId("p-ben")
ROW = Row(match=MATCH, game="coup", status=Status.OPEN, listed=True, opened_ms=7, players=(ANN,), body=b"\0\xff body")
LATE = Late(status=Status.OPEN, listed=True, players=(ANN, BEN), body=b"as it was", seated=(ANN,))
CROWDED = 3
"""As many shards have all rows, where few indexes have to give many members."""
GAMES = ("coup", "mondkrone")
PLAYERS = (ANN, BEN, PlayerId("p:\n{*} " + "long" * 100))


def everywhere() -> list[Listing]:
    """Return every combination of filters."""
    filters = product((None, *PLAYERS), (None, *GAMES), (None, *Status))
    to_watch = [Listing(game=game, watchable=True) for game in (None, *GAMES)]
    return [*(Listing(player=player, game=game, status=status) for player, game, status in filters), *to_watch]


def expected(rows: Sequence[Row], listing: Listing) -> list[Row]:
    """Return what a listing has, said as plainly as can be."""
    looks = [(row, row.late if row.late is not None and listing.player not in row.late.seated else row) for row in rows]
    fitting = [
        row
        for row, look in looks
        if (look.listed if listing.player is None else listing.player in look.players)
        and (listing.game is None or row.game == listing.game)
        and (listing.status is None or look.status is listing.status)
        and not (listing.watchable and (look.status is not Status.RUNNING or not row.watchable))
    ]
    return sorted(fitting, key=lambda row: (row.opened_ms, row.match), reverse=True)


async def paged(store: RowStore, listing: Listing, limit: int) -> list[Row]:
    """Return all rows of a listing, read page by page."""
    found: list[Row] = []
    after = None
    while page := await store.rows(msgspec.structs.replace(listing, after=after, limit=limit)):
        found += page
        after = (page[-1].opened_ms, page[-1].match)
        assert len(page) <= limit
    return found


async def put(store: RowStore, rows: Sequence[Row]) -> None:
    """Project rows, whatever the checkpoints are."""
    for row in rows:
        shard = shard_of(row.match)
        assert await store.project(shard, await store.checkpoint(shard), "1-0", [row])


async def test_row_comes_back(stores: Stores) -> None:
    """A row is found by its match, by the lobby and by its players."""
    assert await stores.rows.row(MATCH) is None
    assert await stores.rows.project(SHARD, None, "5-0", [ROW])
    assert await stores.rows.row(MATCH) == ROW
    assert list(await stores.rows.rows(Listing())) == [ROW]
    assert list(await stores.rows.rows(Listing(player=ANN, game="coup", status=Status.OPEN))) == [ROW]
    assert list(await stores.rows.rows(Listing(player=BEN))) == []


async def test_rows_are_written_only_over_their_checkpoint(stores: Stores) -> None:
    """Of two projectors that read the same lines one writes: rows and checkpoint are one step."""
    assert await stores.rows.checkpoint(SHARD) is None
    assert not await stores.rows.project(SHARD, "1-0", "2-0", [ROW])
    assert await stores.rows.project(SHARD, None, "2-0", [])
    assert not await stores.rows.project(SHARD, None, "3-0", [ROW])
    assert (await stores.rows.row(MATCH), await stores.rows.checkpoint(SHARD)) == (None, "2-0")
    assert await stores.rows.project(SHARD, "2-0", "3-0", [ROW])
    assert (await stores.rows.row(MATCH), await stores.rows.checkpoint(SHARD)) == (ROW, "3-0")


CHANGES = {
    "started": {"status": Status.RUNNING},
    "ended": {"status": Status.OVER, "players": (BEN, ANN)},
    "hidden": {"listed": False},
    "left": {"players": ()},
    "taken over": {"players": (BEN, BEN)},
    "other game": {"game": "mondkrone"},
    "other time": {"opened_ms": 8},
    "other body": {"body": b""},
    "nowhere": {"listed": False, "players": ()},
    "started, but for others": {"status": Status.RUNNING, "late": LATE},
    "there, but for others": {"late": msgspec.structs.replace(LATE, listed=False, players=())},
    "to be rebuilt": {"again_ms": 9_000},
    "started, and to be watched": {"status": Status.RUNNING, "watchable": True},
    "to be watched, but not yet": {"status": Status.RUNNING, "watchable": True, "late": LATE},
}


async def test_rows_that_are_put_off_are_due_at_that_time(stores: Stores) -> None:
    """Whether they have been made or not; making one ends it, and others are not touched."""
    await put(stores.rows, [ROW])
    await stores.rows.put_off(SHARD, [ROW.match, missing := matches_of(SHARD, 2)[1]], 50)
    assert await stores.rows.again([SHARD], 49, 1, 9) == []
    assert sorted(await stores.rows.again([SHARD], 50, 1, 9)) == sorted([ROW.match, missing])
    await put(stores.rows, [ROW])
    assert list(await stores.rows.again([SHARD], 99, 1, 9)) == [missing]
    assert list(await stores.rows.rows(Listing())) == [ROW]


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
async def test_nothing_stale_stays_when_row_changes(stores: Stores, changes: dict[str, object]) -> None:
    """A row leaves every listing that it no longer belongs to, and comes back just as well."""
    rest = another_row(ROW, match=MatchId("m-rest"))
    await put(stores.rows, [ROW, rest])
    for row in (another_row(ROW, **changes), ROW):
        await put(stores.rows, [row])
        for listing in everywhere():
            assert list(await stores.rows.rows(listing)) == expected([row, rest], listing), listing


async def test_row_is_offered_when_it_is_to_be_made_again(stores: Stores) -> None:
    """Not before its time, not of another shard, once for each lease, and no longer once it was rebuilt or forgotten."""
    due = another_row(ROW, again_ms=1_000)
    later = another_row(ROW, match=MatchId("elsewhere"), again_ms=2_000)
    other = shard_of(later.match)
    await put(stores.rows, [due, later])
    assert list(await stores.rows.again(ALL_SHARDS, 999, 50, 9)) == []
    assert list(await stores.rows.again([other], 1_000, 50, 9)) == []
    assert list(await stores.rows.again([SHARD], 1_000, 50, 9)) == [MATCH]
    assert list(await stores.rows.again([SHARD], 1_049, 50, 9)) == []
    assert list(await stores.rows.again([SHARD], 1_050, 50, 9)) == [MATCH]
    assert set(await stores.rows.again(ALL_SHARDS, 5_000, 50, 9)) == {MATCH, later.match}
    assert len(await stores.rows.again(ALL_SHARDS, 6_000, 50, 1)) == 1
    await put(stores.rows, [ROW])
    await stores.rows.reset(other)
    assert list(await stores.rows.again(ALL_SHARDS, 9_000, 50, 9)) == []


async def indexes(server: Server) -> dict[str, list[Reply]]:
    """Return all indexes with their members."""
    wire = Client(server.url)
    names = [text(key) for key in items(await wire.call("KEYS", "rows:*"))]
    found = [name for name in names if await wire.call("TYPE", name) == b"zset"]
    answer = {name: items(await wire.call("ZRANGE", name, 0, -1)) for name in found}
    await wire.close()
    return answer


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
async def test_indexes_are_as_new_when_row_changes(server: Server, redis_kind_stores: Stores, changes: dict[str, object]) -> None:
    """An index has no member that no row stands for, so that it does not grow with the life of a match."""
    changed = another_row(ROW, **changes)
    await put(redis_kind_stores.rows, [changed])
    fresh = await indexes(server)
    await redis_kind_stores.rows.reset(SHARD)
    await put(redis_kind_stores.rows, [ROW, changed])
    assert await indexes(server) == fresh


async def test_reset_forgets_one_shard(stores: Stores) -> None:
    """After a reset a shard is as if it had never been projected; others stay."""
    rest = another_row(ROW, match=MatchId("elsewhere"))
    assert shard_of(rest.match) != SHARD
    await put(stores.rows, [ROW, rest])
    await stores.rows.reset(SHARD)
    assert await stores.rows.checkpoint(SHARD) is None
    assert await stores.rows.row(MATCH) is None
    for listing in everywhere():
        assert list(await stores.rows.rows(listing)) == expected([rest], listing)


async def test_reset_leaves_no_key_behind(server: Server, redis_kind_stores: Stores) -> None:
    """No index of a shard outlives its rows."""
    before = server.ask("DBSIZE")
    await put(redis_kind_stores.rows, [ROW, another_row(ROW, status=Status.RUNNING)])
    assert server.ask("DBSIZE") != before
    await redis_kind_stores.rows.reset(SHARD)
    assert server.ask("DBSIZE") == before


LOOKS = st.builds(
    Late,
    status=st.sampled_from(Status),
    listed=st.booleans(),
    players=st.lists(st.sampled_from(PLAYERS), max_size=3).map(tuple),
    body=st.binary(max_size=9),
    seated=st.lists(st.sampled_from(PLAYERS), max_size=2).map(tuple),
)
ROWS = st.builds(
    Row,
    late=st.none() | LOOKS,
    again_ms=st.none() | st.integers(1, 2**48),
    match=st.integers(0, 30).map(lambda number: MatchId(f"m-{number}"))
    | st.text("aü€\U0001f0a1", min_size=1, max_size=3).map(MatchId),
    game=st.sampled_from(GAMES),
    status=st.sampled_from(Status),
    listed=st.booleans(),
    opened_ms=st.sampled_from((0, 9, 10, 1_700_000_000_000, 2**48)),
    players=st.lists(st.sampled_from(PLAYERS), max_size=3).map(tuple),
    body=st.binary(max_size=300),
)


async def _check_paging(store: RowStore, history: Sequence[Row], limit: int) -> None:
    await put(store, history)
    rows = list({row.match: row for row in history}.values())
    for listing in everywhere():
        assert await paged(store, listing, limit) == expected(rows, listing), listing


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(ROWS, max_size=40), limit=st.sampled_from((1, 2, 3, 50)))
def test_paging_is_complete_and_without_doubles(server: Server, history: list[Row], limit: int) -> None:
    """Whatever was written over whatever, pages of any size give each row once, in order, in every listing."""

    async def check() -> None:
        server.ask("FLUSHALL")
        async with await RedisStores.connect(server.url) as stores:
            await _check_paging(stores.rows, history, limit)

    asyncio.run(check())


@settings(max_examples=30, deadline=None)
@given(history=st.lists(ROWS, max_size=40), limit=st.sampled_from((1, 2, 3, 50)))
def test_paging_is_complete_and_without_doubles_in_memory(history: list[Row], limit: int) -> None:
    """The same in memory."""
    asyncio.run(_check_paging(memory_stores().rows, history, limit))


async def test_page_is_read_without_what_is_not_on_it(
    server: Server, redis_kind_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From each of 64 indexes a few members, and more only where the newest are; all commands of a step go together."""
    matches = [match for number in range(4_000) if shard_of(match := MatchId(f"m-{number}")) < CROWDED]
    crowded = [another_row(ROW, match=match, opened_ms=number) for number, match in enumerate(matches)]
    await put(redis_kind_stores.rows, crowded)
    client = Client(server.url)
    asked = list[int]()
    honest = client.together

    async def together(commands: Iterable[Sequence[Value]]) -> list[Reply]:
        sent = list(commands)
        asked.append(len(sent))
        return await honest(sent)

    monkeypatch.setattr(client, "together", together)
    page = await RedisRows(client).rows(Listing(limit=50))
    await client.close()
    assert list(page) == expected(crowded, Listing())[:50]
    assert len(crowded) > 100
    first, *more, rows = asked
    assert (first, rows) == (len(ALL_SHARDS), 50)
    assert 0 < max(more) <= CROWDED
    assert len(more) < 4


async def test_page_in_memory_looks_at_its_own_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many others there are, before it and after it, and of other listings."""
    store = memory_stores().rows
    looked = list[Row]()
    rows = [
        another_row(ROW, match=MatchId(f"m-{number}"), opened_ms=number, game=GAMES[number % 2], players=(PLAYERS[number % 3],))
        for number in range(600)
    ]
    await put(store, rows)

    def look(row: Row, listing: Listing) -> bool:
        looked.append(row)
        return fits(row, listing)

    monkeypatch.setattr("tafelrunde.service.memory_store.rows.fits", look)
    for listing in (Listing(game="coup"), Listing(player=BEN)):
        page = await store.rows(msgspec.structs.replace(listing, after=(300, MatchId("m-300")), limit=10))
        assert list(page) == [row for row in expected(rows, listing) if row.opened_ms < 300][:10]
        assert looked == list(page)
        looked.clear()


async def test_player_with_many_matches_finds_the_few_that_fit(stores: Stores) -> None:
    """A filter behind hundreds of other rows of a player still gives full pages."""
    rows = [
        another_row(ROW, match=MatchId(f"m-{number}"), opened_ms=number, status=Status.OVER if number % 60 else Status.RUNNING)
        for number in range(400)
    ]
    await put(stores.rows, rows)
    listing = Listing(player=ANN, status=Status.RUNNING, limit=5)
    assert list(await stores.rows.rows(listing)) == expected(rows, listing)[:5]
    assert await paged(stores.rows, listing, 3) == expected(rows, listing)
