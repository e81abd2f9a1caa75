"""The leaderboards: of every game, in the reader's language, and as they are now."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.processes import until
from tests.support.served import Service
from tests.web.conftest import Visitor, pause, settled
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]


def test_leaderboards_are_there_for_every_game(visitor: Visitor) -> None:
    """From the lobby to a game's board, and from there to the others'."""
    page = visitor.visit("/")
    page.locator("[data-game=coup] nav a").last.click()
    expect(page.locator(".tabs a")).to_have_count(5)
    expect(page.locator(".tabs [aria-current=page]")).to_have_text("Coup")
    page.locator(".tabs a", has_text="Mondkrone").click()
    expect(page.locator("h1")).to_contain_text("Mondkrone")


def test_leaderboard_lists_people_or_programs_alone(newcomer: Visitor, served: Service) -> None:
    """A program that says so is not among the people, and the bots of the house are among neither."""
    with Party(served.url, "coup", 2) as party:
        party.start().finish(served)
        client = party.clients[0]
        ids = {each.player().id for each in party.clients}
        until("the match is rated", lambda: ids <= {row.player for row in client.leaderboard("coup").items})
    page = newcomer.visit("/boards/coup")
    for kind, expected in (("people", True), ("programs", False), ("everyone", True)):
        with page.expect_response("**/leaderboards/coup*"):
            page.get_by_role("button", name=kind, exact=True).click()
        expect(page.get_by_role("button", name=kind, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".boards td", has_text="Player 0").first).to_be_visible(visible=expected)


@pytest.mark.parametrize(
    ("language", "heading", "own", "computer"),
    [("de-DE", "Rangliste", "(du)", "Bot"), ("en-GB", "Leaderboard", "(you)", "bot")],
)
def test_leaderboard_speaks_the_reader_s_language_and_marks_one_s_own_row(
    language: str, heading: str, own: str, computer: str, browser: Browser, served: Service
) -> None:
    """Players without a name are called so in that language, and the reader's own row is marked by more than its colour."""
    with Party(served.url, "coup", 2) as party:
        party.start().finish(served)
        client = party.clients[0]
        me = client.player().id
        until("the match is rated", lambda: me in {row.player for row in client.leaderboard("coup").items})
        visitor = Visitor(browser, served.url, language=language)
        party.seat(visitor.page, 0)
        page = visitor.visit("/boards/coup")
        expect(page.locator("h1")).to_contain_text(heading)
        expect(page.locator(".boards tr.me")).to_contain_text(f"Player 0 {own}")
        for quiet in page.locator(".boards tr:not(.me) .quiet").all_inner_texts():
            assert quiet == f"({computer})"
        visitor.close()


def test_leaderboard_shows_a_match_that_has_ended_meanwhile(timed: Visitor, served: Service) -> None:
    """It is refreshed every half minute, with all rows that are shown; while the page is hidden, it is not."""
    asked: list[str] = []
    clock = timed.page.clock
    clock.install()
    with timed.page.expect_response("**/leaderboards/matchmaster*") as answered:
        page = timed.visit("/boards/matchmaster")
    answered.value.finished()
    expect(page.locator("h1")).to_contain_text("MatchMaster")
    settled(page)
    pause(page)
    before = len(ranked(page))
    with Party(served.url, "matchmaster", 3) as party:
        party.start().finish(served)
        client = party.clients[0]
        [me, *_] = [each.player().id for each in party.clients]
        until("the match is rated", lambda: me in {row.player for row in client.leaderboard("matchmaster").items})
    page.on("request", lambda request: asked.append(request.url) if "/leaderboards/" in request.url else None)
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: true })")
    clock.run_for(90_000)
    assert asked == []
    assert len(ranked(page)) == before
    page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: false })")
    with page.expect_request("**/leaderboards/*"):
        clock.run_for(30_000)
    assert len(asked) == 1
    clock.resume()
    expect(page.locator(".boards tbody tr")).to_have_count(before + 3)


def ranked(page: Page) -> list[str]:
    """Return the rows of the board that is shown."""
    return page.locator(".boards tbody tr").all_inner_texts()
