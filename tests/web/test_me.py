"""The reader's own player: a name, another device, deletion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

STORED = "() => localStorage.getItem('tafelrunde.token')"


def me(visitor: Visitor, name: str) -> Page:
    """Take a name on the page of one's own player."""
    page = visitor.visit("/me")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    return page


def test_newcomer_takes_a_name_and_another_one(browser: Browser, served: Service) -> None:
    """The player is made with the first name, and keeps its token with the second."""
    visitor = Visitor(browser, served.url, fresh=True)
    page = me(visitor, "Ada")
    token = page.evaluate(STORED)
    me(visitor, "Ada Lovelace")
    assert page.evaluate(STORED) == token
    visitor.page.reload()
    expect(page.get_by_label("Name")).to_have_value("Ada Lovelace")
    visitor.close()


def test_player_is_carried_to_another_device(browser: Browser, served: Service) -> None:
    """By an address that is shown when asked for; the other device asks before it takes the player, and forgets the address."""
    one, other = Visitor(browser, served.url, fresh=True), Visitor(browser, served.url, fresh=True)
    page = me(one, "Grace")
    page.get_by_role("button", name="Show the address").click()
    address = page.get_by_label("Address with your key").input_value()
    assert re.search(r"#/carry/\S+$", address)
    other.page.goto(address)
    expect(other.page.locator("main")).to_contain_text("Play here as Grace?")
    assert other.page.url.endswith("#/carry")
    assert other.page.evaluate(STORED) is None
    other.page.get_by_role("button", name="Take over").click()
    expect(other.page.get_by_label("Name")).to_have_value("Grace")
    assert other.page.evaluate(STORED) == page.evaluate(STORED)
    one.close()
    other.close()


def test_player_is_deleted_only_after_a_question(browser: Browser, served: Service) -> None:
    """Then the device knows no player any more."""
    visitor = Visitor(browser, served.url, fresh=True)
    page = me(visitor, "Gone Soon")
    page.get_by_role("button", name="Delete my player").click()
    page.get_by_role("button", name="Stay").click()
    assert page.evaluate(STORED) is not None
    page.get_by_role("button", name="Delete my player").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete my player").click()
    expect(page.locator(".tile").first).to_be_visible()
    assert page.evaluate(STORED) is None
    visitor.close()
