"""What one could have done better: the line of chances and the puzzles, by mouse, by keys, on a small phone, as text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tafelrunde.client.shapes import Coaching
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor, for_each, table
from tests.web.party import Party
from tests.web.test_states import grave, too_wide, wordless

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("few_worlds"), pytest.mark.xdist_group("web-looking-back")]


def coached(page: Page, party: Party) -> Coaching:
    """Ask what could have been better, wait until it is there, and return what the service says of it."""
    page.locator(".better").click()
    page.wait_for_selector(".coach > .quiet")
    return party.clients[0].coaching(party.match)


def choose(page: Page, coaching: Coaching, command: object) -> None:
    """Answer the puzzle on display."""
    page.locator(".coach .choices button").nth(coaching.puzzles[0].legal.index(command)).click()


def test_line_has_a_point_for_each_decision_and_keys_go_along_it(visitor: Visitor, finished: Party) -> None:
    """One stop of the tab key; arrows move on, and what stands there is said in words."""
    page = table(visitor, finished)
    coaching = coached(page, finished)
    points = page.locator(".chances circle")
    expect(points).to_have_count(len(coaching.line))
    expect(page.locator(".chances [tabindex='0']")).to_have_count(1)
    expect(page.locator(".chances .costly")).to_have_count(len(coaching.puzzles))
    assert re.search(rf"at {len(coaching.line)} decisions", page.locator(".chances").get_attribute("aria-label") or "")
    points.last.focus()
    page.keyboard.press("Home")
    expect(points.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(points.nth(1)).to_be_focused()
    second = coaching.line[1]
    chance, best = (int(100 * each + 0.5) for each in (second.chance, second.best))  # as the browser rounds
    said = f"Decision 2: chance of winning {chance}, with the best move {best}."
    expect(page.locator(".coach figcaption")).to_contain_text(said)
    expect(points.nth(1)).to_have_attribute("aria-label", said)
    page.locator(".coach figcaption button").click()
    page.wait_for_selector(".replay")


def test_puzzle_is_answered_and_says_whether_that_is_better(visitor: Visitor, finished: Party) -> None:
    """Wrong, then right: what the others held is shown only then."""
    page = table(visitor, finished)
    coaching = coached(page, finished)
    puzzle = coaching.puzzles[0]
    expect(page.locator(".verdict")).to_have_count(0)
    choose(page, coaching, puzzle.played)
    expect(page.locator(".verdict strong")).to_contain_text("Not quite.")
    expect(page.locator(".verdict.found")).to_have_count(0)
    expect(page.locator(".verdict .played")).to_have_count(1)
    expect(page.locator(".verdict ul li")).to_have_count(sum(bool(each.hand) for each in puzzle.held))
    page.locator(".verdict button").click()
    choose(page, coaching, puzzle.moves[0].command)
    expect(page.locator(".verdict.found strong")).to_contain_text("Found!")
    page.locator(".coach .buttons button").last.click()
    expect(page.locator(".coach h4")).to_contain_text("Puzzle 2 of")
    expect(page.locator(".verdict")).to_have_count(0)


def test_puzzle_is_answered_by_keys_on_a_small_phone(phone: Visitor, finished: Party) -> None:
    """The page is not wider than the screen, the focus stays near, and nothing grave is found by axe."""
    page = table(phone, finished)
    page.locator(".better").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".coach .choices")
    page.locator(".coach .choices button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    expect(page.locator(".coach :focus")).to_have_count(1)
    assert too_wide(page) == []
    assert grave(page, contrast=True) == []


def test_text_mode_has_the_line_and_the_puzzles_as_text(visitor: Visitor, finished: Party) -> None:
    """One line for each decision, and the table as it was."""
    page = table(visitor, finished)
    coaching = coached(page, finished)
    page.keyboard.press("t")
    lines = page.locator(".coach figure pre")
    expect(lines).to_contain_text("Decision 1: chance of winning")
    assert len(lines.inner_text().splitlines()) == len(coaching.line)
    expect(page.locator(".coach .puzzle pre")).not_to_be_empty()
    choose(page, coaching, coaching.puzzles[0].moves[0].command)
    expect(page.locator(".verdict.found")).to_have_count(1)
    page.keyboard.press("t")


def test_coaching_that_fails_can_be_asked_for_again(visitor: Visitor, finished: Party) -> None:
    """It says so, and leads on from there."""
    page = table(visitor, finished)
    page.route(re.compile("/coaching\\?"), lambda route: route.fulfill(status=500, body="no"))
    page.locator(".better").click()
    expect(page.locator(".coach p")).to_have_text("This is not possible right now.")
    page.unroute(re.compile("/coaching\\?"))
    page.locator(".coach button").click()
    page.wait_for_selector(".coach figure")
    visitor.complaints = [each for each in visitor.complaints if "status of 500" not in each]


def test_spectator_is_not_asked(visitor: Visitor, finished: Party) -> None:
    """Only those who played get the offer."""
    page = visitor.visit(finished.address)
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_selector(".result")
    expect(page.locator(".better")).to_have_count(0)


@for_each(GAMES)
def test_each_game_draws_its_puzzles(game: GameId, visitor: Visitor, served: Service) -> None:
    """The table as it was, and a button for each legal answer."""
    with Party(served.url, game, GAMES[game].min_seats) as party:
        party.start().finish(served)
        page = table(visitor, party)
        coaching = coached(page, party)
        assert coaching.puzzles
        for puzzle in coaching.puzzles:
            expect(page.locator(".coach .choices button")).to_have_count(len(puzzle.legal))
            expect(page.locator(".coach .board .tray > *")).not_to_have_count(0)
            page.locator(".coach .choices button").first.click()
            page.wait_for_selector(".verdict li")
            if len(coaching.puzzles) > 1:
                page.locator(".coach .buttons button").last.click()
        assert wordless(page) == []
