"""Vacation: on the reader's own page, and at a table that waits for it."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

DAY_SECONDS = 86_400


def test_player_goes_on_vacation_and_comes_back(browser: Browser, served: Service) -> None:
    """It says until when, and how many days of the year are left; what is chosen is the last day, and it can end early."""
    with Client(served.url) as client:
        client.sign_up("Ada")
        visitor = Visitor(browser, served.url)
        visitor.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", client.token)
        page = visitor.visit("/me")
        section = page.locator(".vacation")
        expect(section).to_contain_text("Days that you have left this year: 30")
        last = datetime.now().astimezone().date() + timedelta(days=3)
        section.get_by_label("Last day").fill(last.isoformat())
        section.get_by_role("button", name="Go on vacation").click()
        expect(section.get_by_role("status")).to_contain_text(f"You are on vacation until {last.strftime('%B')} {last.day},")
        expect(section).to_contain_text("Days that you have left this year: 26")
        until_ms = client.vacation().until_ms
        assert until_ms is not None
        assert datetime.fromtimestamp(until_ms / 1000 - 1).astimezone().date() == last
        section.get_by_role("button", name="End the vacation").click()
        expect(section.get_by_role("status")).to_have_count(0)
        expect(section).to_contain_text("Days that you have left this year: 29")
        assert client.vacation().until_ms is None
        visitor.close()


def test_slow_table_says_who_is_on_vacation(browser: Browser, served: Service) -> None:
    """Above the table, and on the seat; at a faster one, which does not wait, it says nothing."""
    visitor = Visitor(browser, served.url)
    with Client(served.url) as ada, Client(served.url) as bert:
        ada.sign_up("Ada")
        bert.sign_up("Bert")
        until_ms = round(1000 * (time.time() + 5 * DAY_SECONDS))
        bert.begin_vacation(until_ms)
        slow = {"turn_seconds": 2 * DAY_SECONDS, "reaction_seconds": DAY_SECONDS}
        for clock, away in ((slow, 1), ({"turn_seconds": 600, "reaction_seconds": 120}, 0)):
            match = ada.open_match("coup", 2, spectators="public", clock=clock).match
            bert.take_seat(match)
            ada.start(match)
            visitor.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", ada.token)
            page = visitor.visit(f"/match/{match}")
            page.wait_for_selector(".board .seat")
            caught_up(page)
            expect(page.get_by_text("Bert is on vacation until")).to_have_count(away)
            expect(page.locator(".ring .seat").get_by_role("img", name="Bert is on vacation until")).to_have_count(away)
            visitor.visit("/").wait_for_selector(".tile")
    visitor.close()
