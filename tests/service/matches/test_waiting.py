"""What the service does while a table waits for its players, and what its bots do afterwards."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.domain.match.commands import OpenMatch
from tafelrunde.domain.match.state import Match
from tafelrunde.service.application import Application
from tafelrunde.service.duties import InProcess, following, sweep
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.lessons.service import Lessons
from tafelrunde.service.matches.process_manager import RemainingWork
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Settings
from tafelrunde.service.slices import play_slice

pytestmark = pytest.mark.anyio
START_MS = 1_700_000_000_000
HOUR_MS = 3_600_000
PAUSE_MS = 700
TURN_MS, AWAY_MS = 120_000, 300_000
ANNA = PlayerId("p-anna")
COUP = GameId("coup")


class Scene:
    """A match of Anna against bots, whose clock the test moves."""

    def __init__(self) -> None:
        self.now_ms = START_MS
        self.stores = memory_stores()
        self.settings = Settings(bot_pause_ms=PAUSE_MS)
        self.application = self.process()
        self.match = MatchId("")

    def process(self) -> Application:
        """Return one process of the service."""
        return Application(self.stores, self.settings, now_ms=lambda: self.now_ms)

    async def open(self, bot: str = "random", clock: Clock | None = None, first: int = 0) -> None:
        """Open the match: Anna is asked first, or else the bot."""
        new = NewMatch(
            game=COUP,
            seats=2,
            seat=Seat(0),
            options={"first_seat": first},
            bots={Seat(1): BotName(bot)},
            clock=clock or Clock(turn_seconds=TURN_MS // 1_000, reaction_seconds=TURN_MS // 1_000),
            start=True,
        )
        self.match = (await self.application.matches.open(ANNA, new, "open")).match

    async def leave(self, key: str = "leave") -> None:
        """Let Anna leave."""
        await self.application.matches.leave_seat(ANNA, self.match, key)

    async def come_back(self) -> None:
        """Let Anna take her seat again."""
        await self.application.matches.take_seat(ANNA, self.match, None, "", "back")

    async def duties(self) -> None:
        """Do once what is due: the clock, clocks of matches, bots in all queues."""
        await following(self.application)()
        await sweep(self.application, AgendaKind.DEADLINE, InProcess(self.application).work)()
        manager, agenda = self.application.process_manager, self.stores.agenda
        for match, _ in (await agenda.claim(AgendaKind.WORK, self.now_ms, self.settings.lease_ms, 10)).due:
            queue: QueueName | None = QueueName.BOTS_FAST
            while queue is not None:
                queue = await play_slice(manager, agenda, self.application.now_ms, match, queue)

    async def run(self, ms: int) -> None:
        """Let time go by, and do what is due meanwhile."""
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms = min(end_ms, self.now_ms + PAUSE_MS)
            await self.duties()

    async def state(self) -> Match:
        """Return the match as it is now."""
        return (await self.application.repository.load_latest(self.match)).match

    async def length(self) -> int:
        """Return how many events there are."""
        return (await self.application.repository.load_latest(self.match)).version


@pytest.mark.parametrize("bot", ["random", "search-small"])
async def test_bots_do_nothing_while_the_table_waits(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They neither answer nor think, however often they are called; no clock strikes, and then they play on."""
    scene = Scene()
    thoughts = list[MatchId]()
    searched = turns.search

    async def counted(match: Match, seats: list[Seat], alarm: turns.Alarm) -> object:
        thoughts.append(scene.match)
        return await searched(match, seats, alarm)

    monkeypatch.setattr(turns, "search", counted)
    await scene.open(bot)
    await scene.leave()
    before = await scene.length()
    for _ in range(3):
        assert await scene.application.process_manager.play_bots(scene.match) is RemainingWork.NOTHING
    await scene.run(AWAY_MS - 1)
    assert (await scene.length(), thoughts) == (before, [])
    scene.now_ms += 1
    await scene.duties()
    await scene.run(2 * PAUSE_MS)
    assert await scene.length() > before


async def test_bots_wait_when_the_last_player_leaves_while_they_think(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they thought of is not played, and no worker looks again before the end of the wait."""
    scene = Scene()
    searched = turns.search

    async def thinking(match: Match, seats: list[Seat], alarm: turns.Alarm) -> object:
        await scene.leave()
        return await searched(match, seats, alarm)

    await scene.open("search-small", first=1)
    before = (await scene.state()).open_decision()
    monkeypatch.setattr(turns, "search", thinking)
    await scene.application.process_manager.play_bots(scene.match)
    await scene.run(2 * PAUSE_MS)
    assert (await scene.state()).open_decision() == before
    claims = await scene.stores.agenda.claim(AgendaKind.WORK, scene.now_ms, scene.settings.lease_ms, 10)
    assert claims == Claims((), START_MS + AWAY_MS)
    await scene.run(AWAY_MS)
    assert (await scene.state()).open_decision() != before


async def test_bots_play_at_once_when_a_player_comes_back_while_their_work_is_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that write to the agenda at once do not leave a table without bots until its clock strikes."""
    scene = Scene()
    await scene.open(first=1)
    await scene.leave()
    agenda = scene.stores.agenda
    postpone = scene.stores.agenda.postpone

    async def late(kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        monkeypatch.setattr(agenda, "postpone", postpone)
        await scene.come_back()
        await postpone(kind, match, until_ms)

    monkeypatch.setattr(agenda, "postpone", late)
    await scene.application.process_manager.play_bots(scene.match)
    before = (await scene.state()).open_decision()
    await scene.run(3 * PAUSE_MS)
    assert (await scene.state()).open_decision() != before


async def test_bots_play_on_at_the_pace_of_people_when_no_one_came_back() -> None:
    """One answer for each pause, so that who comes late still finds a table to come back to."""
    scene = Scene()
    await scene.open()
    await scene.leave()
    await scene.run(AWAY_MS)
    for _ in range(3):
        before = (await scene.state()).open_decision()
        await scene.application.process_manager.play_bots(scene.match)
        assert (await scene.state()).open_decision() == before
        await scene.run(PAUSE_MS)
        assert (await scene.state()).open_decision() != before
    assert (await scene.state()).status is Status.RUNNING


async def test_player_has_the_whole_time_when_it_comes_back_at_the_last_moment() -> None:
    """It is not late at once, and nothing was played meanwhile."""
    scene = Scene()
    await scene.open()
    asked = (await scene.state()).open_decision()
    await scene.leave()
    await scene.run(AWAY_MS - 1)
    await scene.come_back()
    await scene.run(TURN_MS - 1)
    assert (await scene.state()).open_decision() == asked
    await scene.run(1)
    assert (await scene.state()).open_decision() != asked


async def test_wait_goes_on_when_the_process_was_killed() -> None:
    """It stands in the log and on the agenda, not in a process."""
    scene = Scene()
    await scene.open()
    await scene.leave()
    before = await scene.length()
    scene.application = scene.process()
    await scene.run(AWAY_MS - 1)
    assert await scene.length() == before
    await scene.run(2)
    assert await scene.length() > before


@pytest.mark.parametrize("back_ms", [2_000, HOUR_MS])
async def test_table_waits_for_no_more_than_twice_its_time_when_the_clock_is_set_back(back_ms: int) -> None:
    """What is planned comes nearer by as much: no wait takes an hour, and a place is not given away earlier."""
    scene = Scene()
    await scene.open()
    await scene.leave()
    before = await scene.length()
    await scene.run(AWAY_MS // 2)
    scene.now_ms -= back_ms
    await scene.run(AWAY_MS // 2 - PAUSE_MS)
    assert await scene.length() == before
    await scene.run(AWAY_MS)
    assert await scene.length() > before


async def test_table_does_not_wait_for_what_a_clock_skips() -> None:
    """Set forward, the skipped time is lost, as it is for a decision."""
    scene = Scene()
    await scene.open()
    await scene.leave()
    before = await scene.length()
    scene.now_ms += HOUR_MS
    await scene.run(2 * PAUSE_MS)
    assert await scene.length() > before


async def test_bots_finish_at_once_when_no_place_is_kept() -> None:
    """A match that says so is over in one call, as one of bots alone is."""
    scene = Scene()
    await scene.open(clock=Clock(away_seconds=0))
    await scene.leave()
    await scene.application.process_manager.play_bots(scene.match)
    assert (await scene.state()).status is Status.OVER


async def test_rest_of_a_left_match_waits_behind_those_of_people() -> None:
    """Where people are served first, its bots do not answer."""
    scene = Scene()
    await scene.open()
    await scene.leave()
    manager = scene.application.process_manager
    assert await manager.play_bots(scene.match, alone=False) is RemainingWork.NOTHING
    scene.now_ms += AWAY_MS
    assert await manager.play_bots(scene.match, alone=False) is RemainingWork.ALONE


async def test_new_match_says_for_how_long_its_table_waits() -> None:
    """Five minutes if its host does not say; a stored opening names it, and so does the row of the match."""
    scene = Scene()
    await scene.open()
    assert (await scene.state()).settings.clock.away_seconds == 300
    await scene.leave()
    row = await scene.application.queries.summary(ANNA, scene.match)
    assert row.waits_until_ms == START_MS + AWAY_MS
    loaded = await scene.application.repository.load_latest(scene.match)
    opened = scene.application.repository.codec.command_of(scene.application.repository.codec.envelope(loaded.entries[0]).command)
    assert isinstance(opened, OpenMatch)
    assert opened.settings.clock.away_seconds == 300


async def test_lesson_and_deal_of_the_day_are_kept_when_their_player_leaves() -> None:
    """A lesson for a week, as long as practice is kept at all; a deal until its day is over."""
    scene = Scene()
    lesson = (await scene.application.get(Lessons).open(ANNA, COUP, "lesson")).match
    daily = (await scene.application.get(DailyDeals).open(ANNA, COUP)).match
    for match, seconds in ((lesson, 604_800), (daily, 86_400)):
        await scene.application.matches.leave_seat(ANNA, match, "leave")
        row = await scene.application.queries.summary(ANNA, match)
        assert row.waits_until_ms == START_MS + 1_000 * seconds


async def test_table_of_a_rematch_waits_as_a_new_one_when_the_match_before_was_practice() -> None:
    """Practice waits for as long as it is kept; what follows it is kept for good, and must not stay with its bots for a week."""
    scene = Scene()
    matches = scene.application.matches
    scene.match = (await scene.application.get(Lessons).open(ANNA, COUP, "lesson")).match
    while (state := await scene.state()).status is Status.RUNNING:
        decision = state.open_decision()
        seat = state.seat_of(ANNA)
        assert decision is not None
        assert seat is not None
        if legal := state.game.legal(state.table, seat):
            await matches.play(ANNA, scene.match, decision, legal[0], str(decision))
        await scene.run(PAUSE_MS)
    await matches.rematch(ANNA, scene.match, "again")
    successor = (await scene.state()).rematch
    assert successor is not None
    await matches.take_seat(ANNA, successor, None, "", "sit")
    await matches.leave_seat(ANNA, successor, "leave")
    row = await scene.application.queries.summary(ANNA, successor)
    assert row.waits_until_ms == scene.now_ms + AWAY_MS
