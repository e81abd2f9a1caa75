"""When bots answer: at a time and in an order that reveal nothing of their cards, and never too late."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace

import msgspec
import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.coup.messages import Challenge, ClaimTax, CoupCommand, CoupOptions, LetPass
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import Budget, Command, DecisionId, GameId, Refusal, Rng, RuleViolation, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Spectators
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import race
from tafelrunde.service.application import Application
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.features.bots.feature import STORE as THOUGHTS
from tafelrunde.service.features.bots.service import ALARM_SECONDS, Alarm, Thought
from tafelrunde.service.matches.command_handler import Admit, CommandHandler, IssuedCommand
from tafelrunde.service.matches.pacing import FURTHER, longest_ms
from tafelrunde.service.matches.process_manager import RemainingWork
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import Written
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio

LARGE, SMALL, HONEST = BotName("search-large"), BotName("search-small"), BotName("honest")
PAD_MS = round((longest_ms(GAMES[GameId("coup")], LARGE) or 0) * (1 + 2 * FURTHER))
PAUSE_MS = Settings().bot_pause_ms
WORK = AgendaKind.WORK


class Scene:
    """A match of Coup in which Anna claims a tax and three bots are asked whether they doubt; its clock moves when bots think."""

    def __init__(self, settings: Settings, stores: Stores) -> None:
        self.now_ms = 1_000_000
        self.posted: list[MatchId] = []
        self.application = Application(stores, settings, now_ms=lambda: self.now_ms, post_job=self.post)
        self.anna = PlayerId("")
        self.match = MatchId("")
        self.decision = DecisionId(0)
        self.opened_ms = 0
        self.thought: list[Seat] = []

    def post(self, queue: QueueName, match: MatchId) -> None:
        """Take a job for bots."""
        assert queue is QueueName.BOTS_FAST
        self.posted.append(match)

    async def ask(self, names: Sequence[BotName]) -> None:
        """Open the match, and let the bots be asked."""
        self.anna = (await self.application.accounts.register("Anna"))[0].id
        new = NewMatch(
            game=GameId("coup"),
            seats=1 + len(names),
            options={"first_seat": 0},
            bots={Seat(seat): name for seat, name in enumerate(names, start=1)},
            start=True,
            clock=Clock(turn_seconds=600, reaction_seconds=600, away_seconds=0),
            spectators=Spectators.PUBLIC,
        )
        self.match = (await self.application.matches.open(self.anna, new, "open")).match
        await self.application.matches.play(self.anna, self.match, await self.question(), ClaimTax(), "tax")
        self.opened_ms = self.now_ms
        self.decision = (await self.state()).open_decision() or self.decision

    async def question(self) -> DecisionId:
        """Return the decision that is asked of Anna."""
        question = (
            await self.application.queries.view(await self.application.queries.viewer(self.anna, self.match), self.match)
        ).view.question
        assert question is not None
        return question.decision

    async def state(self) -> Match:
        """Return the match as it is now."""
        return (await self.application.repository.load_latest(self.match)).match

    def thinking(self, monkeypatch: pytest.MonkeyPatch, thoughts: Mapping[Seat, tuple[int, Command]]) -> None:
        """Let each bot think for that many milliseconds, and choose."""

        def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
            took_ms, command = thoughts[seat]
            self.now_ms += took_ms
            self.thought.append(seat)
            return command

        monkeypatch.setattr(turns, "choose", choose)

    async def answers(self) -> list[tuple[Seat, int]]:
        """Return which bots have answered the question about the tax, in order, and when."""
        loaded = await self.application.repository.load_latest(self.match)
        found = list[tuple[Seat, int]]()
        for entry in loaded.entries[: loaded.version]:
            envelope, _ = self.application.repository.codec.decode(entry)
            if envelope.command and isinstance(play := self.application.repository.codec.command_of(envelope.command), BotPlay):
                found += [(play.seat, envelope.time_ms)] if play.decision == self.decision else []
        return found

    async def work(self) -> None:
        """Do the work of workers, exactly when it is due, until the question about the tax is answered."""
        for _ in range(50):
            state = await self.state()
            if state.open_decision() != self.decision or not state.bots_asked():
                return
            claims = await self.application.stores.agenda.claim(WORK, self.now_ms, self.application.settings.lease_ms, 10)
            if self.posted or claims.due:
                await self.job()
            else:
                assert claims.next_ms is not None, "an open decision of bots stands in the agenda"
                self.now_ms = claims.next_ms
        raise AssertionError("the bots never answer")

    async def job(self) -> RemainingWork:
        """Do one job that the api asked for: what a worker does at once."""
        self.posted.clear()
        return await self.application.process_manager.play_bots(self.match)


async def scene_of(names: Sequence[BotName] = (LARGE, LARGE, LARGE), *, pause_ms: int = PAUSE_MS, sweep_ms: int = 100) -> Scene:
    """Return a scene in which these bots are asked."""
    scene = Scene(Settings(bot_pause_ms=pause_ms, sweep_ms=sweep_ms), memory_stores())
    await scene.ask(names)
    return scene


def each(*took_ms: int) -> dict[Seat, tuple[int, Command]]:
    """Return thoughts of those durations, all ending in a pass."""
    return {Seat(seat): (ms, LetPass()) for seat, ms in enumerate(took_ms, start=1)}


@pytest.mark.parametrize(
    "thoughts",
    [
        pytest.param(each(0, 0, 0), id="nobody-thinks"),
        pytest.param({**each(20, 0, 40), Seat(2): (0, Challenge())}, id="one-doubts-at-once"),
        pytest.param({**each(0, 1, 0), Seat(3): (500, Challenge())}, id="the-last-one-thinks-long"),
    ],
)
async def test_bots_of_a_window_answer_together_whatever_they_think(
    monkeypatch: pytest.MonkeyPatch, thoughts: Mapping[Seat, tuple[int, Command]]
) -> None:
    """All answers come in the order of seats, when the pause is over, so neither order nor time reveals who had to think."""
    scene = await scene_of()
    scene.thinking(monkeypatch, thoughts)
    await scene.work()
    asked = [seat for seat in (1, 2, 3) if not any(thoughts[Seat(before)][1] == Challenge() for before in range(1, seat))]
    assert await scene.answers() == [(seat, scene.opened_ms + PAUSE_MS) for seat in asked]
    page = await scene.application.queries.feed(
        await scene.application.queries.viewer(scene.anna, scene.match), scene.match, None, 500
    )
    shown = {item.at_ms for item in page.items if item.at_ms > scene.opened_ms}
    assert shown == {scene.opened_ms + PAUSE_MS}


async def times(monkeypatch: pytest.MonkeyPatch, took_ms: int, delay_ms: int, pause_ms: int) -> list[tuple[Seat, int]]:
    """Return when bots answer that think for *took_ms* each, if a worker picks them up *delay_ms* late."""
    scene = await scene_of(pause_ms=pause_ms)
    scene.thinking(monkeypatch, each(took_ms, took_ms, took_ms))
    scene.now_ms += delay_ms
    await scene.job()
    await scene.work()
    return [(seat, at_ms - scene.opened_ms) for seat, at_ms in await scene.answers()]


@pytest.mark.parametrize("pause_ms", [0, PAUSE_MS])
async def test_time_of_an_answer_is_the_same_with_one_legal_move_and_with_many(
    monkeypatch: pytest.MonkeyPatch, pause_ms: int
) -> None:
    """However late a worker comes, a bot without a choice answers in the very millisecond in which one that searched would."""
    dice = random.Random(1)
    for delay_ms in (0, 30, 99, 100, 101, 250, 600, 3_000):
        searched_ms = dice.randrange(1, PAD_MS // 3)
        forced = await times(monkeypatch, 0, delay_ms, pause_ms)
        assert forced == await times(monkeypatch, searched_ms, delay_ms, pause_ms)
        assert forced == [(seat, max(pause_ms, delay_ms + PAD_MS)) for seat in (1, 2, 3)]


async def test_answer_that_was_thought_about_for_far_too_long_is_late_by_whole_pads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on a machine that stalls now and then the lateness does not reveal the duration of a search."""
    late = {(await times(monkeypatch, took_ms, 0, 0))[0][1] for took_ms in (PAD_MS // 3, 120, 170, 180, 240)}
    assert late == {2 * PAD_MS, 3 * PAD_MS}


async def test_bot_that_thinks_delays_no_other_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job ends with the thought: eight matches with three bots each get their answers from one worker in hardly more time."""
    scenes = [await scene_of() for _ in range(8)]
    for scene in scenes:
        scene.thinking(monkeypatch, each(10, 10, 10))
        before_ms = scene.now_ms
        assert await scene.job() is RemainingWork.NOTHING
        assert scene.now_ms == before_ms + 30
        assert await scene.answers() == []


async def test_bots_that_do_not_search_answer_with_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    """All bots of a decision answer together; a rule of thumb is asked when it is time."""
    scene = await scene_of([HONEST, LARGE, SMALL])
    scene.thinking(monkeypatch, each(0, 20, 5))
    await scene.work()
    assert await scene.answers() == [(seat, scene.opened_ms + PAUSE_MS) for seat in (1, 2, 3)]
    assert scene.thought[:3] == [2, 3, 1]


async def test_bots_among_themselves_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a human player at the table no one is kept waiting."""
    scene = await scene_of()
    await scene.application.matches.leave_seat(scene.anna, scene.match, "leave")
    scene.thinking(monkeypatch, {Seat(0): (0, LetPass()), **each(10, 10, 10)})
    with pytest.raises(RuleViolation):  # these passes fit the first question only
        await scene.job()
    assert await scene.answers() == [(seat, scene.opened_ms + 10 * seat) for seat in (1, 2, 3)]


async def test_slice_of_bots_among_themselves_ends_after_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked at once: people wait for one thought at most, not for a whole window."""
    scene = await scene_of()
    await scene.application.matches.leave_seat(scene.anna, scene.match, "leave")
    scene.thinking(monkeypatch, each(60, 60, 60))
    left = await scene.application.process_manager.play_bots(scene.match, scene.now_ms + 50)
    assert left is RemainingWork.MORE
    assert scene.thought == [1]


async def test_long_thought_is_left_to_who_has_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that handles timeouts neither thinks for long nor plays what no one waits for."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    assert await scene.application.process_manager.play_bots(scene.match, deep=False, alone=False) is RemainingWork.DEEP
    await scene.application.matches.leave_seat(scene.anna, scene.match, "leave")
    assert await scene.application.process_manager.play_bots(scene.match, deep=False, alone=False) is RemainingWork.ALONE
    assert scene.thought == []


async def test_answer_that_is_kept_shows_nowhere_before_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither log nor views nor what the service logs know of it."""
    scene = await scene_of()
    scene.thinking(monkeypatch, {**each(5, 5, 5), Seat(1): (5, Challenge())})

    async def seen() -> object:
        looks = [(await scene.application.repository.load_latest(scene.match)).version]
        for who in (scene.anna, None):
            viewer = await scene.application.queries.viewer(who, scene.match)
            page = await scene.application.queries.feed(viewer, scene.match, None, 500)
            looks += [page, await scene.application.queries.view(viewer, scene.match)]
        return looks

    before = msgspec.json.encode(await seen(), enc_hook=repr)
    with capture_logs() as logged:
        await scene.job()
    assert await THOUGHTS.of(scene.application.stores).read(scene.match) is not None
    assert msgspec.json.encode(await seen(), enc_hook=repr) == before
    assert logged == []


@pytest.mark.parametrize("found", [None, b"", b"\xc1", msgspec.msgpack.encode(Thought(DecisionId(1), 0, ()))])
async def test_answer_that_was_lost_is_thought_of_again(monkeypatch: pytest.MonkeyPatch, found: bytes | None) -> None:
    """What is not there, or cannot be read, or answers another decision costs time, and nothing else."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    await scene.job()
    await THOUGHTS.of(scene.application.stores).keep(scene.match, found or b"", 0 if found is None else 60_000)
    await scene.work()
    assert [seat for seat, _ in await scene.answers()] == [1, 2, 3]
    assert {at_ms - scene.opened_ms for _, at_ms in await scene.answers()} == {PAUSE_MS + PAD_MS}


async def test_answer_that_is_not_legal_any_more_is_thought_of_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept answer is checked against the table as it is now."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    await scene.job()
    codec = scene.application.repository.codec
    wrong = [codec.command(BotPlay(Seat(seat), scene.decision, ClaimTax())) for seat in (1, 2, 3)]
    thought = msgspec.msgpack.encode(Thought(scene.decision, scene.opened_ms, tuple(wrong)))
    await THOUGHTS.of(scene.application.stores).keep(scene.match, thought, 60_000)
    await scene.work()
    assert [seat for seat, _ in await scene.answers()] == [1, 2, 3]
    assert scene.thought[:6] == [1, 2, 3, 1, 2, 3]


@pytest.mark.parametrize("meanwhile", [True, False])
async def test_answer_that_is_refused_is_thought_of_again_if_the_match_went_on(
    monkeypatch: pytest.MonkeyPatch, *, meanwhile: bool
) -> None:
    """If nothing happened meanwhile the bot is wrong, and the failure must be seen."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    carry_out = CommandHandler.carry_out
    refusals = [RuleViolation(Refusal("no"))]

    async def refuse_once(self: CommandHandler, order: IssuedCommand, admit: Admit | None = None) -> Written:
        if refusals and isinstance(order.command, BotPlay):
            if meanwhile:
                await scene.application.matches.leave_seat(scene.anna, scene.match, "leave")
                await scene.application.matches.take_seat(scene.anna, scene.match, Seat(0), "", "back")
            raise refusals.pop()
        return await carry_out(self, order, admit)

    monkeypatch.setattr(CommandHandler, "carry_out", refuse_once)
    if meanwhile:
        await scene.work()
        assert [seat for seat, _ in await scene.answers()] == [1, 2, 3]
    else:
        with pytest.raises(RuleViolation, match="no"):
            await scene.work()


async def test_thought_about_a_decision_that_was_closed_meanwhile_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take the place of a thought about the next one."""
    scene = await scene_of()

    async def overtaken(match: Match, seats: Sequence[Seat], alarm: Alarm) -> Mapping[Seat, BotPlay]:
        order = IssuedCommand(
            match=scene.match,
            actor="bot:search-large:1",
            key="another worker",
            fingerprint=b"",
            command=BotPlay(Seat(1), scene.decision, Challenge()),
        )
        await scene.application.handler.carry_out(order)
        return {seat: BotPlay(seat, scene.decision, LetPass()) for seat in seats}

    monkeypatch.setattr(turns, "search", overtaken)
    assert await scene.job() is RemainingWork.NOTHING
    assert (await scene.state()).open_decision() != scene.decision
    assert await THOUGHTS.of(scene.application.stores).read(scene.match) is None


async def test_each_bot_answers_once_however_many_workers_think_and_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs come twice; two workers may even think of different answers."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    other = Application(scene.application.stores, scene.application.settings, now_ms=scene.application.now_ms)
    await asyncio.gather(scene.job(), other.process_manager.play_bots(scene.match))
    scene.now_ms = scene.opened_ms + PAUSE_MS + 30
    jobs: list[Callable[[], Awaitable[RemainingWork]]] = [scene.job, partial(other.process_manager.play_bots, scene.match)]
    await asyncio.gather(*(job() for job in 2 * jobs))
    await scene.work()
    assert [seat for seat, _ in await scene.answers()] == [1, 2, 3]


async def test_time_of_an_answer_does_not_tell_that_someone_answered_while_it_was_thought_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hidden answer makes a second worker think as well; it ends later, and the time fixed by the first one holds."""
    scene = await scene_of([LARGE])
    began, ended = (asyncio.Event(), asyncio.Event()), (asyncio.Event(), asyncio.Event())
    workers = iter((0, 1))

    async def searched(match: Match, seats: Sequence[Seat], alarm: Alarm) -> Mapping[Seat, BotPlay]:
        worker = next(workers, 1)
        began[worker].set()
        await ended[worker].wait()
        return {seat: BotPlay(seat, scene.decision, LetPass()) for seat in seats}

    monkeypatch.setattr(turns, "search", searched)
    other = Application(scene.application.stores, scene.application.settings, now_ms=lambda: scene.now_ms)
    first = asyncio.create_task(scene.job())
    await began[0].wait()
    scene.now_ms += PAUSE_MS // 2
    second = asyncio.create_task(other.process_manager.play_bots(scene.match))
    await began[1].wait()
    for event, job in zip(ended, (first, second), strict=True):
        event.set()
        await job
    await scene.work()
    assert await scene.answers() == [(Seat(1), scene.opened_ms + PAUSE_MS)]


async def test_agenda_knows_when_an_answer_is_due_although_something_else_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of a person sets the agenda to a lease from now; the job that it asks for sets it right."""
    scene = await scene_of()
    scene.thinking(monkeypatch, each(10, 10, 10))
    await scene.job()
    await scene.application.matches.leave_seat(scene.anna, scene.match, "leave")
    await scene.application.matches.take_seat(scene.anna, scene.match, Seat(0), "", "back")
    assert scene.posted == [scene.match, scene.match]
    assert await scene.job() is RemainingWork.NOTHING
    claims = await scene.application.stores.agenda.claim(WORK, scene.now_ms, 1, 10)
    assert claims.next_ms == scene.opened_ms + PAUSE_MS
    assert scene.thought == [1, 2, 3]


async def test_answer_is_in_the_agenda_before_it_is_thought_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the next look of a sweeper does not depend on how long the thought takes, and a worker that dies delays it little."""
    scene = await scene_of()
    looks = list[int | None]()

    async def looked(match: Match, seats: Sequence[Seat], alarm: Alarm) -> Mapping[Seat, BotPlay]:
        looks.append((await scene.application.stores.agenda.claim(WORK, scene.now_ms, 1, 10)).next_ms)
        return {seat: BotPlay(seat, scene.decision, LetPass()) for seat in seats}

    monkeypatch.setattr(turns, "search", looked)
    await scene.job()
    assert looks == [scene.opened_ms + PAUSE_MS]


async def test_host_without_workers_keeps_answers_until_they_are_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that tends itself thinks at once and answers in time, too."""
    scene = await scene_of(sweep_ms=5)
    scene.thinking(monkeypatch, each(10, 10, 10))
    tending = asyncio.create_task(scene.application.tend())
    scene.now_ms += scene.application.settings.lease_ms
    due_ms = scene.now_ms + PAD_MS
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await THOUGHTS.of(scene.application.stores).read(scene.match) is None:  # noqa: ASYNC110 - the store sets no event
            await asyncio.sleep(0.01)
        assert await scene.answers() == []
        scene.now_ms = due_ms
        while len(await scene.answers()) < 3:  # noqa: ASYNC110 - the store sets no event
            await asyncio.sleep(0.01)
    tending.cancel()
    await asyncio.wait({tending})
    assert await scene.answers() == [(seat, due_ms) for seat in (1, 2, 3)]


class Time:
    """The clock of a search: it stands still but for play-outs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(turns, "time", SimpleNamespace(perf_counter=lambda: self.now))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """A clock that moves only when bots think."""
    return Time(monkeypatch)


class Slow:
    """A search of Coup in which every play-out takes a while and finds all moves alike."""

    def __init__(self, clock: Time, seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds

    def candidates(self, commands: Sequence[CoupCommand], rng: Rng) -> Sequence[CoupCommand]:
        """Return all."""
        return commands

    def world(self, rng: Rng) -> CoupTable:
        """Return a table, always alike."""
        return CoupTable(CoupOptions(), 2)

    def worth(self, world: CoupTable, command: CoupCommand, rng: Rng) -> float:
        """Take a while."""
        self.clock.now += self.seconds
        return 0.5


def worlds_of(clock: Time, seconds: float) -> int:
    """Return how many worlds a search takes that wants 300, with play-outs of this length."""
    rollout = Slow(clock, seconds)
    alarm = Alarm()
    moves = list[CoupCommand]([LetPass(), Challenge()])
    found = race(moves, rollout, rollout.world, random.Random(1), lambda steps: steps < 300 and alarm.allows(steps))
    assert alarm.rang == (found[0].worlds < 300)
    return found[0].worlds


def test_search_takes_as_many_worlds_on_a_busy_machine_as_on_a_quiet_one(clock: Time) -> None:
    """A level is a fixed number of search steps: slow steps do not lower it, unless a thought takes many times the pause."""
    assert {worlds_of(clock, seconds) for seconds in (0.000_01, 0.001, 0.008)} == {300}


def test_search_that_will_not_end_is_broken_off(clock: Time) -> None:
    """It takes until the alarm, and one world more."""
    began = clock.now
    seconds = 0.04
    assert worlds_of(clock, seconds) < 300
    assert ALARM_SECONDS <= clock.now - began <= ALARM_SECONDS + 2 * seconds


async def test_alarm_is_counted_and_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator learns of it, by the metrics and by a line that names the match and no card; the bots answer all the same."""
    scene = await scene_of([LARGE])
    real = turns.search

    async def late(match: Match, seats: Sequence[Seat], alarm: Alarm) -> Mapping[Seat, BotPlay]:
        alarm.rang = True
        return await real(match, seats, alarm)

    scene.thinking(monkeypatch, each(10))
    monkeypatch.setattr(turns, "search", late)
    with capture_logs() as logged:
        await scene.job()
    assert await THOUGHTS.of(scene.application.stores).alarms() == 1
    assert await THOUGHTS.of(scene.application.stores).read(scene.match) is not None
    (line,) = logged
    assert line["event"] == "bots thought for too long"
    assert line["match"] == scene.match
    assert set(line) <= {"event", "match", "game", "seconds", "log_level"}
