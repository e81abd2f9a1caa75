"""How the web client comes to its visitors: little of it, and that once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Request

from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

LEAST_BYTES = 10_000
MOST_BYTES = 88_000
MOST_OF_TABLE = 129_000
"""With the drawings of its game and of those who play."""
MOST_FILES = 5

SAME_MODULES = """async () => {
  const version = document.querySelector("script[type=module]").src.match(/[0-9a-f]{12}/)[0];
  const [one, other] = await Promise.all([import("./web/game-table.js"), import(`./web/${version}/game-table.js`)]);
  return one.GameTable === other.GameTable && one.GameTable !== undefined;
}"""


def test_first_view_of_the_lobby_is_small(served: Service, browser: Browser) -> None:
    """Below 88 kB over the line, packed: files and answers together, with a drawing of each game. No table is asked for."""
    visitor = Visitor(browser, served.url, fresh=True)
    _, sizes = requests(visitor.page)
    visitor.visit("/").wait_for_selector(".tile")
    visitor.page.wait_for_load_state("networkidle")
    visitor.close()
    assert LEAST_BYTES < sum(sizes) < MOST_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_first_view_of_a_table_is_small(served: Service, browser: Browser, game: str) -> None:
    """Below 129 kB for one who was sent the address of a table; and a second visit asks for at most 5 files."""
    with Party(served.url, game, 3) as party:
        address = party.start().address
        visitor = Visitor(browser, served.url, fresh=True)
        asked, sizes = requests(visitor.page)
        visitor.visit(address).wait_for_selector(".ring .seat")
        wait(visitor.page, lambda: len([each for each in asked if "/stream" not in each.url]) == len(sizes))
        assert LEAST_BYTES < sum(sizes) < MOST_OF_TABLE
        served.asked.clear()
        visitor.page.goto("about:blank")
        visitor.visit(address).wait_for_selector(".ring .seat")
        visitor.close()
        assert "GET /" in files(served)
        assert len(files(served)) <= MOST_FILES


def test_second_visit_asks_for_the_page_alone(served: Service, browser: Browser) -> None:
    """What it loads lies under an address that changes with it, so it is kept; an address without one leads to the same."""
    visitor = Visitor(browser, served.url, fresh=True)
    visitor.visit("/").wait_for_selector(".tile")
    first = files(served)
    assert first
    assert all(re.match(r"GET /(web/[0-9a-f]{12}/|$|favicon)", each) for each in first)
    served.asked.clear()
    visitor.page.goto("about:blank")
    visitor.visit("/").wait_for_selector(".tile")
    assert files(served) == ["GET /"]
    served.asked.clear()
    assert visitor.page.evaluate(SAME_MODULES)
    assert files(served)[0] == "GET /web/game-table.js"
    assert all(re.match(r"GET /web/[0-9a-f]{12}/", each) for each in files(served)[1:])
    assert len(files(served)) == len(set(files(served)))
    visitor.close()


def requests(page: Page) -> tuple[list[Request], list[int]]:
    """Return what a page asks for from now on, and how many bytes came for each that is answered; both grow."""
    asked: list[Request] = []
    sizes: list[int] = []

    def note(request: Request) -> None:
        asked.append(request)

    def weigh(request: Request) -> None:
        sizes.append(request.sizes()["responseBodySize"])

    page.on("request", note)
    page.on("requestfinished", weigh)
    return asked, sizes


def files(served: Service) -> list[str]:
    """Return which pages and files the service was asked for."""
    return [each for each in served.asked if "/api/" not in each]
