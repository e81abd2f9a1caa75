"""How the web client comes to its visitors: little of it, and that once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.support.served import Service
from tests.web.conftest import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]


SAME_MODULES = """async () => {
  const version = document.querySelector("script[type=module]").src.match(/[0-9a-f]{12}/)[0];
  const [one, other] = await Promise.all([import("./web/game-table.js"), import(`./web/${version}/game-table.js`)]);
  return one.GameTable === other.GameTable && one.GameTable !== undefined;
}"""


def test_first_view_is_small(served: Service, browser: Browser) -> None:
    """Below 100 kB over the line, packed, up to the lobby."""
    visitor = Visitor(browser, served.url, fresh=True)
    sizes: list[int] = []
    visitor.page.on("requestfinished", lambda asked: sizes.append(asked.sizes()["responseBodySize"]))
    visitor.visit("/").wait_for_selector(".tile")
    visitor.page.wait_for_load_state("networkidle")
    visitor.close()
    assert 10_000 < sum(sizes) < 100_000


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
    assert files(served) == ["GET /web/game-table.js"]
    visitor.close()


def files(served: Service) -> list[str]:
    """Return which pages and files the service was asked for."""
    return [each for each in served.asked if "/api/" not in each]
