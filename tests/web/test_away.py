"""A player who is away: what leaving means, that the place is kept, and what is said at the end."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-away")]
UNHURRIED = {"turn_seconds": 600, "reaction_seconds": 600}


@contextmanager
def against_a_computer(visitor: Visitor, served: Service, clock: Mapping[str, int]) -> Generator[tuple[Page, Client, str]]:
    """Open a match of Coup between the visitor, who is asked first, and a computer; give page, client and match."""
    with Client(served.url) as client:
        client.sign_up("Ada")
        options = {"first_seat": 0}
        match = client.open_match("coup", 2, options=options, bots={1: "random"}, clock=clock, start=True).match
        visitor.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", client.token)
        page = visitor.visit(f"/match/{match}")
        page.wait_for_selector(".status, .result")
        yield page, client, match


def test_table_waits_for_who_leaves_it_alone_with_computers(visitor: Visitor, served: Service) -> None:
    """The question says so before, the page says until when, and one button leads back to the same decision."""
    with against_a_computer(visitor, served, {**UNHURRIED, "away_seconds": 300}) as (page, client, match):
        asked = client.match(match).decision
        page.locator("footer button", has_text="Leave").click()
        expect(page.locator("dialog")).to_contain_text(
            "The table waits 5 minutes for you. After that a bot plays for you; you can come back until the match is over."
        )
        page.locator("dialog button", has_text="Leave").click()
        expect(page.locator(".away [role=status]")).to_contain_text(
            re.compile(r"^You left the table\. The table waits for you until .+\.$")
        )
        expect(page.locator("p.status")).to_contain_text("The table waits for you until")
        page.locator(".away button").click()
        expect(page.locator(".away")).to_have_count(0)
        expect(page.locator(".status.mine")).to_be_visible()
        assert client.match(match).decision == asked


def test_answer_brings_back_who_left(visitor: Visitor, served: Service) -> None:
    """What can be chosen stays on the page; a choice takes the seat back as well."""
    with against_a_computer(visitor, served, {**UNHURRIED, "away_seconds": 300}) as (page, client, match):
        client.leave(match)
        expect(page.locator(".away")).to_be_visible()
        caught_up(page)
        page.locator(".moves button").first.click()
        expect(page.locator(".away")).to_have_count(0)
        assert client.match(match).chairs[0].bot is None
        assert "coup" in {item.event["type"].partition(".")[0] for item in client.feed(match).items}


def test_missed_clocks_are_said_at_once(visitor: Visitor, served: Service) -> None:
    """In plain words above the table, with the way back, and by ear."""
    clock = {"turn_seconds": 1, "reaction_seconds": 1, "stand_in_after": 1, "away_seconds": 300}
    with against_a_computer(visitor, served, clock) as (page, _, _):
        expect(page.locator(".away [role=status]")).to_contain_text("You did not answer in time. The table waits for you until")
        expect(page.locator(".away button")).to_be_visible()
        expect(page.locator("div.spoken")).to_contain_text("You have not answered in time; a bot plays for you for now.")


def test_end_says_from_which_move_on_a_computer_played(visitor: Visitor, served: Service) -> None:
    """The number is that of the replay, and leads there."""
    with against_a_computer(visitor, served, {**UNHURRIED, "away_seconds": 1}) as (page, client, match):
        client.leave(match)
        said = page.locator(".result .was-away")
        expect(said).to_have_text(re.compile(r"You were away: a bot played from move \d+\."))
        number = re.search(r"\d+", said.inner_text())
        assert number is not None
        said.locator("button").click()
        expect(page.locator(".replay-bar .quiet")).to_contain_text(re.compile(rf"^{number[0]} / "))
