"""Wrong addresses of the page, and right ones with a token that the service refuses: each says so, and leads on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.paths import ROOT
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-addresses")]

APP = (ROOT / "api" / "web" / "app.js").read_text(encoding="utf-8")
NO_MATCH = "There is no such match, or it is not open to you. Is the address complete?"
NO_PAGE = "There is nothing at this address. Is it complete?"
NO_APPLICATION = "This application is not known here"
STALE = "The service no longer knows you"
UNKNOWN = {"match": f"m{'a' * 24}", "tournaments": f"c{'a' * 24}", "player": f"p{'0' * 26}"}
"""A name of the right shape that nothing has, where not every name will do."""
READY = """() => document.querySelector("main .notice, main h1, main .tile, main game-table")
  && !/One moment/.test(document.querySelector("main").innerText)"""
REFUSED = ("status of 401", "status of 404", "status of 422")


def routes(name: str) -> set[str]:
    """Return the first parts of addresses of one kind, as the page has them."""
    found = re.search(rf"^const {name} = \{{\n(.*?)^\}};", APP, re.MULTILINE | re.DOTALL)
    assert found is not None
    return {each.strip('"') for each in re.findall(r'^  ("?[\w-]*"?)(?:: |\()', found[1], re.MULTILINE)}


NAMED, ALONE = routes("NAMED"), routes("ALONE")
WRONG = sorted(
    {
        *("nonsense", "nonsense/x", "device/x", "constructor", "__proto__/x", "me/x", "authorize/x"),
        *(NAMED - ALONE),
        *(f"{each}/x" for each in NAMED - {"carry"}),
        *(f"{kind}/{name}" for kind, name in UNKNOWN.items()),
    }
)


def come(visitor: Visitor, address: str, token: str | None) -> Page:
    """Open an address, with that token if it is one."""
    if token is not None:
        visitor.page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", token)
    visitor.load()  # a page that stays loaded remembers a refused token
    page = visitor.visit(address)
    page.wait_for_function(READY)
    return page


def forgive(visitor: Visitor) -> None:
    """Take out what a browser notes of the refusals."""
    visitor.complaints = [each for each in visitor.complaints if not any(known in each for known in REFUSED)]


def test_all_routes_of_the_page_are_known_here() -> None:
    """The routes are read out of the page, so a new one is tried as well."""
    assert {"match", "player", "tournaments", "rules", "boards", "daily", "puzzle", "carry"} <= NAMED
    assert {"", "me", "sign-in", "authorize", "tournaments"} <= ALONE


@pytest.mark.parametrize("token", [None, "stale"])
def test_wrong_address_says_so_and_leads_to_the_lobby(newcomer: Visitor, token: str | None) -> None:
    """A sentence, and one way out, whether the service knows the visitor or not; never what a token is."""
    silent = dict[str, str]()
    for wrong in WRONG:
        page = come(newcomer, f"/{wrong}", token)
        text = page.locator("main").inner_text()
        alerts = " ".join(page.locator("main [role=alert]").all_inner_texts())
        expected = NO_MATCH if wrong.startswith("match") else NO_PAGE
        if expected not in alerts or "token" in text or page.locator("main a[href='#/']").count() != 1:
            silent[wrong] = text
    assert silent == {}
    forgive(newcomer)


def test_address_without_a_slash_is_wrong_as_well(newcomer: Visitor) -> None:
    """It is no way to the lobby."""
    newcomer.visit("nonsense")
    expect(newcomer.page.locator("main [role=alert]")).to_have_text(NO_PAGE)


def test_every_page_opens_with_a_token_that_is_refused(newcomer: Visitor) -> None:
    """It says that the service no longer knows the visitor, and shows all that everyone may see."""
    right = {*ALONE - {"authorize"}, "rules/coup", "boards/coup", "daily/coup"}
    for address in sorted(right):
        page = come(newcomer, f"/{address}", "stale")
        if not address.startswith("rules"):  # nothing is asked for there that needs a player
            expect(page.locator("main .notice")).to_contain_text(STALE)
        expect(page.locator("main [role=alert]")).to_have_count(0)
    forgive(newcomer)


def test_lobby_is_whole_with_a_token_that_is_refused(newcomer: Visitor) -> None:
    """All games can be played."""
    page = come(newcomer, "/", "stale")
    expect(page.locator(".tile .start")).to_have_count(5)
    expect(page.locator("main .notice")).to_contain_text(STALE)
    forgive(newcomer)


def test_own_page_with_a_token_that_is_refused_leads_to_sign_in(newcomer: Visitor) -> None:
    """It does not say that the visitor has never played."""
    page = come(newcomer, "/me", "stale")
    expect(page.locator("main .notice")).to_contain_text(STALE)
    expect(page.locator("main")).not_to_contain_text("You have not played here yet")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    forgive(newcomer)


def test_application_that_is_unknown_is_named_as_such(newcomer: Visitor) -> None:
    """The page of consent needs more than its address."""
    for token in (None, "stale"):
        page = come(newcomer, "/authorize?client_id=x", token)
        expect(page.locator("main [role=alert]")).to_contain_text(NO_APPLICATION)
        expect(page.locator("main a[href='#/']")).to_have_count(1)
    forgive(newcomer)
