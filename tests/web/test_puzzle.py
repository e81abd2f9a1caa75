"""The puzzle of the day in the browser: found in the lobby, answered once, by keys, on a small phone, in every game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Spectators
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.application import Application
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.puzzles.feature import STORE
from tafelrunde.service.features.puzzles.port import Candidate
from tafelrunde.service.features.puzzles.service import Puzzles
from tafelrunde.service.matches.setup import NewMatch
from tests.support.processes import until
from tests.support.served import Service
from tests.web.conftest import Visitor
from tests.web.test_states import grave, too_wide, wordless

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_worlds"), pytest.mark.xdist_group("web-daily")]
HOST = PlayerId("p" + "1" * 26)


MOST_MATCHES = 20
"""After that many matches without a costly decision no further one is played."""


async def played(application: Application, game: str, number: int) -> MatchId:
    """Return a match of careless bots that is over; the same number is the same match."""
    seats = {Seat(seat): BotName("random") for seat in range(GAMES[GameId(game)].min_seats)}
    new = NewMatch(game=GameId(game), seats=len(seats), seat=None, bots=seats, start=True, spectators=Spectators.PUBLIC)
    match = MatchId((await application.matches.open(HOST, new, f"puzzle-{game}-{number}")).match)
    while not (await application.repository.load_latest(match)).match.status.finished:
        await application.process_manager.play_bots(match, deep=True, alone=True)
    return match


def costly(served: Service, game: str) -> Candidate:
    """Return a decision that cost something: not every match has one."""
    coach = served.known.get(Coach)
    for number in range(MOST_MATCHES):
        match = served.do(played(served.known, game, number))
        until("the match is reviewed", lambda match=match: served.do(coach.ask(match, Seat(0))).whole)
        if found := served.do(coach.ask(match, Seat(0))).costly:
            return Candidate(match, Seat(0), found[0].version)
    raise AssertionError(f"careless bots of {game} do nothing wrong")


def puzzle(visitor: Visitor, served: Service, game: str) -> Page:
    """Open the page of a game's puzzle; a decision of a match of bots becomes that of today, unless there is one."""
    application = served.known
    if not served.do(application.get(Puzzles).is_there(GameId(game))):
        day = application.get(Puzzles).today()
        served.do(STORE.of(application.stores).choose(GameId(game), day, costly(served, game)))
    page = visitor.visit(f"/puzzle/{game}")
    page.wait_for_selector(".puzzle-page .board")
    return page


def test_puzzle_is_found_in_the_lobby_and_answered_once(newcomer: Visitor, served: Service) -> None:
    """A guest may; afterwards it shows the solution, also when one comes back, and leads to practice from there."""
    puzzle(newcomer, served, "coup")
    page = newcomer.visit("/")
    page.locator("[data-game=coup] .choose").click()
    page.locator(".daily").get_by_role("link", name="Puzzle of the day").click()
    expect(page.locator("h1")).to_have_text("Puzzle of the day: Coup")
    expect(page.locator(".puzzle-page")).to_contain_text("You are Ada. What is the best answer?")
    answers = page.locator(".choices button")
    assert answers.count() > 1
    text = answers.first.inner_text()
    answers.first.click()
    expect(page.get_by_role("status")).to_contain_text("Best:")
    expect(page.locator(".advised .played")).to_contain_text(text)
    expect(page.locator(".choices")).to_have_count(0)
    verdict = page.locator(".verdict").inner_text()
    page.reload()
    expect(page.locator(".verdict")).to_have_text(verdict, use_inner_text=True)
    page.get_by_role("button", name="Practise from here").click()
    page.wait_for_selector(".status")
    assert "#/match/" in page.url


@pytest.mark.parametrize("game", sorted(GAMES))
def test_puzzle_of_every_game_fits_a_small_phone(phone: Visitor, served: Service, game: str) -> None:
    """In German, by keys alone: nothing is wider than the screen, without words, or grave for axe, before and after."""
    page = puzzle(phone, served, game)
    for _ in range(2):
        assert too_wide(page) == []
        assert wordless(page) == []
        assert grave(page, contrast=game == "coup") == []
        if (answers := page.locator(".choices button")).count():
            answers.last.focus()
            page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Am besten:")


def test_lobby_has_no_puzzle_where_there_is_none(newcomer: Visitor, served: Service) -> None:
    """A reader who has its address sees a sentence."""

    def without(route: Route) -> None:
        board = route.fetch().json()
        route.fulfill(json={**board, "items": [{**each, "puzzle": False} for each in board["items"]]})

    newcomer.page.route("**/api/v1/daily", without)
    page = newcomer.visit("/")
    page.locator("[data-game=coup] .choose").click()
    expect(page.locator(".daily")).to_contain_text("Not played today.")
    expect(page.get_by_role("link", name="Puzzle of the day")).to_have_count(0)
    problem = {
        "type": "urn:tafelrunde:problem:no-puzzle",
        "title": "",
        "status": 409,
        "message": {"de": "", "en": ""},
    }  # 404 would be a complaint
    newcomer.page.route("**/puzzles/today?*", lambda route: route.fulfill(status=409, json=problem))
    page = newcomer.visit("/puzzle/coup")
    expect(page.locator(".notice")).to_have_text(re.compile("There is no puzzle for this game right now"))
