"""What every store of talk promises: numbers in order, bounds, and nothing left of who or what is gone."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.talk.feature import LINES, MUTES, REPORTS
from tafelrunde.service.features.talk.port import (
    KEPT,
    MOST_MUTED,
    MOST_REPORTS,
    Closing,
    Kind,
    Line,
    MatchRoom,
    Reason,
    Report,
    Room,
)
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANNA, BERT, CLEO = PlayerId("anna"), PlayerId("bert"), PlayerId("cleo")
FIRST, SECOND = MatchId("first"), MatchId("second")
TABLE, STANDS, ELSEWHERE = MatchRoom(FIRST, Room.TABLE), MatchRoom(FIRST, Room.STANDS), MatchRoom(SECOND, Room.TABLE)


def line(name: str, player: PlayerId = ANNA, at_ms: int = 10) -> Line:
    """Return a line that says its own name."""
    return Line(id=name, at_ms=at_ms, player=player, seat=None, kind=Kind.TEXT, said=name)


def report(name: str, at_ms: int, author: PlayerId = ANNA, reporter: PlayerId = BERT) -> Report:
    """Return a report of a line that says the report's name."""
    return Report(
        id=name,
        at_ms=at_ms,
        match=FIRST,
        room=Room.TABLE,
        n=1,
        line=line(name, author),
        reporter=reporter,
        reason=Reason.SPAM,
    )


async def said(stores: Stores, place: MatchRoom, after: int = 0) -> list[tuple[int, str]]:
    """Return the lines of a room with their numbers."""
    return [(n, each.said) for n, each in (await LINES.of(stores).read(place, after, KEPT + 1)).found]


async def test_lines_are_numbered_by_their_room(stores: Stores) -> None:
    """From 1, each room for itself; a line that comes again is the same one."""
    store = LINES.of(stores)
    numbers = [await store.add(place, line(name)) for place, name in ((TABLE, "a"), (TABLE, "b"), (STANDS, "c"), (TABLE, "a"))]
    assert numbers == [1, 2, 1, 1]
    assert await said(stores, TABLE) == [(1, "a"), (2, "b")]
    assert await said(stores, TABLE, 1) == [(2, "b")]
    assert await said(stores, STANDS) == [(1, "c")]
    assert (await store.read(TABLE, 0, 1)).end == 2
    assert await store.line(TABLE, 2) == line("b")
    assert await store.line(TABLE, 3) is None
    assert await store.line(STANDS, 2) is None
    assert await store.ends([TABLE, STANDS, ELSEWHERE]) == [2, 1, 0]
    assert await store.ends([]) == []


async def test_lines_said_at_once_have_each_a_number(stores: Stores) -> None:
    """None is lost, and none is there twice."""
    store = LINES.of(stores)
    numbers = await asyncio.gather(*(store.add(TABLE, line(f"l{number}")) for number in range(20)))
    assert sorted(numbers) == list(range(1, 21))
    assert [n for n, _ in await said(stores, TABLE)] == list(range(1, 21))


async def test_newest_lines_are_kept(stores: Stores) -> None:
    """Numbers go on; what has gone has no number any more."""
    store = LINES.of(stores)
    for number in range(1, KEPT + 3):
        await store.add(TABLE, line(f"l{number}"))
    found = await said(stores, TABLE)
    assert (found[0], found[-1], len(found)) == ((3, "l3"), (KEPT + 2, f"l{KEPT + 2}"), KEPT)
    assert await store.line(TABLE, 2) is None


async def test_lines_are_forgotten_with_their_player(stores: Stores) -> None:
    """In all matches and rooms, and no one else's; numbers stay."""
    store = LINES.of(stores)
    for place in (TABLE, STANDS, ELSEWHERE):
        for player in (ANNA, BERT, ANNA):
            await store.add(place, line(f"{player} {place.match} {place.room} {await store.ends([place])}", player))
    assert {(place.match, place.room, each.n) for place, each in await store.of(BERT)} == {
        (*place, 2) for place in (TABLE, STANDS, ELSEWHERE)
    }
    assert [each.n for place, each in await store.of(ANNA) if place == TABLE] == [1, 3]
    await store.forget(ANNA)
    await store.forget(CLEO)
    assert await store.of(ANNA) == []
    for place in (TABLE, STANDS, ELSEWHERE):
        assert [(n, each.player) for n, each in (await store.read(place, 0, KEPT)).found] == [(2, BERT)]
        assert await store.ends([place]) == [3]
    await store.forget(ANNA)
    assert await store.add(TABLE, line("new", ANNA)) == 4


async def test_talk_is_deleted_when_its_time_has_come(stores: Stores) -> None:
    """First it is asked whether the match is over; what is noted then stays."""
    store = LINES.of(stores)
    await store.add(TABLE, line("a", at_ms=100))
    await store.add(ELSEWHERE, line("b", at_ms=200))
    assert await store.to_look_at(99) == []
    assert await store.to_look_at(100) == [FIRST]
    await store.put_off(FIRST, 300)
    assert await store.to_look_at(299) == [SECOND]
    await store.let_end(FIRST, 1_000)
    await store.let_end(FIRST, 2_000)
    assert await store.to_look_at(300) == [SECOND]
    assert await store.to_delete(999) == []
    assert await store.to_delete(1_000) == [FIRST]
    for _ in range(2):
        await store.delete(FIRST)
    assert await store.to_delete(3_000) == []
    assert (await said(stores, TABLE), await said(stores, ELSEWHERE)) == ([], [(1, "b")])
    assert await store.add(TABLE, line("c", at_ms=400)) == 1
    assert await store.to_look_at(400) == [SECOND, FIRST] or await store.to_look_at(400) == [FIRST, SECOND]


async def test_line_that_is_said_after_the_end_is_looked_at_again(stores: Stores) -> None:
    """So that it is deleted, too."""
    store = LINES.of(stores)
    await store.add(TABLE, line("a", at_ms=100))
    await store.let_end(FIRST, 1_000)
    await store.add(TABLE, line("b", at_ms=200))
    assert await store.to_look_at(200) == [FIRST]
    await store.let_end(FIRST, 5_000)
    assert await store.to_delete(1_000) == [FIRST]


async def test_newest_of_the_muted_are_kept(stores: Stores) -> None:
    """Each player has a list of its own, which goes with the player."""
    store = MUTES.of(stores)
    for number in range(MOST_MUTED + 1):
        await store.mute(ANNA, PlayerId(f"p{number}"), number)
    await store.mute(BERT, ANNA, 1)
    muted = await store.muted(ANNA)
    assert (muted[0], muted[-1], len(muted)) == (f"p{MOST_MUTED}", "p1", MOST_MUTED)
    await store.mute(ANNA, PlayerId("p1"), MOST_MUTED + 1)
    assert (await store.muted(ANNA))[0] == "p1"
    await store.unmute(ANNA, PlayerId("p1"))
    await store.unmute(ANNA, CLEO)
    assert len(await store.muted(ANNA)) == MOST_MUTED - 1
    await store.forget(ANNA)
    assert (await store.muted(ANNA), await store.muted(BERT)) == ([], [ANNA])


async def test_reports_are_kept_until_they_are_old(stores: Stores) -> None:
    """Newest first; one with the same id takes the place of the first."""
    store = REPORTS.of(stores)
    for number in range(1, 4):
        await store.put(report(f"r{number}", number))
    await store.put(report("r1", 4))
    assert [(each.id, each.at_ms) for each in await store.newest(0, 10)] == [("r1", 4), ("r3", 3), ("r2", 2)]
    assert [each.id for each in await store.newest(1, 1)] == ["r3"]
    assert await store.newest(3, 5) == []
    await store.prune(3)
    assert await store.newest(0, 10) == [report("r1", 4)]


async def test_newest_reports_are_kept(stores: Stores) -> None:
    """Beyond the limit, the oldest make room."""
    store = REPORTS.of(stores)
    for number in range(MOST_REPORTS + 2):
        await store.put(report(f"r{number}", number))
    found = await store.newest(0, MOST_REPORTS + 10)
    assert (found[0].id, found[-1].id, len(found)) == (f"r{MOST_REPORTS + 1}", "r2", MOST_REPORTS)


async def test_reports_are_forgotten_with_their_player(stores: Stores) -> None:
    """Those that it made, and those of its lines."""
    store = REPORTS.of(stores)
    for number, (author, reporter) in enumerate(((ANNA, BERT), (BERT, ANNA), (BERT, CLEO))):
        await store.put(report(f"r{number}", number, author, reporter))
    await store.forget(ANNA)
    assert [each.id for each in await store.newest(0, 10)] == ["r2"]


async def test_hidden_line_keeps_its_place_and_nothing_else(stores: Stores) -> None:
    """Its number, author and time; hiding it again changes nothing, and a line that is gone does not come back."""
    store = LINES.of(stores)
    for name in ("a", "b"):
        await store.add(TABLE, line(name))
    left = await store.hide(TABLE, 1)
    assert left is not None
    assert (left.id, left.player, left.kind, left.said) == ("a", ANNA, Kind.HIDDEN, "")
    assert await store.hide(TABLE, 1) == left
    assert await said(stores, TABLE) == [(1, ""), (2, "b")]
    await store.forget(ANNA)
    assert (await store.hide(TABLE, 1), await store.hide(TABLE, 9)) == (None, None)
    assert await said(stores, TABLE) == []


async def test_report_is_closed_once(stores: Stores) -> None:
    """By the first of many at once; it is not reported again."""
    store = REPORTS.of(stores)
    await store.put(report("a", 10))
    closings = [Closing(at_ms=20, reason=str(number)) for number in range(4)]
    found = await asyncio.gather(*(store.close("a", each) for each in closings))
    kept = await store.find("a")
    assert kept is not None
    assert kept.closed in closings
    assert [*found] == [kept] * 4
    await store.put(report("a", 30))
    assert await store.find("a") == kept
    assert (await store.close("b", closings[0]), await store.find("b")) == (None, None)
