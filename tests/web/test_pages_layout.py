"""How the pages around the table use their window, and how their parts fit each other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, table
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-pages-layout")]

LOBBY = """() => ({
  width: document.querySelector(".games").getBoundingClientRect().width / innerWidth,
  type: parseFloat(getComputedStyle(document.querySelector(".about")).fontSize),
})"""
HEIGHTS = "(all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().height)))]"
INSIDE = """(select) => {
  const [inner, outer] = [select, select.closest(".menu > div")].map((each) => each.getBoundingClientRect());
  return inner.left >= outer.left && inner.right <= outer.right;
}"""


WHOLE = """(select) => {
  const width = select.offsetWidth;
  Object.assign(select.style, { flex: "none", width: "max-content" });
  return width >= select.offsetWidth;
}"""
"""A list whose width is that of its longest choice is not wider than it was."""


def test_lobby_grows_with_the_window(visitor: Visitor) -> None:
    """On a large screen it takes most of the width, and its letters are larger than on a desk."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    page.set_viewport_size({"width": 1200, "height": 900})
    desk = page.evaluate(LOBBY)
    page.set_viewport_size({"width": 2560, "height": 1440})
    large = page.evaluate(LOBBY)
    assert desk["width"] > 0.6
    assert large["width"] > 0.6
    assert large["type"] > 1.2 * desk["type"]


def test_name_is_written_in_a_field_as_high_as_its_button(visitor: Visitor) -> None:
    """Both are easy to hit."""
    page = visitor.visit("/me")
    page.wait_for_selector(".me-page input")
    assert page.locator(".me-page form :is(input, button)").evaluate_all(HEIGHTS) == [44]


def test_settings_stay_within_their_menu(phone: Visitor, served: Service) -> None:
    """In German, whose words are longer, and none of a list is cut off."""
    with Party(served.url, "coup", 2) as party:
        page = table(phone, party.start())
        page.locator(".menu summary").click()
        assert page.locator(".menu select").evaluate(INSIDE)
        assert page.locator(".menu select").evaluate(WHOLE)


def test_pictures_of_the_rules_stand_below_their_title(visitor: Visitor) -> None:
    """A sheet begins with the name of the game."""
    page = visitor.visit("/rules/coup")
    page.wait_for_selector(".examples figure")
    tags = page.locator(".rules > :is(h1, .examples)").evaluate_all("(all) => all.map((each) => each.tagName)")
    assert tags == ["H1", "SECTION"]


ALL_MARKS = """(language) => {
  const element = document.querySelector("game-table");
  const { page, store } = element;
  const { table } = store.view;
  const seats = table.seats.map((each) => ({ ...each, aside: each.seat === 1 }));
  store.known = { ...store.known, view: { ...store.view, table: { ...table, seats, dealer: 1 } } };
  element.language = language;
  page.changed();
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
"""The player with the longest name deals, and has set a card aside."""


@pytest.mark.parametrize("game", ["matchmaster", "stich-meister"])
def test_seats_beside_each_other_are_equally_high(game: str, browser: Browser, served: Service) -> None:
    """Who deals has a word more, or two with a card set aside, and no other box for it."""
    with Party(served.url, game, 4, names=("Ada", "Maximiliane", "Cleo", "Dario")) as party:
        visitor = Visitor(browser, served.url, width=1440)
        page = table(visitor, party.start())
        party.answer_until(lambda view: view.table is not None and view.table["stage"] == "play")
        party.shown(page)
        for language in ("en", "de"):
            page.evaluate(ALL_MARKS, language)
            assert len(page.locator(".ring .seat").evaluate_all(HEIGHTS)) == 1
        visitor.close()


def test_mark_of_who_leads_is_no_bar(browser: Browser, served: Service) -> None:
    """On a large screen it is as wide as its words."""
    with Party(served.url, "mondkrone", 3) as party:
        visitor = Visitor(browser, served.url, width=2560, height=1440)
        page = table(visitor, party.start())
        party.answer_until(lambda view: any(each["leader"] not in {None, 0} for each in (view.table or {})["conditions"]))
        party.shown(page)
        badges = page.locator(".ring .badge")
        expect(badges).not_to_have_count(0)
        assert badges.evaluate_all("(all) => Math.max(...all.map((each) => each.getBoundingClientRect().width))") < 200
        visitor.close()


ROOM = """() => {
  const root = document.querySelector("game-table").shadowRoot;
  const [felt, room] = [".felt", ".room"].map((each) => root.querySelector(each).getBoundingClientRect());
  const parts = [...root.querySelectorAll(".seats li")].flatMap((seat) => {
    const boxes = [...seat.querySelectorAll(".likeness, .sits, button")].map((each) => each.getBoundingClientRect());
    return boxes.filter((one, at) => boxes.slice(at + 1).some((other) =>
      one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
  });
  return {
    wide: room.width / felt.width,
    middle: (room.top + room.height / 2 - felt.top) / felt.height,
    high: room.height / felt.height,
    overlapping: parts.length,
  };
}"""


def test_waiting_room_uses_a_large_felt(browser: Browser, served: Service) -> None:
    """Seats and what was agreed stand in its middle and take most of its width; no button lies over a name or another one."""
    with Party(served.url, "coup", 4, names=("Maximiliane", "Konstantin", "Cleo", "Friederike")) as party:
        visitor = Visitor(browser, served.url, width=2560, height=1440)
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".seats button")
        found = page.evaluate(ROOM)
        assert found["wide"] > 0.8
        assert found["high"] > 0.4
        assert 0.4 < found["middle"] < 0.6
        page.set_viewport_size({"width": 1280, "height": 800})
        assert found["overlapping"] == page.evaluate(ROOM)["overlapping"] == 0
        visitor.close()
