"""A table for friends: who sees it, what is said to whom comes by the link, and what its host can do."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import Client
from tests.support.processes import until
from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-open-table")]


def open_table(visitor: Visitor, *, listed: bool = False, watched: str | None = None, fifth_role: str | None = None) -> Page:
    """Open a table for three, for friends alone or for strangers as well; *watched*: by whom."""
    page = ask_for_table(visitor, listed=listed, watched=watched, fifth_role=fifth_role)
    page.wait_for_selector(".seats")
    return page


def ask_for_table(visitor: Visitor, *, listed: bool = False, watched: str | None = None, fifth_role: str | None = None) -> Page:
    """Ask for such a table, and do not wait for it."""
    page = visitor.visit("/")
    page.locator("[data-game=coup] .choose").click()
    page.locator("#wish select").first.select_option("3")
    if listed:
        page.locator("#wish .buttons input").check()
    if watched:
        page.locator("#wish summary").click()
        page.get_by_label("Who may watch?").select_option(watched)
    if fifth_role:
        page.get_by_label("Fifth role").select_option(fifth_role)
    page.get_by_role("button", name="Open a table for friends").click()
    return page


def id_of(page: Page) -> str:
    """Return the match in a page's address."""
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("listed", [False, True])
def test_table_for_friends_is_in_no_lobby_unless_that_is_wished(newcomer: Visitor, served: Service, *, listed: bool) -> None:
    """Only its link leads there; one control makes it public."""
    match = id_of(open_table(newcomer, listed=listed))
    with Client(served.url) as client:
        assert (client.match(match).visibility == "listed") is listed


def test_title_counts_seats_though_the_waiting_room_comes_late(visitor: Visitor) -> None:
    """Its module may be there after all that the host hears of the table."""
    visitor.load()
    held: list[Route] = []
    visitor.page.route("**/waiting-room.js", lambda route: held.append(route))  # noqa: PLW0108 - the library marks what it is given
    page = ask_for_table(visitor)
    page.wait_for_function("() => document.querySelector('game-table')?.page?.heard")
    until("the module is asked for", lambda: bool(page.evaluate("1") and held))
    for route in held:
        route.continue_()
    expect(page).to_have_title("1/3 Tafelrunde")


def test_who_comes_by_link_is_asked_for_a_name_and_sees_the_settings(
    browser: Browser, newcomer: Visitor, served: Service
) -> None:
    """Clock, spectators and unusual options are there, folded, and which seat is theirs; the host hears of it.

    Of options that are as usual, nothing is said. The title counts seats.
    """
    host = open_table(newcomer, watched="Everyone, a minute late", fifth_role="inquisitor")
    expect(host).to_have_title("1/3 Tafelrunde")
    guest = Visitor(browser, served.url)
    page = guest.visit(f"/match/{id_of(host)}")
    page.get_by_label("Your name").fill("Nele")
    expect(page.locator(".agreed")).to_be_hidden()
    page.locator(".terms summary").click()
    expect(page.locator(".board")).to_contain_text("Time to think: Relaxed, 10 minutes for a turn")
    expect(page.locator(".agreed")).to_contain_text("Anyone with the link, a minute late")
    expect(page.locator(".agreed dt")).to_have_text(["Who may watch?", "Fifth role"])
    with Client(served.url) as client:
        assert client.match(id_of(host)).spectators == "delayed"
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".seats .me")).to_contain_text("Nele (you)")
    expect(host.locator(".seats")).to_contain_text("Nele")
    expect(host).to_have_title("2/3 Tafelrunde")
    guest.close()


def test_host_chooses_the_bot_and_removes_who_sits_there(newcomer: Visitor, served: Service) -> None:
    """Each free seat gets the bot that was chosen for it, and can be cleared again."""
    page = open_table(newcomer)
    page.get_by_label("Which bot").nth(1).select_option(index=2)
    page.get_by_label("Which bot").first.select_option(index=1)
    for place in range(2):
        expect(page.get_by_label("Which bot").nth(place)).to_have_accessible_description(re.compile("Wins|Not measured"))
    wanted = page.evaluate("""async () => {
      const { sheet, facts } = document.querySelector("game-table").store;
      const { offers } = sheet.tables.find(({ seats }) => seats === facts.seats);
      return [offers[1].bot, offers[2].bot];
    }""")
    page.get_by_role("button", name="Add a bot").first.click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(1)
    page.get_by_role("button", name="Add a bot").first.click()
    expect(page.get_by_role("button", name="Remove")).to_have_count(2)
    with Client(served.url) as client:
        assert [chair.bot for chair in client.match(id_of(page)).chairs if chair.bot] == wanted
    page.get_by_role("button", name="Remove").first.click()
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(1)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(2)


def test_host_hears_who_joins_and_hands_the_table_on(browser: Browser, newcomer: Visitor, served: Service) -> None:
    """It is said in the live region, and in the title of a tab that is not looked at; the new host may start, the old one not."""
    host = open_table(newcomer)
    host.evaluate("() => Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})")
    guest = Visitor(browser, served.url)
    page = guest.visit(f"/match/{id_of(host)}")
    page.get_by_label("Your name").fill("Nele")
    page.get_by_role("button", name="Join").click()
    expect(host.locator("[role=log]", has_text="Nele has joined.")).to_have_count(1)
    expect(host).to_have_title("Nele has joined. 2/3 Tafelrunde")
    expect(page.get_by_role("button", name="Make host")).to_have_count(0)
    host.get_by_role("button", name="Make host").click()
    expect(page.locator(".seats .me .badge")).to_have_text("host")
    expect(page.get_by_role("button", name="Make host")).to_have_count(1)
    expect(host.get_by_role("button", name="Add a bot")).to_have_count(0)
    page.locator("footer button", has_text="Leave").click()
    page.locator("dialog button", has_text="Leave").click()
    expect(host.locator("[role=log]", has_text="Nele has left.")).to_have_count(1)
    guest.close()
