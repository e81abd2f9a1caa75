"""When bots answer: after a time that tells nothing of their cards, in an order that tells nothing, and never too late."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest

from tafelrunde.domain.bots import Level
from tafelrunde.domain.coup.messages import Challenge, ClaimTax, CoupCommand, CoupOptions, LetPass
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import Budget, Command, GameId, Rng, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.search import race
from tafelrunde.service import bots
from tafelrunde.service.bots import SECONDS, Clocked
from tafelrunde.service.handler import Handler, Order
from tafelrunde.service.house import House
from tafelrunde.service.matches import Loaded
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.opening import NewMatch
from tafelrunde.service.settings import Settings

pytestmark = pytest.mark.anyio

SMALL = BotName("search-small")
PATIENT = SECONDS[Level.SEARCH_SMALL]
Work = Callable[[Match, Seat, Rng, Budget], Command]


class Time:
    """The clock of the bots: it stands still but for thought and sleep."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(bots, "time", SimpleNamespace(perf_counter=lambda: self.now))
        monkeypatch.setattr(bots, "asyncio", SimpleNamespace(to_thread=self.at_once, sleep=self.sleep))

    async def at_once(self, work: Work, match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
        """Do some work without a thread."""
        return work(match, seat, rng, budget)

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.now += max(seconds, 0.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """A clock that moves only when bots think or wait."""
    return Time(monkeypatch)


async def doubting(*, people: bool) -> Loaded:
    """Return a match of Coup in which three bots that search are asked whether they doubt a tax."""
    house = House(memory_stores(), Settings(bot_pause_ms=0))
    anna = (await house.register("Anna"))[0].id
    new = NewMatch(
        game=GameId("coup"),
        seats=4,
        options={"first_seat": 0},
        bots={Seat(seat): SMALL for seat in (1, 2, 3)},
        start=True,
        clock=Clock(turn_seconds=600),
    )
    match = (await house.open_match(anna, new, "open")).match
    question = (await house.view(await house.viewer(anna, match), match)).view.question
    assert question is not None
    await house.play(anna, match, question.decision, ClaimTax(), "tax")
    if not people:
        await house.leave_seat(anna, match, "leave")
    return await house.matches.current(match)


async def answered(
    loaded: Loaded, clock: Time, monkeypatch: pytest.MonkeyPatch, thoughts: Sequence[tuple[float, Command]]
) -> tuple[list[Seat], list[float]]:
    """Let each asked bot think for a while and choose; return who answered, in order, and when."""
    ask = loaded.match.pending()
    assert ask is not None
    waiting = dict(zip(ask.open, thoughts, strict=True))
    seats: list[Seat] = []
    times: list[float] = []

    def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
        seconds, command = waiting[seat]
        clock.now += seconds
        return command

    async def carry_out(self: Handler, order: Order) -> None:
        assert isinstance(order.command, BotPlay)
        seats.append(order.command.seat)
        times.append(clock.now)

    monkeypatch.setattr(bots, "choose", choose)
    monkeypatch.setattr(Handler, "carry_out", carry_out)
    began = clock.now
    await bots.answer(Handler.__new__(Handler), MatchId("m"), loaded, ask.open)
    return seats, [at - began for at in times]


@pytest.mark.parametrize(
    "thoughts",
    [
        pytest.param([(0.0, LetPass())] * 3, id="nobody-thinks"),
        pytest.param([(0.02, LetPass()), (0.0, Challenge()), (0.01, LetPass())], id="one-doubts-at-once"),
        pytest.param([(0.0, LetPass()), (0.001, LetPass()), (0.026, Challenge())], id="the-last-one-thinks-long"),
    ],
)
async def test_bots_of_a_window_answer_together_whatever_they_think(
    clock: Time, monkeypatch: pytest.MonkeyPatch, thoughts: Sequence[tuple[float, Command]]
) -> None:
    """All answers come in the order of seats, all after the same time, so neither order nor time tells who had to think."""
    seats, times = await answered(await doubting(people=True), clock, monkeypatch, thoughts)
    assert seats == [1, 2, 3]
    assert times == [pytest.approx(PATIENT)] * 3


async def test_bots_among_themselves_do_not_wait(clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without people at the table nobody is kept waiting."""
    seats, times = await answered(await doubting(people=False), clock, monkeypatch, [(0.01, LetPass())] * 3)
    assert seats == [1, 2, 3]
    assert times == [pytest.approx(0.03)] * 3


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


@pytest.mark.parametrize("seconds", [0.000_1, 0.01, 0.04])
def test_thought_ends_with_its_time_however_slow_a_play_out_is(clock: Time, seconds: float) -> None:
    """A search begins no further world once its time is up: it takes that time and at most one world more."""
    outlook, rng = Slow(clock, seconds), random.Random(1)
    moves: list[CoupCommand] = [LetPass(), Challenge()]
    budget = Clocked(SECONDS[Level.SEARCH_LARGE])
    race(moves, outlook, outlook.world, rng, budget.allows)
    assert SECONDS[Level.SEARCH_LARGE] <= clock.now + seconds
    assert clock.now <= SECONDS[Level.SEARCH_LARGE] + len(moves) * seconds
