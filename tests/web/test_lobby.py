"""The lobby on a bad day: a small screen, a service that is down or busy, an expired token, a mistyped address."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-lobby")]

IN_VIEW = """() => {
  const { top, bottom, height } = document.getElementById("wish").getBoundingClientRect();
  return height > innerHeight ? Math.abs(top) < 2 : top >= 0 && bottom <= innerHeight + 1;
}"""
BUSY = {"status": 429, "title": "Busy", "message": {"de": "Zu viel auf einmal.", "en": "Too much at once."}}
STORED = "localStorage.getItem('tafelrunde.token')"
DUEL = "Two seats:"


def forgive(visitor: Visitor, *complaints: str) -> None:
    """Take out what a browser notes of answers that are meant to fail."""
    visitor.complaints = [each for each in visitor.complaints if not any(known in each for known in complaints)]


def test_form_of_a_game_comes_into_view(phone: Visitor) -> None:
    """On a phone it lies below the fold: the first tap leads to it, and so does the next game's."""
    page = phone.visit("/")
    for game in ("coup", "stich-meister"):
        page.locator(f"[data-game={game}] .choose").click()
        page.wait_for_selector(f".chosen[data-game={game}]")
        page.wait_for_function(IN_VIEW)
        page.evaluate("scrollTo(0, 0)")


def test_lobby_comes_by_itself_once_the_service_answers(visitor: Visitor) -> None:
    """A refusal is shown in the service's words, with a button; and the request is retried without it."""
    page = visitor.page
    page.route("**/api/v1/games", lambda route: route.fulfill(status=429, json=BUSY))
    visitor.visit("/")
    expect(page.locator(".notice")).to_contain_text("Too much at once.")
    expect(page.locator(".notice button")).to_have_text("Try again")
    page.unroute("**/api/v1/games")
    expect(page.locator(".tile")).to_have_count(5)
    expect(page.locator(".notice")).to_have_count(0)
    forgive(visitor, "status of 429")


@pytest.mark.parametrize(("address", "asked"), [("/", "games"), ("/boards/coup", "leaderboards/coup")])
def test_page_says_that_it_waits_when_the_service_is_busy(visitor: Visitor, address: str, asked: str) -> None:
    """The lobby and the boards say so as a table does, until the answer is there."""
    page = visitor.page
    refused = list[Route]()

    def refuse_first(route: Route) -> None:
        refused.append(route)
        if len(refused) == 1:
            route.fulfill(status=429, headers={"retry-after": "1"}, json=BUSY)

    page.route(f"**/api/v1/{asked}", refuse_first)
    visitor.visit(address)
    expect(page.locator(".notice")).to_contain_text("The limit for this minute is reached. It goes on in")
    wait(page, lambda: len(refused) == 2)
    refused[1].continue_()
    expect(page.locator(".tile, .tabs a")).to_have_count(5)
    expect(page.locator(".notice")).to_have_count(0)
    forgive(visitor, "status of 429")


def test_game_can_be_chosen_once_the_service_answers(visitor: Visitor) -> None:
    """A tap on a game while the service is down shows an error, and opens the form later: by the button, or by itself."""
    visitor.page.set_viewport_size({"width": 360, "height": 640})
    visitor.load()  # or it has what the form shows
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    away = True

    def answer(route: Route) -> None:
        route.abort() if away else route.continue_()

    page.route("**/api/v1/games/coup", answer)
    page.locator("[data-game=coup] .choose").click()
    expect(page.locator(".notice")).to_contain_text("The service is not responding.")
    expect(page.locator(".notice")).to_be_in_viewport()
    away = False
    page.locator(".notice button").or_(page.locator("#wish h3")).first.click()
    expect(page.locator("#wish h3")).to_have_text("Coup")
    expect(page.locator(".notice")).to_have_count(0)
    forgive(visitor, "ERR_FAILED")


def stranger(visitor: Visitor, address: str) -> Page:
    """Come with a token that the service does not know."""
    visitor.page.evaluate("localStorage.setItem('tafelrunde.token', 'stale')")
    return visitor.visit(address)


def test_stale_token_does_not_hide_a_public_match(visitor: Visitor, served: Service) -> None:
    """The visitor can watch, sees why, and the token stays until the visitor plays as a new guest."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        party.start()
        page = stranger(visitor, party.address)
        expect(page.locator(".watching")).to_be_visible()
        expect(page.locator(".notice")).to_contain_text("The service no longer knows you")
        party.answer(0, {"type": "coup.take-income"})
        expect(page.locator(".status")).to_contain_text("Player 1")
        assert page.evaluate(STORED) == "stale"
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    expect(page.locator(".notice")).to_contain_text("The service no longer knows you")
    assert page.evaluate(STORED) == "stale"
    page = visitor.begin("coup", seats=2)
    expect(page.locator(".board .tray")).to_be_visible()
    assert page.evaluate(STORED) != "stale"
    forgive(visitor, "status of 401")


def test_form_shows_the_options_that_matter_with_that_many_seats(visitor: Visitor) -> None:
    """Those of two players alone are there with two seats, and with no other number, nor sent then; the rest are always there."""
    page = visitor.visit("/")
    page.locator("[data-game=coup] .choose").click()
    page.locator("#wish > details summary").click()
    shown = page.locator("#wish > details label")
    expect(shown.filter(has_text="Fifth role")).to_be_visible()
    expect(shown.filter(has_text=DUEL)).to_have_count(0)
    page.locator("#wish select").first.select_option("2")
    shown.filter(has_text=DUEL).get_by_role("checkbox").first.click()
    page.locator("#wish select").first.select_option("4")
    expect(shown.filter(has_text=DUEL)).to_have_count(0)
    expect(shown.filter(has_text="Fifth role")).to_be_visible()
    with page.expect_request("**/api/v1/matches") as begun:
        page.locator("#wish .main").click()
    assert "duel_draft" not in (begun.value.post_data or "")


def test_mistyped_address_says_so(visitor: Visitor) -> None:
    """Whether it is no name of a match, or that of none; and in the lobby's own field."""
    for address in ("/match/zzz", f"/match/m{'a' * 24}"):
        page = visitor.visit(address)
        expect(page.locator(".notice")).to_contain_text("There is no such match")
        page.locator("a", has_text="To the lobby").first.click()
        page.wait_for_selector(".tile")
    page.locator(".by-link input").fill("https://example.org/match/mabc")
    page.locator(".by-link button").click()
    expect(page.locator(".notice")).to_contain_text("There is no such match")
    forgive(visitor, "status of 404")
