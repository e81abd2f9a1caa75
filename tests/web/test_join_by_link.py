"""A guest who opens the link of a table, watches, and then joins: log, hand and check are those of its seat, without a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tafelrunde.client import Client
from tests.support.served import Service
from tests.web.conftest import Visitor, over_http

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-join-by-link")]

SHOWN = """() => {
  const { store } = document.querySelector("game-table") ?? {};
  return store?.known && store.items.length && store.view.cursor === store.items.at(-1).cursor;
}"""
DEALT = (
    """() => document.querySelector("game-table").store.items.find(({ event }) => event.type === "coup.dealt.1").event.hands"""
)


def join(page: Page) -> None:
    """Take a seat, with a name if there is none yet."""
    if not page.evaluate("localStorage.getItem('tafelrunde.token')"):
        page.get_by_label("Your name").fill("Nele")
    page.get_by_role("button", name="Join").click()
    expect(page.locator(".seats .me")).to_contain_text("Nele (you)")


def play_out(match: str, *clients: Client) -> None:
    """Give the first legal answers until the match is over."""
    while clients[0].view(match).status == "running":
        for client in clients:
            question = client.view(match).question
            if question is not None and question.answered is None:
                client.play(match, question.decision, question.legal[0])


@pytest.mark.parametrize("way", ["socket", "http"])
def test_guest_who_joins_by_link_sees_and_checks_the_feed_of_its_seat(newcomer: Visitor, served: Service, way: str) -> None:
    """Nothing is said of lost moves, and the check on the device is right. Over HTTP the guest has a token before."""
    if way == "http":
        over_http(newcomer)
        with Client(served.url) as client:
            client.sign_up("Nele")
            newcomer.first(f"localStorage.setItem('tafelrunde.token', '{client.token}')")
    with Client(served.url) as host:
        host.sign_up("Hanna")
        match = host.open_match("coup", 2, spectators="public", visibility="unlisted").match
        page = newcomer.visit(f"/match/{match}")
        page.wait_for_function(SHOWN)
        join(page)
        host.start(match)
        page.wait_for_selector(".hand")
        page.wait_for_function(SHOWN)
        assert page.evaluate(DEALT)[1] is not None
        expect(page.get_by_text("The server has lost the newest moves")).to_have_count(0)
        with Client(served.url, page.evaluate("localStorage.getItem('tafelrunde.token')")) as guest:
            play_out(match, host, guest)
    page.wait_for_selector(".result")
    page.locator(".result > button", has_text="Check this match").click()
    expect(page.locator(".audit.device strong")).to_contain_text("Checked on this device: everything fits.")


def test_guest_watches_on_without_a_false_accusation_when_it_is_removed(newcomer: Visitor, served: Service) -> None:
    """The feed is that of a spectator, and what was kept of the seat before is not compared with the cards of the next player."""
    with Client(served.url) as host, Client(served.url) as other:
        host.sign_up("Hanna")
        other.sign_up("Otto")
        match = host.open_match("coup", 2, spectators="public").match
        page = newcomer.visit(f"/match/{match}")
        join(page)
        host.clear_seat(match, 1)
        expect(page.locator(".seats .me")).to_have_count(0)
        other.take_seat(match, 1)
        host.start(match)
        play_out(match, host, other)
    page.wait_for_selector(".result")
    page.wait_for_function(SHOWN)
    assert page.evaluate(DEALT) == [None, None]
    page.locator(".result > button", has_text="Check this match").click()
    expect(page.locator(".audit.device strong")).to_be_visible()
    expect(page.locator(".audit.device")).not_to_contain_text("something is wrong")
    # A request for the table's chat that was on its way when the guest was removed is refused, which the browser notes.
    newcomer.complaints = [each for each in newcomer.complaints if "/talk?room=table" not in each]
