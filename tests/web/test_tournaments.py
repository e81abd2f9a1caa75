"""Tournaments in the browser: opened by a form, joined by a link, played round by round, with the standings beside."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.client import ApiError, Client
from tafelrunde.client.entries import read_tournament
from tafelrunde.client.keeping import read_kept
from tests.support.processes import until
from tests.support.served import Service
from tests.web.conftest import Visitor, settled

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-tournaments")]
NAME = "A cup with a long name for the evening"


@pytest.fixture
def friend(browser: Browser, served: Service) -> Iterator[Visitor]:
    """Another person, on a phone, in German."""
    made = Visitor(browser, served.url, language="de-DE", width=360, height=640)
    yield made
    made.close()


def open_cup(page: Page) -> None:
    """Fill the form in: Coup at tables of two, with two computers."""
    page.get_by_label("Name of the tournament").fill(NAME)
    page.get_by_label("Your name").fill("Ada")
    choices = page.locator(".wish > .fields select")
    choices.nth(0).select_option("Coup")
    choices.nth(1).select_option("2")
    choices.nth(4).select_option("2")
    expect(choices.nth(5)).to_have_accessible_description(re.compile("Wins|Not measured"))
    page.get_by_role("button", name="Open the tournament").click()
    expect(page.locator("h1")).to_have_text(NAME)


def answer(client: Client, match: str | None) -> None:
    """Give the first legal command where one is asked for."""
    question = client.view(match).question if match is not None else None
    if match is not None and question is not None and question.answered is None:
        with suppress(ApiError):  # closed meanwhile
            client.play(match, question.decision, question.legal[0])


def play_rounds(served: Service, cup: str, *pages: Page) -> None:
    """Let the matches of both people come to their ends until the tournament is over."""
    tokens = [page.evaluate("localStorage.getItem('tafelrunde.token')") for page in pages]
    clients = [Client(served.url, token) for token in tokens]

    def over() -> bool:
        for client in clients:
            if (match := client.tournament(cup).facts.your_match) is not None:
                served.finish(match, random.Random(1))
        return clients[0].tournament(cup).facts.stage == "over"

    until("the tournament is over", over)
    for client in clients:
        client.close()


def test_tournament_is_played_from_the_form_to_the_standings(newcomer: Visitor, friend: Visitor, served: Service) -> None:
    """One opens it, another joins by the link on a phone, both are led to their tables, and the last page says who won."""
    page = newcomer.visit("/tournaments")
    open_cup(page)
    cup = page.url.rpartition("/")[2]
    phone = friend.visit(f"/tournaments/{cup}")
    phone.get_by_label("Dein Name").fill("Ben")
    phone.get_by_role("button", name="Mitspielen").click()
    expect(phone.locator(".matches li")).to_have_count(4)
    expect(page.locator(".matches li", has_text="Ben")).to_have_count(1)
    page.get_by_role("button", name="Start the tournament").click()
    for each, text in ((page, "To your table"), (phone, "An deinen Tisch")):
        expect(each.get_by_role("link", name=text)).to_have_count(1)
        assert each.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="To your table").click()
    page.wait_for_selector(".status")
    match = page.url.rpartition("/")[2]
    page.wait_for_function("(match) => JSON.parse(localStorage.getItem(`tafelrunde.kept.${match}`))?.seat !== null", arg=match)
    of_match = read_kept(page.evaluate(f"localStorage.getItem('tafelrunde.kept.{match}')").encode())
    play_rounds(served, cup, page, phone)
    page = newcomer.visit(f"/tournaments/{cup}")
    page.get_by_text("Check the draw").click()
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the evidence").click()
    assert download.value.suggested_filename == f"{cup}.tournament.json"
    kept = read_tournament(download.value.path().read_bytes())
    assert (len(kept.nonce), len(kept.ahead), kept.terms.public_ids) == (32, 2, True)
    assert (of_match.nonce, of_match.tournament) == (kept.nonce, kept.terms)
    page = newcomer.visit(f"/match/{match}")
    page.locator(".result > button", has_text="Check this match").click()
    for said in ("before you joined the tournament", "part of every shuffle"):
        expect(page.locator(".audit.device li", has_text=said)).to_have_count(1)
    page = newcomer.visit(f"/tournaments/{cup}")
    expect(page.locator(".boards tbody tr")).to_have_count(4)
    expect(page.locator(".boards tr.me")).to_contain_text("Ada")
    expect(page.locator(".tournament-page")).to_contain_text("over")
    page.get_by_role("button", name="Round 1").click()
    expect(page.locator("#round")).to_have_text("Round 1")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = newcomer.visit("/tournaments")
    expect(page.locator(".matches li", has_text=NAME)).to_contain_text("over")


def test_tables_of_bots_alone_are_played(visitor: Visitor, served: Service) -> None:
    """Each has a match and a result before the player has made a move."""
    with Client(served.url) as host:
        host.sign_up("Ada")
        cup = host.open_tournament(name="Cup", game="coup", seats=2, kind="swiss", bots=["honest"] * 5).facts.tournament
        host.join_tournament(cup)
        host.start_tournament(cup)
        page = visitor.visit(f"/tournaments/{cup}")
        expect(page.locator(".matches li", has_text=re.compile(r"[01] : [01]"))).to_have_count(2)
        expect(page.locator(".tournament-page")).not_to_contain_text("no result")
        expect(page.locator(".tournament-page")).not_to_contain_text("not played")
