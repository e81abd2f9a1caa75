"""The coach: what it finds about one seat of a finished match, slice by slice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.bots.hints import answers, review, weigh
from tafelrunde.service.features.coaching import coach, findings
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.coaching.feature import STORE
from tafelrunde.service.features.coaching.findings import COSTLY, PUZZLES, Findings, pack, unpack
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.runtime.queue_names import QueueName
from tafelrunde.service.settings import Settings
from tests.support.fixed_chance import fixed_chance

pytestmark = pytest.mark.anyio
FIRST, SECOND = Seat(0), Seat(1)


class Scene:
    """An application in memory with a match of careless bots that is over."""

    def __init__(self) -> None:
        self.posted: list[MatchId] = []
        self.application = Application(memory_stores(), Settings(bot_pause_ms=0), post_job=self.post)
        self.match = MatchId("")

    def post(self, queue: QueueName, match: MatchId) -> None:
        """Take a job for the coach."""
        if queue is QueueName.COACHING:
            self.posted.append(match)

    async def play(self, game: str = "coup") -> Loaded:
        """Play the match to its end."""
        seats = {Seat(seat): BotName("random") for seat in range(GAMES[GameId(game)].min_seats)}
        new = NewMatch(game=GameId(game), seats=len(seats), seat=None, bots=seats, start=True)
        self.match = (await self.application.matches.open(PlayerId("p" + "0" * 26), new, game)).match
        await self.application.process_manager.play_bots(self.match, deep=True, alone=True)
        return await self.application.repository.load_latest(self.match)

    async def found(self, seat: Seat) -> Findings:
        """Return what is found about a seat in the end."""
        await self.application.get(Coach).ask(self.match, seat)
        while await self.application.get(Coach).work(self.match):
            pass
        found = await self.application.get(Coach).find(self.match, seat)
        assert found is not None
        return found


@pytest.fixture(autouse=True)
def same_matches() -> Iterator[None]:
    """Not every match has a costly decision: so it is the same one in every run."""
    with fixed_chance("1"):
        yield


@pytest.fixture
async def scene() -> Scene:
    """A scene whose match is over."""
    scene = Scene()
    await scene.play()
    return scene


async def test_nothing_is_looked_for_until_someone_asks(scene: Scene) -> None:
    """A job without a wish does nothing, and asking twice is asking once."""
    assert await scene.application.get(Coach).find(scene.match, FIRST) is None
    assert not await scene.application.get(Coach).work(scene.match)
    assert await scene.application.get(Coach).ask(scene.match, FIRST) == Findings()
    assert scene.posted == [scene.match]
    await scene.found(FIRST)
    scene.posted.clear()
    assert (await scene.application.get(Coach).ask(scene.match, FIRST)).whole
    assert scene.posted == []


async def test_what_is_not_whole_is_put_into_the_queue_again_when_one_looks(scene: Scene) -> None:
    """A job may be lost with its process: who waits for coaching asks for it again by looking."""
    await scene.application.get(Coach).ask(scene.match, FIRST)
    await scene.application.get(Coach).find(scene.match, FIRST)
    assert scene.posted == [scene.match, scene.match]


async def test_line_has_the_decisions_of_the_seat_that_had_a_choice(scene: Scene) -> None:
    """In their order, with the values of the search; a best move is never worse than the one that was played."""
    codec = scene.application.repository.codec
    loaded = await scene.application.repository.load_latest(scene.match)
    found = await scene.found(SECOND)
    found_by_search = list(review(scene.match, loaded, codec, 0, SECOND))
    assert [point.version for point in found.points] == [each.version for each in found_by_search]
    assert all(each.advice.seat == SECOND for each in found_by_search)
    assert all(0 <= point.chance <= point.best <= 1 for point in found.points)
    losses = sorted((point.best - point.chance for point in found.points), reverse=True)
    expected = [loss for loss in losses if loss >= COSTLY][:PUZZLES]
    assert [each.loss for each in found.costly] == pytest.approx(expected, abs=2e-4)
    assert found.costly


async def test_slices_of_any_length_find_the_same(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """How much is done in one job depends on the machine, what is found does not."""
    whole = await scene.found(FIRST)
    monkeypatch.setattr(coach, "SLICE_SECONDS", 0)
    for kept in (pack(Findings()), b"of another release"):
        store = STORE.of(scene.application.stores)
        assert await store.keep(scene.match, FIRST, kept, (await store.read(scene.match))[FIRST])
        assert await scene.found(FIRST) == whole


async def test_doubled_jobs_end_as_one(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is whole is not replaced by less; the slower job of two ends, and the other one goes on."""
    whole = await scene.found(FIRST)
    store = STORE.of(scene.application.stores)
    match = scene.match
    assert await store.keep(match, FIRST, pack(Findings()), pack(whole))
    monkeypatch.setattr(coach, "SLICE_SECONDS", 0)
    going_on = await asyncio.gather(*(scene.application.get(Coach).work(match) for _ in range(3)))
    assert [each for each in going_on if each is not None] == [QueueName.COACHING]
    stale = (await store.read(match))[FIRST]
    while await scene.application.get(Coach).work(match):
        pass
    assert not await store.keep(match, FIRST, stale, stale)
    assert await scene.application.get(Coach).find(match, FIRST) == whole


async def test_long_match_is_looked_at_up_to_a_limit(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decisions after it are left out, and the rest is whole."""
    monkeypatch.setattr(findings, "MOST_DECISIONS", 2)
    found = await scene.found(FIRST)
    assert found.whole
    assert len(found.points) == 2


@pytest.mark.parametrize("game", GAMES)
async def test_puzzle_has_the_view_of_that_moment(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the seat could know and do, what it did, and what the hands of all others were then."""
    monkeypatch.setattr("tafelrunde.service.features.bots.hints.DEPTH", 6)  # any costly decision will do
    scene = Scene()
    loaded = await scene.play(game)
    found = await scene.found(FIRST)
    puzzles = await scene.application.get(Coach).puzzles(loaded, FIRST, found)
    assert [puzzle.costly for puzzle in puzzles] == list(found.costly)
    assert puzzles
    then = {version: state.copy() for version, state, _ in answers(loaded, scene.application.repository.codec)}
    for puzzle in puzzles:
        state = then[puzzle.costly.version]
        assert puzzle.view == state.game.view(state.table, FIRST)
        assert list(puzzle.legal) == state.game.legal(state.table, FIRST)
        assert [each.seat for each in puzzle.held] == list(range(1, state.settings.seats))
        for each in puzzle.held:
            assert each.hand == state.game.view(state.table, each.seat).hand  # pyright: ignore[reportAttributeAccessIssue] - every game here has hands


@pytest.mark.parametrize("game", GAMES)
async def test_advice_is_the_same_whatever_the_others_hold(game: str) -> None:
    """In another world with the same view the search finds the same, so coaching shows what could be known then."""
    scene = Scene()
    loaded = await scene.play(game)
    rng = random.Random(7)
    compared = 0
    for version, state, command in answers(loaded, scene.application.repository.codec):
        assert isinstance(command, BotPlay)
        seat = command.seat
        legal = state.game.legal(state.table, seat)
        if version % 5 or len(legal) < 2 or compared == 3:
            continue
        other = state.game.determinize(state.game.view(state.table, seat), rng)
        here, there = (weigh(state.game, table, seat, random.Random(1), legal[-1]) for table in (state.table, other))
        assert here == there
        assert legal[-1] in [move.command for move in here[0]]
        compared += 1
    assert compared


def test_findings_of_another_form_are_none() -> None:
    """A release that keeps them otherwise begins again."""
    found = Findings(reached=3, whole=True)
    assert unpack(pack(found)) == found
    assert unpack(pack(Findings(reached=3, whole=True, form=99))) == Findings()
