"""Quick matches: who comes to which table, how it begins, and that nothing is stuck when a process dies anywhere."""

from __future__ import annotations

import asyncio
import inspect
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest

from tafelrunde.domain.game import GameId, InvalidOptions, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.domain.match.commands import ReserveSeat
from tafelrunde.domain.match.refusals import MatchRefused
from tafelrunde.domain.match.state import Match
from tafelrunde.service.application import Application
from tafelrunde.service.errors import CorruptHistory, NotFound, StoreUnavailable, TooManyHeld
from tafelrunde.service.features.quick import service as seeking
from tafelrunde.service.features.quick.duty import GRACE_MS, IDLE_SECONDS, PAUSE_SECONDS, QuickFilling
from tafelrunde.service.features.quick.feature import STORE
from tafelrunde.service.features.quick.port import CLOCKS, Absence, QuickPace, QuickTable, Seeker, Wish
from tafelrunde.service.features.quick.service import COME_MS, LATE_MS, QuickMatches, QuickPlace, SeatNotTaken, TooManySeek
from tafelrunde.service.matches.caps import ADDRESS_START_FACTOR, HOST_START_FACTOR
from tafelrunde.service.matches.command_handler import issued_by_service
from tafelrunde.service.matches.own_keys import Act
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.quota_table import KEPT_SEATS
from tafelrunde.service.ports.players import PlayerRecord
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.wrapped import wrapped

pytestmark = pytest.mark.anyio

WISH = Wish(GameId("coup"), 3, QuickPace.BLITZ)
PLAIN = Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False))
ANNA, BERT, CARL, DORA = [PlayerId(f"p{number:026x}") for number in range(4)]
BEGIN_MS = 1_700_000_000_000


class Time:
    """A clock that the test moves; all processes have it."""

    def __init__(self) -> None:
        self.now_ms = BEGIN_MS

    def __call__(self) -> int:
        return self.now_ms


class Process:
    """One process of a deployment."""

    def __init__(self, stores: Stores, time: Time, settings: Settings = PLAIN) -> None:
        self.application = Application(stores, settings, now_ms=time)
        self.quick = self.application.get(QuickMatches)
        self.filling = self.application.get(QuickFilling)
        self.time = time
        self.keys = 0

    async def seek(
        self, player: PlayerId, patience: int = 30, *, wish: Wish = WISH, bot: str | None = None, sit: bool = True
    ) -> QuickPlace:
        """Seek a match, and sit down."""
        place = await self.quick.seek(player, wish, patience, BotName(bot) if bot is not None else None)
        if sit:
            await self.sit(player, place.match_id)
        return place

    async def sit(self, player: PlayerId, match: MatchId) -> None:
        """Take the seat that is kept."""
        self.keys += 1
        await self.application.matches.take_seat(player, match, None, f"nonce-{player}", f"sit-{self.keys}")

    async def leave(self, player: PlayerId, match: MatchId) -> None:
        """Leave the seat."""
        await self.application.matches.leave_seat(player, match, f"leave-{match}")

    async def match(self, match: MatchId) -> Match:
        """Return a match as it is."""
        return (await self.application.repository.load_latest(match)).match

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and the duty look at all tables twice."""
        self.time.now_ms += milliseconds
        for _ in range(2):
            await self.filling.step()

    async def tables(self, wish: Wish = WISH) -> Sequence[QuickTable]:
        """Return the tables that wait."""
        return (await STORE.of(self.application.stores).read(wish)).tables


@pytest.fixture
def process() -> Process:
    """One process over stores in memory."""
    return Process(memory_stores(), Time())


def seated(match: Match) -> list[PlayerId | str | None]:
    """Return who sits where."""
    return [chair.player or chair.bot for chair in match.chairs]


async def test_tables_of_a_wish_are_exchanged_as_a_whole(stores: Stores) -> None:
    """Or not at all, if others are there by now; a wish without tables is none."""
    store = STORE.of(stores)
    empty = await store.read(WISH)
    assert empty.tables == ()
    one = QuickTable("one", ANNA, (Seeker(ANNA, "t", 1, 2, BotName("honest")),))
    assert await store.put(WISH, empty, [one])
    assert not await store.put(WISH, empty, [])
    other = WISH._replace(pace=QuickPace.DAYS)
    assert await store.put(other, await store.read(other), [one, one])
    assert {wish: len(found.tables) for wish, found in (await store.wishes()).items()} == {WISH: 1, other: 2}
    assert await store.put(WISH, found := await store.read(WISH), ())
    assert found.tables == (one,)
    assert [*await store.wishes()] == [other]


async def test_match_begins_when_the_last_seeker_has_sat_down(process: Process) -> None:
    """By itself, with everyone's nonce; each had the commitment before."""
    places = [await process.seek(player, sit=False) for player in (ANNA, BERT, CARL)]
    assert len({place.match_id for place in places}) == 1
    match_id = places[0].match_id
    assert (await process.match(match_id)).expected_players() == [ANNA, BERT, CARL]
    for player in (CARL, ANNA, BERT):
        assert (await process.match(match_id)).status is Status.OPEN
        await process.sit(player, match_id)
    match = await process.match(match_id)
    assert match.status is Status.RUNNING
    assert [chair.nonce for chair in match.chairs] == [f"nonce-{player}" for player in (ANNA, BERT, CARL)]
    assert (match.settings.clock.turn_seconds, match.settings.clock.reaction_seconds) == (10, 5)
    await process.pass_time(1)
    assert await process.tables() == ()


async def test_bots_fill_a_table_when_the_first_patience_ends(process: Process) -> None:
    """Not before; it is the bot of the player who waited longest, and no one joins any more."""
    match_id = (await process.seek(ANNA, 60)).match_id
    process.time.now_ms += 1_000
    await process.seek(BERT, 30, bot="random")
    await process.pass_time(29_999)
    assert (await process.match(match_id)).status is Status.OPEN
    await process.pass_time(1)
    match = await process.match(match_id)
    assert (match.status, seated(match)) == (Status.RUNNING, [ANNA, BERT, "random"])
    assert (await process.seek(CARL)).match_id != match_id


async def test_same_place_is_found_again_while_a_player_waits(process: Process) -> None:
    """Before and after sitting down, from any process; another wish is another table."""
    place = await process.seek(ANNA, sit=False)
    assert (await process.seek(ANNA, 99, sit=False)).seeker == place.seeker
    await process.sit(ANNA, place.match_id)
    again = Process(process.application.stores, process.time)
    assert (await again.seek(ANNA, sit=False)).match_id == place.match_id
    assert (await again.seek(ANNA, wish=WISH._replace(seats=4))).match_id != place.match_id
    assert len((await process.tables())[0].seekers) == 1


OTHER_WISHES = [WISH._replace(pace=pace) for pace in (QuickPace.QUICK, QuickPace.NORMAL, QuickPace.SLOW)]


async def kept_for(process: Process, player: PlayerId, matches: set[MatchId]) -> set[MatchId]:
    """Return the matches in which a seat is kept for a player, and check that only they have a place for it."""
    kept = {each for each in matches if (await process.match(each)).reserved_for(player) is not None}
    wishes = (await STORE.of(process.application.stores).wishes()).values()
    tables = [table for found in wishes for table in found.tables if table.seeker(player) is not None]
    assert {process.quick.match_of(table) for table in tables} == kept
    return kept


async def test_kept_seat_moves_with_a_player_who_asks_for_something_else(process: Process) -> None:
    """The first seat is free at once, and the player is not absent; back again, it gets the first one again."""
    await process.seek(BERT, 300)
    first = (await process.seek(ANNA, sit=False)).match_id
    second = (await process.seek(ANNA, wish=OTHER_WISHES[0], sit=False)).match_id
    assert await kept_for(process, ANNA, {first, second}) == {second}
    assert (await process.seek(ANNA, sit=False)).match_id == first
    assert (await process.match(second)).status is Status.ABORTED
    assert await kept_for(process, ANNA, {first}) == {first}
    assert await STORE.of(process.application.stores).absence(ANNA) is None


async def test_taken_seat_stays_when_its_player_asks_for_something_else(process: Process) -> None:
    """It is no longer one that is only kept: so it is at two tables, and a further wish moves the kept seat only."""
    taken = (await process.seek(ANNA)).match_id
    matches = {(await process.seek(ANNA, wish=wish, sit=False)).match_id for wish in OTHER_WISHES}
    assert (await process.match(taken)).seat_of(ANNA) is not None
    assert len((await process.tables())[0].seekers) == 1
    last = await process.seek(ANNA, wish=OTHER_WISHES[-1], sit=False)
    assert {each for each in matches if (await process.match(each)).reserved_for(ANNA) is not None} == {last.match_id}
    assert (await process.seek(ANNA, sit=False)).match_id == taken
    assert (await process.match(last.match_id)).reserved_for(ANNA) is not None


async def test_kept_seat_stays_when_no_other_one_can_be_had(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused request changes nothing."""
    first = (await process.seek(ANNA, sit=False)).match_id
    await process.seek(BERT, wish=OTHER_WISHES[0])
    monkeypatch.setattr(seeking, "MOST_TABLES", 0)
    process.application.hooks.may_not_meet.append(keep_all_apart)
    with pytest.raises(TooManySeek):
        await process.seek(ANNA, wish=OTHER_WISHES[0])
    assert await kept_for(process, ANNA, {first}) == {first}


async def keep_all_apart(one: PlayerId, other: PlayerId) -> bool:
    """Return that two players must not meet."""
    return True


class Slow:
    """A store whose calls let others run first, before and after they act, for a number of turns that is drawn."""

    def __init__(self, store: object, draw: random.Random) -> None:
        self._store = store
        self._draw = draw

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **more: Any) -> Any:
            await self._wait()
            result = await found(*args, **more)
            await self._wait()
            return result

        return call

    async def _wait(self) -> None:
        for _ in range(self._draw.randrange(4)):
            await asyncio.sleep(0)


async def test_player_who_asks_processes_for_everything_at_once_has_one_kept_seat() -> None:
    """In whatever order they read and write, and if their clocks differ; others sit at the tables, so seats could be left."""
    wishes = [WISH, *OTHER_WISHES]
    for seed in range(40):
        draw = random.Random(seed)
        stores, time = memory_stores(), Time()
        slow = wrapped(stores, lambda _, store, draw=draw: Slow(store, draw))
        process = Process(stores, time)
        for wish in wishes[: seed % 3]:
            await process.seek(BERT, 300, wish=wish)
        clocks = [Time() for _ in wishes]
        for clock in clocks:
            clock.now_ms += draw.choice((0, 0, 2_000))
        processes = [Process(slow, clock) for clock in clocks]
        places = await asyncio.gather(
            *(each.seek(ANNA, wish=wish, sit=False) for each, wish in zip(processes, wishes, strict=True))
        )
        assert len(await kept_for(process, ANNA, {place.match_id for place in places})) == 1, seed


async def test_seat_is_free_again_when_its_player_does_not_come(process: Process) -> None:
    """After 20 seconds; the next one gets it, and the one who comes too late gets another place after 20 more."""
    match_id = (await process.seek(ANNA, patience=90)).match_id
    await process.seek(BERT, sit=False)
    await process.pass_time(COME_MS - 1)
    assert (await process.match(match_id)).reserved_for(BERT) is not None
    await process.pass_time(1)
    assert (await process.match(match_id)).reserved_for(BERT) is None
    assert (await process.seek(CARL, patience=60)).match_id == match_id
    assert await wait_of(process, BERT) == COME_MS // 1_000
    process.time.now_ms += COME_MS
    assert (await process.seek(BERT, patience=60)).match_id == match_id
    assert (await process.match(match_id)).status is Status.RUNNING


async def wait_of(process: Process, player: PlayerId) -> int:
    """Return for how many seconds no seat is kept for a player who did not come."""
    with pytest.raises(SeatNotTaken) as refused:
        await process.quick.seek(player, WISH, 60, None)
    return refused.value.wait_s


async def refusal(process: Process, player: PlayerId, address: str = "") -> tuple[str, int]:
    """Return why no seat is kept for a player, and for how many seconds."""
    with pytest.raises(TooManyHeld) as refused:
        await process.quick.seek(player, WISH, 60, None, address)
    return refused.value.kind, refused.value.wait_s


async def test_player_who_did_not_come_waits_twice_as_long_each_time(process: Process) -> None:
    """A seat is not kept again for it at once; once it has played, all that is forgotten."""
    for seconds in (20, 40, 80):
        await process.seek(BERT, sit=False)
        await process.pass_time(COME_MS)
        assert await wait_of(process, BERT) == seconds
        process.time.now_ms += 1_000 * seconds
    for player in (ANNA, BERT, CARL):
        await process.seek(player)
    await process.pass_time(1)
    assert await STORE.of(process.application.stores).absence(BERT) is None
    await process.seek(DORA, sit=False)
    await process.pass_time(COME_MS)
    await process.quick.forget(DORA)
    assert await STORE.of(process.application.stores).absence(DORA) is None


async def test_absence_is_kept_and_forgotten(stores: Stores) -> None:
    """In each store."""
    store = STORE.of(stores)
    assert await store.absence(ANNA) is None
    await store.put_absence(ANNA, Absence(1, BEGIN_MS))
    await store.put_absence(ANNA, Absence(2, BEGIN_MS + 1))
    assert await store.absence(ANNA) == Absence(2, BEGIN_MS + 1)
    await store.drop_absence(ANNA)
    await store.drop_absence(BERT)
    assert await store.absence(ANNA) is None


async def test_guests_who_never_come_keep_no_others_from_meeting() -> None:
    """Six guests ask twice a second and never sit down; the next one who asks meets the player who waits."""
    process = Process(memory_stores(), Time(), Settings(bot_pause_ms=0))
    wish = WISH._replace(seats=2)
    guests = [PlayerId(f"p{number:026x}") for number in range(100, 106)]

    async def ask() -> None:
        for guest in guests:
            with suppress(TooManyHeld):
                await process.quick.seek(guest, wish, 300, None, "at 192.0.2.1")

    waiting = await process.seek(ANNA, 300, wish=wish)
    for _ in range(12):
        await ask()
        await process.pass_time(500)
    found = await process.seek(BERT, 300, wish=wish)
    assert found.match_id == waiting.match_id
    assert (await process.match(found.match_id)).status is Status.RUNNING


async def test_address_has_few_seats_that_are_kept_and_not_taken() -> None:
    """Guests have half of them; a named player gets one, and so does another guest once someone has sat down."""
    process = Process(memory_stores(), Time(), Settings(bot_pause_ms=0))
    named = PlayerRecord(ANNA, "Anna", guest=False, created_ms=1)
    await process.application.accounts.put(named)
    here = "at 192.0.2.1"
    guests = [PlayerId(f"p{number:026x}") for number in range(100, 100 + KEPT_SEATS.shared(None) // 2 + 1)]
    places = [await process.quick.seek(guest, WISH, 60, None, here) for guest in guests[:-1]]
    assert await refusal(process, guests[-1], here) == ("kept-at", 1)
    assert await process.quick.seek(guests[-1], WISH, 60, None, "at 192.0.2.2")
    assert await process.quick.seek(ANNA, WISH, 60, None, here)
    assert await refusal(process, DORA, here) == ("kept-at", 1)
    for guest, place in list(zip(guests, places, strict=False))[:2]:
        await process.sit(guest, place.match_id)
    assert await process.quick.seek(DORA, WISH, 60, None, here)


async def test_matches_of_an_address_are_loaded_only_near_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """For those who asked in the last 20 seconds, and while no other seeker has to wait for that."""
    process = Process(memory_stores(), Time(), Settings(bot_pause_ms=0))
    here = "at 192.0.2.1"
    guests = [PlayerId(f"p{number:026x}") for number in range(100, 100 + KEPT_SEATS.shared(None))]
    under_lock = list[MatchId]()
    loaded = list[MatchId]()
    load = process.application.repository.load_latest

    async def watch(match_id: MatchId) -> Loaded:
        loaded.append(match_id)
        if process.quick._turn.locked():
            under_lock.append(match_id)
        return await load(match_id)

    async def seek(guest: PlayerId) -> MatchId:
        found = await process.quick.seek(guest, OTHER_WISHES[0], 3_600, None, here)
        await process.sit(guest, found.match_id)
        return found.match_id

    early = {await seek(guest) for guest in guests[:9]}
    other = OTHER_WISHES[1]
    monkeypatch.setattr(process.application.repository, "load_latest", watch)
    await process.quick.seek(ANNA, other, 60, None, here)
    assert not early & {*loaded}
    late = {await seek(guest) for guest in guests[9:]}
    loaded.clear()
    under_lock.clear()
    await process.quick.seek(BERT, other, 60, None, here)
    assert late <= {*loaded}
    assert not late & {*under_lock}
    process.time.now_ms += COME_MS
    loaded.clear()
    await process.quick.seek(CARL, WISH, 60, None, here)
    assert not (early | late) & {*loaded}


async def test_player_whose_seat_went_to_another_one_early_is_excused_once(process: Process) -> None:
    """It had been promised 20 seconds; the second time in a row it waits as one who did not come, until it has played."""
    wish = WISH._replace(seats=2)
    for seconds in (0, 40, 80):
        await process.seek(ANNA, 300, wish=wish)
        await process.seek(BERT, 300, wish=wish, sit=False)
        process.time.now_ms += LATE_MS
        await process.seek(CARL, 300, wish=wish)
        await process.pass_time(1)
        absence = await STORE.of(process.application.stores).absence(BERT)
        assert absence is not None
        assert absence.until_ms - process.time.now_ms + 1 == 1_000 * seconds
        process.time.now_ms += 1_000 * seconds
    await process.seek(BERT, wish=wish)
    await process.seek(DORA, wish=wish)
    await process.pass_time(1)
    assert await STORE.of(process.application.stores).absence(BERT) is None


async def test_seeker_who_sits_down_at_the_last_moment_keeps_the_place(process: Process) -> None:
    """Giving the place up had begun before; the table still begins."""
    place = await process.seek(ANNA, 60)
    assert not await process.quick.give_up(WISH, place.table, place.seeker)
    await process.pass_time(60_000)
    assert (await process.match(place.match_id)).status is Status.RUNNING


async def test_founder_who_does_not_come_leaves_the_table_to_the_others(process: Process) -> None:
    """Another is host, and the match begins all the same; without anyone it ends."""
    match_id = (await process.seek(ANNA, sit=False)).match_id
    await process.seek(BERT)
    await process.pass_time(COME_MS)
    match = await process.match(match_id)
    assert (match.host, seated(match)) == (BERT, [None, BERT, None])
    await process.pass_time(30_000)
    assert (await process.match(match_id)).status is Status.RUNNING
    alone = (await process.seek(CARL, sit=False)).match_id
    await process.pass_time(COME_MS)
    assert (await process.match(alone)).status is Status.ABORTED
    assert await process.tables() == ()


async def test_leaving_the_seat_ends_the_waiting(process: Process) -> None:
    """The place is free for others, and bots are not seated for no one."""
    match_id = (await process.seek(ANNA)).match_id
    await process.seek(BERT)
    await process.leave(ANNA, match_id)
    await process.pass_time(GRACE_MS)
    assert [each.player for each in (await process.tables())[0].seekers] == [BERT]
    await process.leave(BERT, match_id)
    await process.pass_time(GRACE_MS)
    assert (await process.match(match_id)).status is Status.ABORTED
    assert await process.tables() == ()
    assert (await process.seek(ANNA)).match_id != match_id


async def test_player_who_has_left_gets_another_place_at_once(process: Process) -> None:
    """No one has to wait until the service has noticed."""
    match_id = (await process.seek(ANNA)).match_id
    await process.seek(BERT)
    for player in (ANNA, BERT):
        await process.leave(player, match_id)
        again = await process.seek(player)
        assert again.match_id == match_id
        assert (await process.match(match_id)).seat_of(player) is not None
    seekers = [each.player for table in await process.tables() for each in table.seekers]
    assert sorted(seekers) == [ANNA, BERT]


async def test_players_who_are_kept_apart_do_not_meet(process: Process) -> None:
    """It does not matter who of the two came first; others join both tables, the fuller one first."""

    async def apart(one: PlayerId, other: PlayerId) -> bool:
        return {one, other} == {ANNA, BERT}

    process.application.hooks.may_not_meet.append(apart)
    first, second = [(await process.seek(player)).match_id for player in (ANNA, BERT)]
    assert first != second
    assert (await process.seek(CARL)).match_id == first
    assert (await process.seek(DORA)).match_id == first


async def test_stranger_who_fills_a_table_does_not_stop_it(process: Process) -> None:
    """Who comes by the lobby has no place: a seeker who finds the table full comes to another one, and the full one begins."""
    match_id = (await process.seek(ANNA)).match_id
    for player in (CARL, DORA):
        await process.application.matches.take_seat(player, match_id, None, "", "sit")
    assert (await process.seek(BERT)).match_id != match_id
    await process.pass_time(1)
    assert (await process.match(match_id)).status is Status.RUNNING


async def test_seat_of_a_player_who_does_not_come_is_offered_to_others_again(process: Process) -> None:
    """Also the last one: bots wait until the patience of those who are there ends, not that of one who never came."""
    match_id = (await process.seek(ANNA, 300)).match_id
    await process.seek(BERT, 300)
    await process.seek(CARL, 10, sit=False)
    await process.pass_time(1)
    process.time.now_ms += COME_MS
    await process.filling.step()
    await process.filling.step()
    assert seated(await process.match(match_id)) == [ANNA, BERT, None]
    assert (await process.seek(DORA, 300)).match_id == match_id
    match = await process.match(match_id)
    assert (match.status, seated(match)) == (Status.RUNNING, [ANNA, BERT, DORA])


@pytest.mark.parametrize("address", ["192.0.2.1", ""])
async def test_matches_left_to_bots_count_for_who_sought_them(address: str) -> None:
    """Seeking, sitting down and leaving again ends where starting matches does, also from many players of one address."""
    limits = LimitSettings(bot_matches_per_host=1, bot_matches_per_address=1, open_seats_per_player=100)
    process = Process(memory_stores(), Time(), Settings(bot_pause_ms=0, limits=limits))
    players = [PlayerId(f"p{number:026x}") for number in range(100, 106)] if address else [ANNA]

    async def let_bots_play(player: PlayerId) -> None:
        match_id = (await process.quick.seek(player, WISH, 5, None, address)).match_id
        await process.sit(player, match_id)
        await process.pass_time(5_000)
        await process.leave(player, match_id)
        await process.pass_time(1)

    running = 0
    with suppress(TooManyHeld):
        while running < 30:
            await let_bots_play(players[running % len(players)])
            running += 1
    assert running == (ADDRESS_START_FACTOR if address else HOST_START_FACTOR)
    assert await process.tables() == ()


async def test_table_that_fails_keeps_no_other_waiting(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose match cannot be read is dropped, one that fails otherwise is looked at again."""
    corrupt = (await process.seek(ANNA, 5)).match_id
    failing = (await process.seek(BERT, 5, wish=WISH._replace(seats=4))).match_id
    sound = (await process.seek(CARL, 5, wish=WISH._replace(seats=5))).match_id
    load = process.application.repository.load_latest

    async def loaded(match_id: MatchId) -> Loaded:
        if match_id == corrupt:
            raise CorruptHistory("a test")
        if match_id == failing:
            raise RuntimeError
        return await load(match_id)

    with monkeypatch.context() as patch:
        patch.setattr(process.application.repository, "load_latest", loaded)
        await process.pass_time(5_000)
    assert (await process.match(sound)).status is Status.RUNNING
    assert await process.tables() == ()
    assert len(await process.tables(WISH._replace(seats=4))) == 1
    await process.pass_time(1)
    assert (await process.match(failing)).status is Status.RUNNING


async def test_table_of_a_host_who_removes_the_bots_begins_all_the_same(process: Process) -> None:
    """What the host clears is filled again."""
    place = await process.seek(ANNA, 5)
    match_id = place.match_id
    await process.seek(BERT, sit=False)
    await process.pass_time(5_000)
    match = await process.match(match_id)
    assert (match.status, seated(match)) == (Status.OPEN, [ANNA, None, "honest"])
    await process.application.matches.clear_seat(ANNA, match_id, Seat(2), "clear")
    await process.pass_time(COME_MS)
    assert (await process.match(match_id)).status is Status.RUNNING


async def test_wish_that_cannot_be_played_is_refused(process: Process) -> None:
    """An unknown game or bot, or a number of seats that the game does not have as it is."""
    with pytest.raises(NotFound):
        await process.seek(ANNA, wish=WISH._replace(game=GameId("chess")))
    for seats, bot in ((9, None), (3, "no-such-bot")):
        with pytest.raises(InvalidOptions):
            await process.seek(ANNA, wish=WISH._replace(seats=seats), bot=bot)
    assert await process.quick.waiting() == []


async def test_too_many_tables_of_a_wish_are_refused(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who can join one is not."""
    monkeypatch.setattr(seeking, "MOST_TABLES", 1)

    async def apart(one: PlayerId, other: PlayerId) -> bool:
        return BERT in {one, other}

    process.application.hooks.may_not_meet.append(apart)
    await process.seek(ANNA)
    with pytest.raises(TooManySeek):
        await process.seek(BERT)
    await process.seek(CARL)


async def test_seekers_are_counted_without_names(process: Process) -> None:
    """By what they want; whom no one can join is not counted."""
    assert await process.filling.step() == IDLE_SECONDS
    await process.seek(ANNA)
    await process.seek(BERT)
    await process.seek(CARL, wish=WISH._replace(game=GameId("mondkrone")))
    assert await process.quick.waiting() == [(WISH, 2), (WISH._replace(game=GameId("mondkrone")), 1)]
    await process.seek(DORA)
    assert await process.quick.waiting() == [(WISH._replace(game=GameId("mondkrone")), 1)]
    assert await process.filling.step() == PAUSE_SECONDS


async def test_deleted_player_waits_nowhere(process: Process) -> None:
    """The places go with the player, and so do the seats."""
    player = (await process.application.accounts.register("Anna"))[0].id
    match_id = (await process.seek(player)).match_id
    await process.seek(BERT)
    await process.application.erasure.forget(player)
    assert [each.player for table in await process.tables() for each in table.seekers] == [BERT]
    assert seated(await process.match(match_id)) == [None, BERT, None]


async def test_every_pace_is_a_clock_of_its_own() -> None:
    """Each slower than the one before."""
    turns = [CLOCKS[pace].turn_seconds for pace in QuickPace]
    assert turns == sorted({*turns})


async def test_seekers_at_once_end_at_full_tables(stores: Stores) -> None:
    """Over several processes: no one is alone while there are partners, and no one sits twice."""
    time = Time()
    processes = [Process(stores, time) for _ in range(4)]
    players = [PlayerId(f"p{number:026x}") for number in range(100, 120)]
    wish = WISH._replace(seats=4)
    places = await asyncio.gather(
        *(processes[number % len(processes)].seek(player, wish=wish) for number, player in enumerate(players))
    )
    counts = Counter(place.match_id for place in places)
    assert sorted(counts.values()) == [4] * 5
    for match_id in counts:
        match = await processes[0].match(match_id)
        assert match.status is Status.RUNNING
        assert {chair.player for chair in match.chairs} == {
            player for player, place in zip(players, places, strict=True) if place.match_id == match_id
        }
    await processes[0].pass_time(1)
    assert await processes[0].tables(wish) == ()


async def test_several_processes_fill_a_table_once(stores: Stores) -> None:
    """The lease saves effort; without it nothing happens twice either."""
    time = Time()
    processes = [Process(stores, time) for _ in range(3)]
    match_id = (await processes[0].seek(ANNA, 5)).match_id
    time.now_ms += 5_000
    for _ in range(3):
        await asyncio.gather(*(each.filling.step() for each in processes))
    match = await processes[0].match(match_id)
    assert (match.status, seated(match)) == (Status.RUNNING, [ANNA, "honest", "honest"])


class Dying:
    """A store that lets a number of calls through and then cuts the process off: before a call, or right after it."""

    def __init__(self, store: object, left: list[int], *, after: bool) -> None:
        self._store = store
        self._left = left
        self._after = after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **more: Any) -> Any:
            self._left[0] -= 1
            if self._left[0] < 0 or (self._left[0] == 0 and not self._after):
                raise StoreUnavailable("the process died")
            result = await found(*args, **more)
            if self._left[0] == 0:
                raise StoreUnavailable("the process died")
            return result

        return call


async def dies(stores: Stores, time: Time, calls: int, work: Callable[[Process], Awaitable[object]], *, after: bool) -> bool:
    """Let a process work until it has made that number of calls; return whether that was before it was done."""
    left = [calls]
    process = Process(wrapped(stores, lambda _, store: Dying(store, left, after=after)), time)
    try:
        await work(process)
    except StoreUnavailable:
        return True
    return False


@pytest.mark.parametrize("after", [False, True])
async def test_nothing_is_stuck_when_a_process_dies_while_it_seeks(after: bool) -> None:
    """Wherever it dies: the others get a full table, the player a place when it asks again, and in the end no one waits."""
    calls, more = 0, True
    while more:
        calls += 1
        stores, time = memory_stores(), Time()
        more = await dies(stores, time, calls, lambda process: process.seek(BERT), after=after)
        process = Process(stores, time)
        await process.seek(ANNA, 60)
        again = await process.seek(BERT, sit=False)
        if (await process.match(again.match_id)).seat_of(BERT) is None:
            await process.sit(BERT, again.match_id)
        await process.seek(CARL, 60)
        match = await process.match(again.match_id)
        assert match.status is Status.RUNNING, calls
        assert sorted(str(each) for each in seated(match)) == sorted((ANNA, BERT, CARL)), calls
        await process.pass_time(COME_MS)
        assert await process.tables() == (), calls
    assert calls > 5


@pytest.mark.parametrize("after", [False, True])
async def test_player_has_one_kept_seat_when_a_process_dies_while_it_moves(after: bool) -> None:
    """Wherever it dies: whichever of the two the player asks for again, it is the only seat."""
    for again in (WISH, OTHER_WISHES[0]):
        calls, more = 0, True
        while more:
            calls += 1
            stores, time = memory_stores(), Time()
            process = Process(stores, time)
            await process.seek(BERT, 60)
            first = (await process.seek(ANNA, sit=False)).match_id
            more = await dies(
                stores, time, calls, lambda process: process.seek(ANNA, wish=OTHER_WISHES[0], sit=False), after=after
            )
            place = await Process(stores, time).seek(ANNA, wish=again, sit=False)
            assert await kept_for(process, ANNA, {first, place.match_id}) == {place.match_id}, calls
        assert calls > 5


@pytest.mark.parametrize("after", [False, True])
async def test_nothing_is_stuck_when_a_seeker_never_comes_back(after: bool) -> None:
    """Wherever its process died, who is there begins with bots, in its own time."""
    calls, more = 0, True
    while more:
        calls += 1
        stores, time = memory_stores(), Time()
        more = await dies(stores, time, calls, lambda process: process.seek(BERT, sit=False), after=after)
        process = Process(stores, time)
        match_id = (await process.seek(ANNA, 60)).match_id
        await process.pass_time(60_000)
        match = await process.match(match_id)
        assert match.status is Status.RUNNING, calls
        assert Counter(seated(match)) == Counter({ANNA: 1, "honest": 2}), calls
        assert await process.tables() == (), calls


@pytest.mark.parametrize("after", [False, True])
async def test_nothing_is_stuck_when_a_process_dies_while_it_fills_a_table(after: bool) -> None:
    """The next one goes on where it stopped."""
    calls, more = 0, True
    while more:
        calls += 1
        stores, time = memory_stores(), Time()
        process = Process(stores, time)
        match_id = (await process.seek(ANNA, 5)).match_id
        await process.seek(BERT, 30, sit=False)
        time.now_ms += COME_MS
        more = await dies(stores, time, calls, lambda process: process.pass_time(0), after=after)
        await process.pass_time(1)
        match = await process.match(match_id)
        assert (match.status, seated(match)) == (Status.RUNNING, [ANNA, "honest", "honest"]), calls
        assert await process.tables() == (), calls


async def test_seat_that_a_cut_off_request_kept_too_late_is_freed(process: Process) -> None:
    """Its place was gone by then, so no one would come."""
    match_id = (await process.seek(ANNA, 60)).match_id
    order = issued_by_service(match_id, Act.RESERVE_QUICK_SEAT.key("late"), ReserveSeat(BERT))
    await process.application.handler.carry_out(order)
    await process.pass_time(1)
    assert (await process.match(match_id)).reserved_for(BERT) is None
    with pytest.raises(MatchRefused):
        await process.leave(BERT, match_id)
