"""Work that fails again and again rests, is counted over all processes, and is logged with a trace once."""

from __future__ import annotations

import ast

import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.duties import InProcess, sweep
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.failures import FORGET_MS, LONG_REST_MS, LONGEST_REST_MS, LOOK_MS, MANY, Failures
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime.consumer import LONGEST_REST_MS as LONGEST_DUTY_REST_MS
from tafelrunde.service.runtime.consumer import Consumer
from tafelrunde.service.runtime.match_task import REST_MS
from tafelrunde.service.settings import Settings
from tests.support.paths import ROOT

pytestmark = pytest.mark.anyio
ANNA = PlayerId("p-anna")


class Clock:
    """A clock that the test moves, for processes over the same stores."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000
        self.stores = memory_stores()

    def process(self) -> Failures:
        """Return the failures as another process knows them."""
        return Failures(self.stores.failures, lambda: self.now_ms)


def raised(error: Exception) -> Exception:
    """Return an error that has been raised."""
    try:
        raise error
    except type(error) as found:
        return found


async def test_work_rests_for_longer_after_ten_failures_in_a_row() -> None:
    """Nine short rests, then long ones that double, whichever process has tried it."""
    clock = Clock()
    rests = [await clock.process().note("work", "m", raised(KeyError()), 10_000) for _ in range(MANY + 6)]
    assert rests[: MANY - 1] == [10_000] * (MANY - 1)
    assert rests[MANY - 1 :] == [min(LONG_REST_MS << extra, LONGEST_REST_MS) for extra in range(7)]


async def test_trace_is_logged_once_for_each_kind_of_failure() -> None:
    """Then one line says that the work rests, and nothing more comes."""
    clock = Clock()
    with capture_logs() as lines:
        for number in range(3 * MANY):
            await clock.process().note("work", "m", raised(KeyError() if number else ValueError()), 10_000)
    assert [(line["event"], bool(line.get("exc_info"))) for line in lines] == [
        ("work failed, will retry", True),
        ("work failed, will retry", True),
        ("work keeps failing, tried rarely from now on", False),
    ]


async def test_success_in_any_process_ends_the_count() -> None:
    """Other processes learn of a failure within a minute."""
    clock = Clock()
    failing, other = clock.process(), clock.process()
    await other.clear("work", "another")
    for _ in range(MANY):
        await failing.note("work", "m", raised(KeyError()), 10_000)
    assert await failing.rests("work", "m")
    assert [each.task for each in await other.resting()] == ["m"]
    clock.now_ms += LOOK_MS
    assert await other.rests("work", "m")
    await other.clear("work", "m")
    assert (await other.resting(), await other.rests("work", "m")) == ([], False)
    assert await failing.note("work", "m", raised(KeyError()), 10_000) == 10_000


async def test_old_failure_is_forgotten_when_it_is_not_repeated() -> None:
    """A match that was deleted is no longer listed after a day."""
    clock = Clock()
    for _ in range(MANY):
        await clock.process().note("work", "m", raised(KeyError()), 10_000)
    clock.now_ms += FORGET_MS + 1
    assert await clock.process().resting() == []
    assert await clock.stores.failures.all() == []


async def test_failure_that_another_process_counted_a_moment_ago_is_shown_until_the_next_success() -> None:
    """Or for a day: a success writes nothing unless its process knows of a failure."""
    clock = Clock()
    failing, other = clock.process(), clock.process()
    await other.clear("work", "another")
    for task in ("m", "n"):
        for _ in range(MANY):
            await failing.note("work", task, raised(KeyError()), 10_000)
        await other.clear("work", task)
    assert {each.task for each in await other.resting()} == {"m", "n"}
    clock.now_ms += LOOK_MS
    await other.clear("work", "m")
    assert [each.task for each in await other.resting()] == ["n"]
    clock.now_ms += FORGET_MS
    assert await other.resting() == []


async def test_failures_are_counted_in_the_process_while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails then rests all the same."""

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    clock = Clock()
    failures = clock.process()
    for name in ("find", "put", "all", "remove"):
        monkeypatch.setattr(clock.stores.failures, name, away)
    rests = [await failures.note("work", "m", raised(KeyError()), 10_000) for _ in range(MANY)]
    assert rests == [10_000] * (MANY - 1) + [LONG_REST_MS]


async def test_duty_that_keeps_failing_rests_a_minute() -> None:
    """It serves all matches, so it never rests for long; one success ends that."""
    clock = Clock()
    broken = [True]

    async def step() -> float:
        if broken[0]:
            raise KeyError
        return 0.0

    duty = Consumer("clocks", step, rest_seconds=1.0)
    duty.report_to(clock.process())
    with capture_logs() as lines:
        pauses = [await duty.round() for _ in range(MANY + 2)]
    assert pauses == [1.0] * (MANY - 1) + [LONGEST_DUTY_REST_MS / 1000] * 3
    assert len(lines) == 2
    broken[0] = False
    assert await duty.round() == 0.0
    assert await clock.process().resting() == []


class Scene:
    """A match against a bot that cannot answer, and the sweeper of a process without workers."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000
        self.stores: Stores = memory_stores()
        self.application = Application(self.stores, Settings(bot_pause_ms=0), now_ms=lambda: self.now_ms)

    async def open(self) -> MatchId:
        """Open the match; the bot is asked first."""
        wish = NewMatch(
            game=GameId("coup"), seats=2, options={"first_seat": 1}, bots={Seat(1): BotName("honest")}, start=True, rated=False
        )
        return (await self.application.matches.open(ANNA, wish, "open")).match

    async def sweep(self) -> None:
        """Do what is due."""
        await sweep(self.application, AgendaKind.WORK, InProcess(self.application).work)()


async def test_match_whose_bot_never_answers_rests_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried ten times, then rarely; a command that changes the match has it tried at once, and so it heals."""
    scene = Scene()
    tries = []
    planted = turns.choose

    def broken(*_: object) -> None:
        tries.append(scene.now_ms)
        raise ZeroDivisionError

    monkeypatch.setattr(turns, "choose", broken)
    match = await scene.open()
    for _ in range(60):
        await scene.sweep()
        scene.now_ms += REST_MS
    assert len(tries) == MANY
    (found,) = await scene.application.failures.resting()
    assert (found.task, found.count) == (match, MANY)
    monkeypatch.setattr(turns, "choose", planted)
    await scene.application.matches.leave_seat(ANNA, match, "leave")
    await scene.application.matches.take_seat(ANNA, match, None, "", "back")
    await scene.sweep()
    assert await scene.application.failures.resting() == []
    state = (await scene.application.repository.load_latest(match)).match
    assert state.status is Status.RUNNING
    assert Seat(1) not in state.bots_asked()


def test_error_of_recurring_work_is_never_logged_with_a_trace_each_time() -> None:
    """In loops of the service and its workers only `Failures` logs traces; a request or a start is no loop."""
    once = {"service/failures.py", "workers/worker.py", "api/server/websocket.py"}
    found = [
        path.relative_to(ROOT).as_posix()
        for layer in ("service", "workers", "api/server")
        for path in sorted((ROOT / layer).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "exception"
        if ast.unparse(node.func.value).endswith(("log", "logger"))
    ]
    assert set(found) - once == set()
