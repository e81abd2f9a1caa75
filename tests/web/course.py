"""A match played inside of the service, as its first seat sees it, and the page with its table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from playwright.sync_api import Page

from tafelrunde.api.http.response import encode
from tafelrunde.api.schema import presenters
from tafelrunde.client.shapes import Plain
from tafelrunde.domain.coup.messages import TakeIncome
from tafelrunde.domain.game import Command, GameId, Seat
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.state import Match
from tafelrunde.service.application import Application
from tests.support.fixed_chance import fixed_chance
from tests.support.served import Service
from tests.web.conftest import EMPTY, Visitor, caught_up
from tests.web.party import Party

NAMES = ("Maxi", "Bruno", "Cleo", "Dario", "Enid", "Falk", "Greta")
LONG_NAMES = {GameId("coup"): ("Maximiliane", "Konstantin", "Cleo", "Friederike", "Enid", "Alexandra")}
"""Long first names, in games that have room for them on a phone; elsewhere they end in dots there."""
OPTIONS: dict[tuple[str, int], dict[str, Plain]] = {
    **{("coup", seats): {"fifth_role": "inquisitor"} for seats in range(2, 7)},
    ("meister-coup", 6): {"mode": "team"},
}
"""The options with the most answers, and those that a number of seats needs."""
MOST_ANSWERS = 80
"""After that many answers no further moment is looked for."""
INCOMES = 6
"""Rounds of Coup in which all take income: then every action is possible against everyone."""
DEAL = 6
"""Of what may be dealt: in Mondkrone one is asked for seven cards to set aside, the most that there are."""
MOST_VIEWS = 60
"""The number of views of a match that are compared, each with the one before it."""
LAYOUT = Path(__file__).with_name("layout.js").read_text()

Moments: TypeAlias = list[tuple[str, Any]]


@dataclass
class Course:
    """A match that is played inside of the service, as its first seat sees it."""

    application: Application
    match: MatchId
    rng: random.Random

    async def ask(self) -> tuple[Seat, Match, str] | None:
        """Return a seat that is to answer, the first one if it is among them, the match and the question; null at the end."""
        state = (await self.application.repository.load_latest(self.match)).match
        pending = state.pending()
        if state.status is not Status.RUNNING or pending is None:
            return None
        return Seat(0) if Seat(0) in pending.open else self.rng.choice(pending.open), state, pending.prompt

    async def give(self, state: Match, seat: Seat, command: Command) -> None:
        """Answer for a seat."""
        player, decision = state.chairs[seat].player, state.open_decision()
        assert player is not None
        assert decision is not None
        await self.application.matches.play(player, self.match, decision, command, f"{decision}|{seat}|{self.rng.random()}")

    async def go_on(self, answers: int) -> None:
        """Let those who are asked give any answers, that many."""
        for _ in range(answers):
            if (asked := await self.ask()) is not None:
                seat, state, _ = asked
                await self.give(state, seat, self.rng.choice(state.game.legal(state.table, seat)))

    async def seen(self, state: Match) -> bytes:
        """Return what the first seat sees."""
        player = state.chairs[0].player
        assert player is not None
        queries = self.application.queries
        return encode(presenters.view_body(await queries.view(await queries.viewer(player, self.match), self.match), state.game))


Play: TypeAlias = Callable[[Course], Coroutine[Any, Any, Moments]]


async def moments(course: Course) -> Moments:
    """Play on, and return what seat 0 saw at the fullest and at the last question of each kind."""
    fullest: dict[str, tuple[int, bytes]] = {}
    latest: dict[str, bytes] = {}
    for number in range(MOST_ANSWERS):
        if (found := await course.ask()) is None:
            break
        seat, state, prompt = found
        legal = state.game.legal(state.table, seat)
        if seat == 0:
            latest[prompt] = await course.seen(state)
            if len(legal) >= fullest.get(prompt, (0, b""))[0]:
                fullest[prompt] = len(legal), latest[prompt]
        income = next((each for each in legal if isinstance(each, TakeIncome)), None)
        early = number < INCOMES * len(state.chairs)
        await course.give(state, seat, income if early and income is not None else course.rng.choice(legal))
    shown = [*((key, view) for key, (_, view) in fullest.items()), *latest.items()]
    return [(key, json.loads(view)) for key, view in dict.fromkeys(shown)]


async def views(course: Course) -> Moments:
    """Play on, and return what seat 0 saw before each answer."""
    found: Moments = []
    while len(found) < MOST_VIEWS and (asked := await course.ask()) is not None:
        seat, state, prompt = asked
        found.append((f"{len(found)} {prompt}", json.loads(await course.seen(state))))
        await course.give(state, seat, course.rng.choice(state.game.legal(state.table, seat)))
    return found


@contextmanager
def laid(
    game: GameId, plays: Sequence[tuple[int, Play]], visitor: Visitor, served: Service
) -> Generator[tuple[Page, list[Moments]]]:
    """Play a match with that number of seats in each of these ways; yield a page with the first one's table, and what seat 0 saw.

    The page has that in `layout.given`, match by match. It can show all of it if the first match has the most seats: players of
    the same seat have the same name everywhere.
    """
    visitor.page.goto(f"{visitor.url}/{EMPTY}")  # a table that is still open may ask for something, and draw
    with ExitStack() as stack:
        matches = [_played(stack, game, seats, play, served) for seats, play in plays]
        party, _ = matches[0]
        found = [moments for _, moments in matches]
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".board .seat")
        caught_up(page)
        page.evaluate(LAYOUT)
        page.evaluate("(found) => { layout.given = JSON.parse(found) }", json.dumps(found))
        yield page, found


def _played(stack: ExitStack, game: GameId, seats: int, play: Play, served: Service) -> tuple[Party, Moments]:
    deal = DEAL if play is moments else play.__name__  # the same ones twice would have the same ids
    with fixed_chance(f"{game} {seats} {deal}"):
        party = stack.enter_context(
            Party(served.url, game, seats, options=OPTIONS.get((game, seats)), names=LONG_NAMES.get(game, NAMES)[:seats])
        )
        return party, served.do(play(Course(served.known, MatchId(party.start().match), party.rng)))
