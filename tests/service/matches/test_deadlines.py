"""Until when an answer is taken, and what becomes of a deadline when the clock was set back."""

from __future__ import annotations

import pytest

from tafelrunde.domain.coup.game import Coup
from tafelrunde.domain.coup.messages import TakeIncome
from tafelrunde.domain.coup.table import CoupTable
from tafelrunde.domain.game import Ask, DecisionId, GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId
from tafelrunde.domain.match.refusals import DecisionNotOpen
from tafelrunde.service.application import Application
from tafelrunde.service.duties import InProcess, following, sweep
from tafelrunde.service.matches.pacing import deadline_ms
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind, Claims
from tafelrunde.service.ports.quotas import Quota
from tafelrunde.service.ports.server_time import CLOCK_STEP_MS
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings

pytestmark = pytest.mark.anyio
START_MS = 1_700_000_000_000
HOUR_MS = 3_600_000
TURN_MS = 120_000
PAUSE_MS = 700


class Scene:
    """A match of Anna and a bot whose clock the test moves; nothing is done by itself."""

    def __init__(self, stores: Stores | None = None) -> None:
        self.now_ms = START_MS
        self.application = Application(stores or memory_stores(), Settings(bot_pause_ms=PAUSE_MS), now_ms=lambda: self.now_ms)
        self.anna = PlayerId("p-anna")
        self.match = MatchId("")

    async def open(self, bot: str = "random") -> None:
        """Open the match: Anna is asked first."""
        clock = Clock(turn_seconds=TURN_MS // 1_000, reaction_seconds=TURN_MS // 1_000, stand_in_after=0)
        new = NewMatch(
            game=GameId("coup"),
            seats=2,
            seat=Seat(0),
            options={"first_seat": 0},
            bots={Seat(1): BotName(bot)},
            clock=clock,
            start=True,
        )
        self.match = (await self.application.matches.open(self.anna, new, "open")).match

    async def decision(self) -> DecisionId:
        """Return the open decision."""
        found = (await self.application.repository.load_latest(self.match)).match.open_decision()
        assert found is not None
        return found

    async def answer(self, decision: DecisionId) -> None:
        """Let Anna answer a decision with the first command that is legal now."""
        viewer = await self.application.queries.viewer(self.anna, self.match)
        question = (await self.application.queries.view(viewer, self.match)).view.question
        assert question is not None
        await self.application.matches.play(self.anna, self.match, decision, question.legal[0], f"answer-{decision}")

    async def duties(self) -> None:
        """Do once what is due: the clock, clocks of matches, bots."""
        await following(self.application)()
        for kind in (AgendaKind.DEADLINE, AgendaKind.WORK):
            await sweep(self.application, kind, InProcess(self.application).work)()

    async def asked(self) -> bool:
        """Return whether Anna is asked."""
        loaded = await self.application.repository.load_latest(self.match)
        return loaded.match.asked is not None and Seat(0) in loaded.match.asked.seats


async def test_answer_is_taken_until_the_default_is_written() -> None:
    """Not the deadline closes a decision but the default, which is never played before it; what is written first counts."""
    scene = Scene()
    await scene.open()
    first = await scene.decision()
    scene.now_ms = START_MS + TURN_MS - 1
    await scene.application.process_manager.time_out(scene.match)
    assert await scene.decision() == first, "never before the deadline"
    scene.now_ms = START_MS + TURN_MS + 60_000
    await scene.answer(first)
    assert await scene.decision() != first, "the clock's job was late, so the answer was first"
    while not await scene.asked():
        scene.now_ms += PAUSE_MS
        await scene.duties()
    late = await scene.decision()
    scene.now_ms += TURN_MS
    await scene.application.process_manager.time_out(scene.match)
    with pytest.raises(DecisionNotOpen):
        await scene.application.matches.play(scene.anna, scene.match, late, TakeIncome(), "too-late")


async def test_match_that_starts_while_it_is_looked_at_keeps_its_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The daily search for unused matches saw it before the start; its first decision still ends in time."""
    scene = Scene()
    new = NewMatch(game=GameId("coup"), seats=2, seat=Seat(0), options={"first_seat": 0}, bots={Seat(1): BotName("random")})
    scene.match = (await scene.application.matches.open(scene.anna, new, "open")).match
    agenda = scene.application.stores.agenda
    postpone = agenda.postpone

    async def started(kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        await scene.application.matches.start(scene.anna, match, "start")
        await postpone(kind, match, until_ms)

    monkeypatch.setattr(agenda, "postpone", started)
    await scene.application.process_manager.time_out(scene.match)
    asked = (await scene.application.repository.load_latest(scene.match)).match.asked
    assert asked is not None
    claims = await agenda.claim(AgendaKind.DEADLINE, asked.deadline_ms - 1, 1_000, 9)
    assert claims == Claims((), asked.deadline_ms)


async def test_clock_set_back_costs_no_one_time_and_no_one_waits_for_it() -> None:
    """What is left of a decision's time is left when the clock goes back by an hour; then the default is played."""
    scene = Scene()
    await scene.open()
    await scene.duties()
    first = await scene.decision()
    scene.now_ms += 50_000
    await scene.duties()
    scene.now_ms -= HOUR_MS
    await scene.duties()
    scene.now_ms += TURN_MS - 50_000 - 1
    await scene.duties()
    assert await scene.decision() == first
    scene.now_ms += 1
    await scene.duties()
    assert await scene.decision() != first


@pytest.mark.parametrize("bot", ["random", "search-small"])
@pytest.mark.parametrize("back_ms", [2_000, HOUR_MS])
async def test_bot_answers_when_the_clock_was_set_back_during_its_pause(bot: str, back_ms: int) -> None:
    """Its pause, and what it has thought of, belong to a time that is long to come: it waits a moment, not an hour."""
    scene = Scene()
    await scene.open(bot)
    await scene.duties()
    await scene.answer(await scene.decision())
    await scene.duties()
    waiting = await scene.decision()
    scene.now_ms -= back_ms
    for _ in range(20):
        await scene.duties()
        scene.now_ms += PAUSE_MS
    assert await scene.decision() != waiting


async def test_decision_from_before_lasts_its_length_from_now_at_most_when_something_is_written() -> None:
    """A write that leaves the decision open plans its end again: never further off than the decision is long."""
    scene = Scene()
    await scene.open()
    loaded = await scene.application.repository.load_latest(scene.match)
    assert deadline_ms(loaded.match, loaded.match.length_ms(), START_MS) == START_MS + TURN_MS
    assert deadline_ms(loaded.match, loaded.match.length_ms(), START_MS - CLOCK_STEP_MS) == START_MS + TURN_MS
    for back_ms in (CLOCK_STEP_MS + 1, 5_000, HOUR_MS):
        now_ms = START_MS - back_ms
        assert deadline_ms(loaded.match, loaded.match.length_ms(), now_ms) == now_ms + TURN_MS


async def test_budget_of_requests_is_not_lost_when_the_clock_is_set_back() -> None:
    """Who had spent all is not kept out for an hour because of a clock."""
    scene = Scene()
    budget = Quota("reads", 60)
    while not (await scene.application.budgets.quotas.spend(budget, "anna")).wait_s:
        pass
    scene.now_ms -= HOUR_MS
    assert (await scene.application.budgets.quotas.spend(budget, "anna")).wait_s == 0


async def test_table_is_asked_at_most_twice_for_a_command_of_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for the decision that follows, once for its deadline: with no bot at the table there is nothing else to ask for."""
    scene = Scene()
    bert = PlayerId("p-bert")
    matches = scene.application.matches
    new = NewMatch(game=GameId("coup"), seats=2, options={"first_seat": 0}, clock=Clock(turn_seconds=60, reaction_seconds=60))
    scene.match = (await matches.open(scene.anna, new, "open")).match
    await matches.take_seat(bert, scene.match, None, "", "sit")
    await matches.start(scene.anna, scene.match, "start")
    asked: list[CoupTable] = []
    decision = await scene.decision()
    pending = Coup.pending

    def counted(game: Coup, table: CoupTable) -> Ask | None:
        asked.append(table)
        return pending(game, table)

    monkeypatch.setattr(Coup, "pending", counted)
    await matches.play(scene.anna, scene.match, decision, TakeIncome(), "income")
    assert 1 <= len(asked) <= 2
