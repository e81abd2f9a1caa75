"""Projections: rows follow the logs, an owner's place is taken when it is gone, and a rebuild gives the same rows."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId, Spectators, Status
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.duties import projection
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.matches.spectator_delay import DELAY_MS
from tafelrunde.service.ports.events import GENESIS, NO_EVENTS, Batch, chain_over, shard_of
from tafelrunde.service.ports.rows import Listing, Row
from tafelrunde.service.ports.stores import Stores
from tafelrunde.workers.cli.admin import rebuild
from tests.support.own import DUEL, GAMES
from tests.support.patience import PATIENCE_SECONDS
from tests.workers.conftest import BOT, HOST, Tables

pytestmark = [pytest.mark.anyio, pytest.mark.real]


async def rows(stores: Stores, matches: list[MatchId]) -> list[Row | None]:
    """Return the rows of matches."""
    return [await stores.rows.row(match) for match in matches]


async def until_projected(tables: Tables, matches: list[MatchId]) -> list[Row | None]:
    """Wait until the rows say what the logs say."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            found = await rows(tables.application.stores, matches)
            wanted = [await tables.status(match) for match in matches]
            if [row.status if row is not None else None for row in found] == wanted:
                return found
            await asyncio.sleep(0.02)


async def test_rows_follow_the_logs_and_a_rebuild_gives_the_same(tables: Tables, redis_stores: Stores) -> None:
    """What is projected live equals what the logs alone give."""
    application = Application(redis_stores, tables.application.settings, games=GAMES)
    running = asyncio.create_task(projection(application).run())
    matches = [await tables.open(bots=2) for _ in range(12)]
    for match in matches[:6]:
        await tables.application.process_manager.play_bots(match)
    live = await until_projected(tables, matches)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await rebuild(Application(redis_stores, tables.application.settings, games=GAMES)) == len(matches)
    assert await rows(redis_stores, matches) == live


async def test_rebuild_beside_a_live_projector_loses_nothing(tables: Tables, redis_stores: Stores) -> None:
    """The checkpoint keeps two writers from mixing: at the end all rows are there and up to date."""
    application = Application(redis_stores, tables.application.settings, games=GAMES)
    running = asyncio.create_task(projection(application).run())
    matches = [await tables.open(bots=2) for _ in range(6)]
    rebuilding = asyncio.create_task(rebuild(Application(redis_stores, tables.application.settings, games=GAMES)))
    for match in matches:
        await tables.application.process_manager.play_bots(match)
    await rebuilding
    live = await until_projected(tables, matches)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await rebuild(Application(redis_stores, tables.application.settings, games=GAMES))
    assert await rows(redis_stores, matches) == live


async def test_second_projector_takes_over_when_the_first_is_gone(tables: Tables, redis_stores: Stores) -> None:
    """One owner at a time for each shard; a dead one's lease runs out."""
    first, second = (projection(Application(redis_stores, tables.application.settings, games=GAMES)) for _ in range(2))
    match = await tables.open(bots=2)
    await first.round()
    row = (await rows(redis_stores, [match]))[0]
    assert row is not None
    assert row.status is Status.RUNNING
    await tables.application.process_manager.play_bots(match)
    await second.round()
    assert await rows(redis_stores, [match]) == [row]
    ownership = first._ownership
    assert ownership is not None
    for name in ownership.held:
        assert await redis_stores.leases.take(name, ownership._owner, 1)  # as if the time of the lease were over
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await rows(redis_stores, [match]) == [row]:
            await second.round()
    assert await until_projected(tables, [match]) != [row]


async def test_match_that_cannot_be_read_does_not_stop_its_shard(tables: Tables, redis_stores: Stores) -> None:
    """A broken log costs its own row and no other."""
    good = [await tables.open(bots=2) for _ in range(3)]
    for match in good:
        await _spoil(redis_stores, MatchId(f"x-{match}"), like=match)
    running = asyncio.create_task(projection(Application(redis_stores, tables.application.settings, games=GAMES)).run())
    await until_projected(tables, good)
    for match in good:
        await tables.application.process_manager.play_bots(match)
    assert [row is not None and row.status is Status.OVER for row in await until_projected(tables, good)] == [True] * 3
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def _spoil(stores: Stores, name: MatchId, *, like: MatchId) -> None:
    """Write a log that makes no sense into the shard of another match."""
    number = 0
    while shard_of(match := MatchId(f"{name}-{number}")) != shard_of(like):
        number += 1
    entry = b"nonsense"
    batch = Batch(
        match=match,
        expected=NO_EVENTS,
        chain=GENESIS,
        next_chain=chain_over(GENESIS, [entry]),
        entries=(entry,),
        key="k",
        fingerprint=b"f",
        status=Status.OPEN,
        time_ms=0,
        deadline_ms=None,
        work_ms=None,
    )
    await stores.events.append(batch)


async def test_leases_are_given_back_at_the_end(tables: Tables, redis_stores: Stores) -> None:
    """A projector that ends in good order leaves its place free at once."""
    running = asyncio.create_task(projection(Application(redis_stores, tables.application.settings, games=GAMES)).run())
    await until_projected(tables, [await tables.open(bots=2)])
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await redis_stores.leases.take("projector:0", "somebody", 1_000)


async def test_row_of_a_delayed_match_follows_when_its_minute_has_passed(tables: Tables, redis_stores: Stores) -> None:
    """Nothing else has to happen in the match for others to see it as it was a minute ago."""
    ahead_ms = 0
    application = Application(redis_stores, tables.application.settings, games=GAMES, now_ms=lambda: unix_ms() + ahead_ms)
    running = asyncio.create_task(projection(application).run())
    wishes = {Seat(0): BOT, Seat(1): BOT}
    new = NewMatch(game=DUEL.id, seats=2, seat=None, bots=wishes, start=True, spectators=Spectators.DELAYED)
    match = (await application.matches.open(HOST, new, "open")).match

    async def listed(status: Status) -> Row:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                if found := await redis_stores.rows.rows(Listing(status=status)):
                    return found[0]
                await asyncio.sleep(0.02)

    assert (await listed(Status.OPEN)).status is Status.RUNNING
    await application.process_manager.play_bots(match)
    ahead_ms = DELAY_MS
    row = await listed(Status.OVER)
    assert (row.late, row.again_ms) == (None, None)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
