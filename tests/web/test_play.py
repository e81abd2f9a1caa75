"""The web client in a real browser: what a visitor does with it, on wide and small screens."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError, expect  # noqa: A004 - the browser's own word

from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-play")]

MOST_MOVES = 600
MOVES = ".moves button:enabled, .rulecard, .hand .legal, .answer:enabled"
READY = f"{MOVES}, .result"


def is_over(page: Page) -> bool:
    """Return whether the result stands there."""
    return page.locator(".result").count() > 0


def move(page: Page, rng: random.Random, press: str | None) -> None:
    """Wait until there is something to do, and do any of it: click, or press a key on what has the focus."""
    page.wait_for_selector(READY)
    confirm = page.locator(".confirm:enabled")
    found = confirm if confirm.count() else page.locator(MOVES)
    if is_over(page) or not (count := found.count()):
        return
    chosen = found.nth(rng.randrange(count))
    with suppress(TimeoutError):  # a bot was quicker, and the question is another one
        if press is None:
            chosen.click(timeout=1_000)
        else:
            chosen.focus(timeout=1_000)
            page.keyboard.press(press)
    page.wait_for_timeout(20)


def play(page: Page, seed: int, press: str | None = None) -> int:
    """Play to the end; return how many moves that took."""
    rng = random.Random(seed)
    for number in range(MOST_MOVES):
        if is_over(page):
            return number
        move(page, rng, press)
    raise AssertionError(page.locator(".status").inner_text())


def test_newcomer_plays_a_match_to_its_end(visitor: Visitor) -> None:
    """One click in the lobby, no account: a match against computers, up to the result with a winner."""
    page = visitor.begin("coup")
    assert play(page, 1) > 0
    places = page.locator(".result li")
    assert places.count() == 3
    assert places.first.get_attribute("value") == "1"


def test_reactions_of_coup_have_number_keys(visitor: Visitor) -> None:
    """1 to 9 give the answers in their order."""
    page = visitor.begin("coup", seats=3)
    page.wait_for_selector(READY)
    before = page.locator(".log summary").inner_text()
    page.keyboard.press("1")
    expect(page.locator(".log summary")).not_to_have_text(before)


def test_language_is_switched_without_reload(visitor: Visitor) -> None:
    """Lobby, table and rule sheet speak German and English."""
    page = visitor.visit("/")
    page.wait_for_selector("text=Open tables")
    page.locator(".languages [lang=de]").click()
    page.wait_for_selector("text=Offene Tische")
    page = visitor.begin("coup")
    page.wait_for_selector("text=Verlauf")
    assert page.locator("html").get_attribute("lang") == "de"


def test_friend_joins_by_the_address(visitor: Visitor, phone: Visitor) -> None:
    """Two browsers at one table: the second opens the first one's address, joins, and both play."""
    page = visitor.visit("/")
    page.locator("[data-game=coup] .cover").click()
    page.locator("#wish select").first.select_option("2")
    page.locator("#wish button:not(.main)").last.click()
    page.wait_for_selector(".seats")
    other = phone.visit(page.url.partition("#")[2])
    other.locator(".buttons .main").click()
    page.wait_for_selector(".seats li:nth-child(2):not(:has(em))")
    page.locator(".buttons .main").click()
    for each in (page, other):
        each.wait_for_selector(".ring")
    asked = [each for each in (page, other) if each.locator(".status.mine").count()]
    assert len(asked) == 1
