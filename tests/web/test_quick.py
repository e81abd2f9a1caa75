"""Play now: strangers are led to one table, and bots come when the wait is over."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-quick")]


def seek(page: Page, *, wait: str, seats: int = 2) -> None:
    """Seek a match of Coup."""
    now = page.locator(".play-now")
    now.get_by_label("Game").select_option("Coup")
    now.get_by_label("Players").select_option(str(seats))
    now.get_by_label("Pace").select_option("Relaxed")
    now.get_by_label("Wait at most").select_option(wait)
    now.get_by_role("button", name="Find players").click()


def test_two_strangers_are_led_to_one_table(browser: Browser, newcomer: Visitor, served: Service) -> None:
    """The second finds the first in the lobby; the match begins when both sit, with a number of each of them."""
    one = newcomer.visit("/")
    seek(one, wait="10 minutes")
    expect(one.locator(".seats .me")).to_contain_text("(you)")
    expect(one.locator(".fills")).to_contain_text("Bots take the free seats in")
    other = Visitor(browser, served.url)
    page = other.visit("/")
    sought = page.locator(".sought", has_text="Coup, Relaxed, 1 of 2")
    sought.get_by_role("button", name="Join").click()
    for each in (one, page):
        expect(each.locator(".board.coup .seats")).to_have_count(0)
        expect(each.locator(".status")).to_contain_text("turn")
    match = page.url.rpartition("/")[2]
    assert one.url.rpartition("/")[2] == match
    with Client(served.url) as client:
        taken = [each.event for each in client.feed(match).items if each.event["type"] == "match.seat-taken.1"]
        assert len({event["nonce"] for event in taken} - {""}) == 2
    other.close()


def test_bots_come_when_no_one_else_does(newcomer: Visitor) -> None:
    """After the time that was chosen, without another click; they are as strong as was chosen."""
    page = newcomer.visit("/")
    page.locator(".play-now").get_by_label("Game").select_option("Coup")
    page.get_by_text("Bots, if any join").first.click()
    page.get_by_label("Bots, if any join").select_option(index=1)
    expect(page.get_by_label("Bots, if any join")).to_have_accessible_description(re.compile("Wins|Not measured"))
    seek(page, wait="15 seconds", seats=3)
    expect(page.locator(".seats .me")).to_contain_text("(you)")
    expect(page.locator(".board.coup .seats")).to_have_count(0)
    expect(page.locator(".status")).not_to_have_text("")
    told = page.evaluate("""() => {
      const { facts, sheet } = document.querySelector("game-table").store;
      const { offers } = sheet.tables.find(({ seats }) => seats === facts.seats);
      return [offers[0].bot, ...facts.chairs.flatMap(({ bot }) => (bot ? [bot] : []))];
    }""")
    assert len(told) == 3
    assert len(set(told)) == 1
