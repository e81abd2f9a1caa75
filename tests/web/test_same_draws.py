"""What the browser tests are dealt is the same in every run, on any machine."""

from __future__ import annotations

import secrets

import pytest
from playwright.sync_api import Browser

from tafelrunde.service.features.daily import deals
from tafelrunde.service.matches import branching, setup
from tests.support.fixed_chance import fixed_chance
from tests.support.served import Service
from tests.web.conftest import KEPT, Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-play")]

DRAWN = "() => [crypto.randomUUID(), ...crypto.getRandomValues(new Uint8Array(8))].join()"


def drawn(visitor: Visitor, name: str) -> list[str]:
    """Return what a page draws when it is loaded in a tab of this name, and when it is loaded again."""
    visitor.page.evaluate("(tab) => { name = tab }", name)
    found: list[str] = []
    for _ in range(2):
        visitor.page.reload()
        found.append(visitor.page.evaluate(DRAWN))
    return found


def test_page_draws_what_follows_from_its_tab(visitor: Visitor) -> None:
    """Keys of requests and nonces differ from load to load and from visitor to visitor, and not from run to run."""
    visitor.visit("/me")
    one, other = drawn(visitor, "one"), drawn(visitor, "other")
    assert len({*one, *other}) == 4
    assert drawn(visitor, "one") == one


def test_script_of_a_visitor_leaves_with_it(browser: Browser, served: Service) -> None:
    """It runs before each page of that visitor; the next one, who takes the page over, knows nothing of it."""
    found: list[list[bool]] = []
    for number in range(2):
        visitor = Visitor(browser, served.url)
        page, seen = visitor.page, list[bool]()
        if number == 0:
            visitor.first("window.known = true")
        for address in ("/me", "/"):
            visitor.visit(address)
            page.reload()
            seen.append(page.evaluate("'known' in window"))
        found.append(seen)
        visitor.close()
        assert page in KEPT[browser, served.url, "en-GB", False]
    assert found == [[True, True], [False, False]]


@pytest.mark.parametrize("module", [setup, branching, deals])
def test_secret_does_not_depend_on_what_else_is_drawn_before(module: object) -> None:
    """A service makes tokens, and the secrets of its days, whenever its clock says so."""
    found: list[str] = []
    for busy in (False, True):
        with fixed_chance("1"):
            for each in (setup, branching, deals) if busy else ():
                if each is not module:
                    each.new_secret()
            if busy:
                secrets.token_hex(32)
            found.append(module.new_secret())  # type: ignore[attr-defined]  # a module of those above
    assert found[0] == found[1]
