"""The time of a bot's answer carries nothing of its cards: in whole matches of every game, beside a clock in the test's hand."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Set

import pytest

from tafelrunde.domain.game import Budget, Command, DecisionId, GameId, Rng, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId
from tafelrunde.domain.match.commands import BotPlay
from tafelrunde.domain.match.events import DecisionOpened
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.bots import service as turns
from tafelrunde.service.matches.pacing import longest_ms
from tafelrunde.service.matches.process_manager import RemainingWork
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.settings import Settings

pytestmark = pytest.mark.anyio

SEATS, ANSWERS, FORCED, MOST = 4, 40, 10, 400
"""Four seats; after this number of answers of bots, with that number of forced ones, it is enough. Some games have few."""
DELAYS_MS = (0, 130, 600, 2_500)
"""How long after a decision a worker comes to it: at once, or after what other matches need."""
SEARCHING = [(game.id, name) for game in GAMES.values() for name in game.bots() if longest_ms(game, BotName(name)) is not None]


class Table:
    """Matches of one person against three bots that think for as long as they like; time passes only when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, game: GameId, bot: BotName) -> None:
        self.now_ms = 1_000_000
        self.dice = random.Random(f"{game}/{bot}")
        self.longest_ms = longest_ms(GAMES[game], bot) or 0
        self.had_choice: dict[tuple[MatchId, DecisionId, Seat], bool] = {}
        self.delays_ms: dict[tuple[MatchId, DecisionId], int] = {}
        self.application = Application(memory_stores(), Settings(), now_ms=lambda: self.now_ms, post_job=lambda *_: None)
        self.new = NewMatch(
            game=game,
            seats=SEATS,
            seat=Seat(0),
            bots={Seat(seat): bot for seat in range(1, SEATS)},
            start=True,
            clock=Clock(turn_seconds=600, reaction_seconds=600),
        )
        self.match = MatchId("")
        monkeypatch.setattr(turns, "choose", self._choose)

    def _choose(self, match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
        """Think for no time without a choice; otherwise for some time."""
        legal = match.game.legal(match.table, seat)
        decision = match.open_decision()
        assert decision is not None
        self.had_choice[self.match, decision, seat] = len(legal) > 1
        if len(legal) > 1:
            self.now_ms += self.dice.randrange(1, self.longest_ms // 2)
        return legal[self.dice.randrange(len(legal))]

    @property
    def enough(self) -> bool:
        """Whether there are enough answers of both kinds."""
        answers = len(self.had_choice)
        return answers >= ANSWERS and (answers - sum(self.had_choice.values()) >= FORCED or answers >= MOST)

    async def play(self) -> None:
        """Open matches, and let all seats play until there are enough answers."""
        person = (await self.application.accounts.register("Anna"))[0].id
        while not self.enough:
            self.match = (await self.application.matches.open(person, self.new, f"open-{self.now_ms}")).match
            while (decision := (state := await self.state()).open_decision()) is not None and not self.enough:
                if state.bots_asked():
                    await self._bots(decision)
                elif legal := state.game.legal(state.table, Seat(0)):
                    command = legal[self.dice.randrange(len(legal))]
                    await self.application.matches.play(person, self.match, decision, command, f"{decision}-{self.now_ms}")

    async def _bots(self, decision: DecisionId) -> None:
        """Let a worker come after a while, and do its work exactly when it is due, until the bots have answered."""
        self.delays_ms[self.match, decision] = delay_ms = self.dice.choice(DELAYS_MS)
        self.now_ms += delay_ms
        while await self.application.process_manager.play_bots(self.match, self.now_ms) is RemainingWork.NOTHING:
            if (state := await self.state()).open_decision() != decision or not state.bots_asked():
                return
            claims = await self.application.stores.agenda.claim(AgendaKind.WORK, self.now_ms, 1_000, 10)
            if claims.next_ms is not None and not claims.due:
                self.now_ms = claims.next_ms

    async def state(self) -> Match:
        """Return the match as it is now."""
        return (await self.application.repository.load_latest(self.match)).match

    async def times(self) -> Mapping[object, Mapping[bool, Set[int]]]:
        """Return how long after its decision each answer came, by what is public, and by whether there was a choice.

        Public is how many bots are asked, and when a worker came.
        """
        found: dict[object, dict[bool, set[int]]] = defaultdict(lambda: defaultdict(set))
        for match in {match for match, _ in self.delays_ms}:
            loaded = await self.application.repository.load_latest(match)
            opened = dict[DecisionId, tuple[int, int]]()
            answers: dict[DecisionId, list[tuple[Seat, int]]] = defaultdict(list)
            for entry in loaded.entries[: loaded.version]:
                envelope, event = self.application.repository.codec.decode(entry)
                command = self.application.repository.codec.command_of(envelope.command) if envelope.command else None
                if isinstance(command, BotPlay):
                    answers[command.decision].append((command.seat, envelope.time_ms))
                if isinstance(event, DecisionOpened):
                    opened[event.decision] = envelope.time_ms, len({*event.seats} - {Seat(0)})
            for decision, given in answers.items():
                opened_ms, bots = opened[decision]
                for seat, at_ms in given:
                    public = (bots, self.delays_ms[match, decision])
                    choice = self.had_choice[match, decision, seat]
                    found[public][choice].add(at_ms - opened_ms)
        return found


@pytest.mark.parametrize(("game", "bot"), SEARCHING)
async def test_time_of_an_answer_follows_from_what_is_public(monkeypatch: pytest.MonkeyPatch, game: GameId, bot: BotName) -> None:
    """With the same number of bots asked and the same wait for a worker, all answers take equally long, to the millisecond."""
    table = Table(monkeypatch, game, bot)
    await table.play()
    found = await table.times()
    assert any(len(by_choice) == 2 for by_choice in found.values()) or game == "coup"  # where there nearly always is a choice
    assert [len(set[int]().union(*by_choice.values())) for by_choice in found.values()] == [1] * len(found)
