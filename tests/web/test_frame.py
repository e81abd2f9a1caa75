"""The frame of the table: where the seats, what lies between them, and the viewer's own cards stand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tafelrunde.client.shapes import Plain
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.support.thorough import seat_counts
from tests.web.conftest import Visitor
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-table")]

WIDTHS = (360, 1280, 2560)
NEEDED: dict[tuple[str, int], dict[str, Plain]] = {("meister-coup", 6): {"mode": "team"}}
"""The options that a number of seats needs."""
FRAME = """() => {
  scrollTo(0, document.documentElement.scrollHeight); // in a low window hand and answers lie on what can be scrolled
  const { shadowRoot } = document.querySelector("game-table");
  const others = [...shadowRoot.querySelectorAll(".ring .seat")].map((seat) => seat.getBoundingClientRect().bottom);
  const tray = shadowRoot.querySelector(".tray").getBoundingClientRect().top;
  return { others, tray, fits: document.documentElement.scrollWidth <= innerWidth };
}"""
"""Where the other seats end, where the viewer's own cards begin, and whether nothing is wider than the screen."""


@pytest.mark.parametrize("game", GAMES)
def test_own_cards_are_below_all_other_seats(browser: Browser, served: Service, game: str) -> None:
    """With few, more and the most seats, on a phone, on a desk and on a large screen; nothing is wider than the screen."""
    rules = GAMES[game]  # pyright: ignore[reportArgumentType] - the keys are names of games
    for seats in seat_counts(rules):
        with Party(served.url, game, seats, options=NEEDED.get((game, seats))) as party:
            visitor = Visitor(browser, served.url)
            party.start().seat(visitor.page, 0)
            page = visitor.visit(party.address)
            expect(page.locator(".ring .seat")).to_have_count(seats - 1)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                found = page.evaluate(FRAME)
                assert max(found["others"]) <= found["tray"] + 1, width
                assert found["fits"], width
            visitor.close()
