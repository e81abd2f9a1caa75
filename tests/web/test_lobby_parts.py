"""What the lobby shows of the service: one's own matches, what can be joined or watched, and what today offers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import Client
from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.events import shard_of
from tests.support.served import Service
from tests.support.thorough import tries
from tests.web.conftest import EMPTY, Visitor
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-lobby")]

SIZES = ((360, 640), (1440, 900), (2560, 1440), (390, 844))[: tries(3, 4)]
SHIFTS = """() => {
  window.shifts = [];
  const seen = (list) => shifts.push(...list.getEntries().map((each) => each.value));
  new PerformanceObserver(seen).observe({ type: "layout-shift", buffered: true });
}"""
FAULTS = """() => {
  const found = [];
  for (const box of document.querySelectorAll("main :is(section, li, a, button, .tile, .todays-one, .row-text)")) {
    const { left, right, width } = box.getBoundingClientRect();
    if (width && (left < -1 || right > innerWidth + 1)) found.push(`outside: ${box.className || box.textContent.trim()}`);
    const wide = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline";
    if (wide) found.push(`cut: ${box.textContent.trim()}`);
  }
  for (const section of document.querySelectorAll(".lobby section")) {
    if (!section.textContent.trim()) found.push(`empty: ${section.className}`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def lively(served: Service) -> Iterator[Party]:
    """A service at which something goes on: two matches to watch, a table to join, and a player with two matches."""
    with (
        Party(served.url, "coup", 3, names=("Ada", "Bruno", "Cleo"), options={"first_seat": 0}) as own,
        Party(served.url, "mondkrone", 4, names=("Dario", "Enid", "Falk", "Greta")) as others,
        Client(served.url) as host,
    ):
        host.sign_up("Hanno")
        matches = [own.start().match, others.start().match, host.open_match("stich-meister", 4).match]
        matches.append(own.clients[0].open_daily("matchmaster").match)
        matches.append(host.open_match("coup", 2, bots={1: "random"}, spectators="off", start=True).match)
        assert served.application is not None
        for match in matches:
            served.do(served.application.projector.catch_up(shard_of(MatchId(match))))
        yield own


def lobby(visitor: Visitor, party: Party) -> Page:
    """Open the lobby as the party's first player."""
    party.seat(visitor.page, 0)
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    return page


def test_lobby_shows_what_goes_on(visitor: Visitor, lively: Party) -> None:
    """What waits for the reader first; others' public matches to watch, free seats to take, and today's deals."""
    page = lobby(visitor, lively)
    own = page.get_by_role("region", name="Continue").locator("li")
    expect(own).to_have_count(2)
    expect(own.first).to_contain_text("Your turn")
    expect(own.first).to_contain_text("time ends in")
    watched = page.get_by_role("region", name="Watch").locator("li")
    expect(watched).to_have_count(1)
    expect(watched).to_contain_text("Dario, Enid, Falk, Greta · live")
    expect(page.get_by_role("region", name="Open tables").locator("li")).to_contain_text("Hanno, 3 seats free")
    expect(page.locator(".todays-one")).to_have_count(2)
    watched.get_by_role("link", name="Watch").click()
    expect(page.locator(".watching")).to_be_visible()


def test_lobby_has_nothing_of_what_is_not_there(visitor: Visitor) -> None:
    """A newcomer at a service without deals of the day sees no heading above nothing."""

    def small(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "features": ["bots"]})

    visitor.stays = False
    visitor.page.route("**/api/v1/games", small)
    asked = list[str]()
    visitor.page.on("request", lambda request: asked.append(request.url))
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    expect(page.get_by_role("region", name="Continue")).to_have_count(0)
    expect(page.locator(".today")).to_have_count(0)
    assert not [each for each in asked if "daily" in each]


def test_nothing_of_the_lobby_is_cut_or_moves(browser: Browser, lively: Party) -> None:
    """At each size, in the language with the longer words; what comes later stands below what is there."""
    visitor = Visitor(browser, lively.url, language="de-DE", painted=True)
    for width, height in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.goto(f"{lively.url}/{EMPTY}")  # so that the page is loaded again, in this size
        page = lobby(visitor, lively)
        page.evaluate(SHIFTS)
        assert page.evaluate(FAULTS) == [], f"{width}x{height}"
        assert page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(shifts))))") == []
    visitor.close()
