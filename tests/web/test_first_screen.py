"""The first screen that people see: who invites a friend, and the way into a match, before anything is scrolled."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tafelrunde.client import Client
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor, settled

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-first-screen")]

PHONES = ((360, 640), (390, 844), (768, 1024))
SCREENS = ((390, 844), (1440, 900))
INVITED = {"de-DE": "Ada lädt dich zu {game} ein", "en-GB": "Ada invites you to {game}"}
ABOVE = """(each) => {
  const { top, bottom, left, right } = each.getBoundingClientRect();
  return scrollY === 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""
"""Whether an element is all in sight on a page that is not scrolled."""
PRIMARY = """() => [...document.querySelectorAll("main button.main")]
  .filter((each) => { const { top, bottom } = each.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })
  .map((each) => each.textContent.trim())"""
FOCUSED = "document.querySelector('game-table').shadowRoot.activeElement?.matches('.status')"
FEW_TABS = 8
"""From the top of the page: the brand, the player, two languages, and what is done today."""


def is_above(found: Locator) -> bool:
    """Return whether an element is all in sight on a page that is not scrolled."""
    return bool(found.evaluate(ABOVE))


def invited(visitor: Visitor, host: Client, game: GameId, size: tuple[int, int]) -> Page:
    """Come by the link to an open table."""
    match = host.open_match(game, GAMES[game].min_seats, visibility="unlisted").match
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    page = visitor.visit(f"/match/{match}")
    page.wait_for_selector(".invitation .picture")
    settled(page)
    return page


@pytest.mark.parametrize("language", INVITED)
def test_friend_who_is_invited_sees_who_invites_and_the_way_in(browser: Browser, served: Service, language: str) -> None:
    """Name of the host and of the game, its picture, and Join are in sight on each phone, for all games; options are folded."""
    visitor = Visitor(browser, served.url, language=language)
    with Client(served.url) as host:
        host.sign_up("Ada")
        hidden = list[str]()
        for size in PHONES:
            for game in GAMES.values():
                page = invited(visitor, host, game.id, size)
                name = game.messages[game.id]
                title = INVITED[language].format(game=name.de if language == "de-DE" else name.en)
                expect(page.locator(".invitation h2")).to_have_text(title)
                parts = (".invitation h2", ".invitation .picture", ".invitation input", ".invitation .main")
                hidden += [f"{game.id} {size} {each}" for each in parts if not is_above(page.locator(each))]
                expect(page.locator(".terms dl")).to_be_hidden()
        assert hidden == []
    visitor.close()


def test_invitation_of_a_host_without_a_name_names_the_game(phone: Visitor, served: Service) -> None:
    """A guest is no name, so none is given."""
    with Client(served.url) as host:
        host.sign_up()
        page = invited(phone, host, GameId("coup"), PHONES[0])
    expect(page.locator(".invitation h2")).to_have_text("Du bist zu Coup eingeladen")


def test_usual_options_are_not_listed_to_a_friend(phone: Visitor, served: Service) -> None:
    """What differs from the usual is counted on the folded line, and listed below it."""
    with Client(served.url) as host:
        host.sign_up("Ada")
        match = host.open_match("coup", 2, options={"fifth_role": "inquisitor"}, visibility="unlisted").match
        page = phone.visit(f"/match/{match}")
        expect(page.locator(".terms summary")).to_have_text("Tempo und Regeln: eine Variante")
        page.locator(".terms summary").click()
        expect(page.locator(".agreed dt")).to_have_text(["Wer darf zusehen?", "Fünfte Rolle"])


def test_table_opens_at_its_top_when_the_match_begins(phone: Visitor, served: Service) -> None:
    """A guest who has scrolled in the waiting room sees the table from its header on, with the focus on its status."""
    with Client(served.url) as host:
        host.sign_up("Ada")
        page = invited(phone, host, GameId("coup"), PHONES[0])
        page.locator(".invitation .main").click()
        expect(page.locator(".seats .me")).to_contain_text("(du)")
        page.locator(".hello").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate("scrollY") > 0
        host.start(page.url.rpartition("/")[2])
        page.wait_for_selector(".board .seat")
        page.wait_for_function("scrollY === 0")
        page.wait_for_function(FOCUSED)
        settled(page)
        assert is_above(page.locator("header.bar"))
        assert is_above(page.locator(".board .seat").first)


@pytest.mark.parametrize("size", [(360, 640), *SCREENS], ids=str)
def test_one_tap_on_a_game_starts_a_match_at_once(newcomer: Visitor, size: tuple[int, int]) -> None:
    """The way in is in sight on the first screen, as its only primary button; nothing is to be chosen, and bots are gentle."""
    newcomer.page.set_viewport_size({"width": size[0], "height": size[1]})
    page = newcomer.visit("/")
    page.wait_for_selector(".tile")
    settled(page)
    assert is_above(page.locator("[data-game=coup] .start"))
    assert is_above(page.locator("[data-game=coup] .learn"))
    assert set(page.evaluate(PRIMARY)) == {"Play"}
    expect(page.locator("#wish")).to_have_count(0)
    page.locator("[data-game=coup] .cover").click()
    page.wait_for_selector(".board .tray")
    chairs = page.evaluate("document.querySelector('game-table').store.facts.chairs")
    assert [chair["bot"] for chair in chairs] == [None, "beginner", "beginner"]


def test_match_is_a_few_tabs_away_from_the_top_of_the_page(newcomer: Visitor) -> None:
    """Play of the first game comes after the header and what is done today, and Enter starts it."""
    newcomer.page.set_viewport_size({"width": 1440, "height": 900})
    page = newcomer.visit("/")
    page.wait_for_selector(".tile")
    settled(page)
    for _ in range(FEW_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.start')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".board .tray")


def test_options_of_a_game_fold_below_it_on_a_phone(phone: Visitor) -> None:
    """They open right under the tapped game, come into view, and close by a second tap."""
    page = phone.visit("/")
    options = page.locator("[data-game=mondkrone] .choose")
    options.click()
    page.wait_for_selector("[data-game=mondkrone] + .options #wish")
    expect(options).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#wish h3")).to_be_in_viewport()
    tile, form = (page.locator(each).bounding_box() for each in ("[data-game=mondkrone]", "#wish"))
    assert tile is not None
    assert form is not None
    assert 0 <= form["y"] - tile["y"] - tile["height"] < 20
    options.click()
    expect(page.locator("#wish")).to_have_count(0)
