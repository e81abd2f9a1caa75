"""The lobby, and every game to its end, by three browsers at one table: by mouse, by keyboard alone, and by finger on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.served import Service
from tests.web.conftest import Visitor, for_each
from tests.web.hands import Finger, Keyboard, Mouse, play
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-keyboard")]

MOST_TABS = 80
ACTIVE = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.matches(%r);
}"""

TAKEN_AWAY = """async () => {
  const { Focus } = await import(new URL("core/focus.js", document.querySelector("script[type=module]").src));
  const box = document.body.appendChild(document.createElement("section"));
  const focus = new Focus(box);
  const ways = [(each) => each.remove(), (each) => (each.disabled = true), (each) => (each.style.display = "none")];
  const found = [];
  for (const take of ways) {
    box.innerHTML = "<button>1</button><button>2</button><button>3</button>";
    const [, second] = box.children;
    second.focus();
    focus.keep(() => take(second));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    found.push(document.activeElement.innerText);
  }
  return found;
}"""
PUSHED = """async () => {
  const { Focus } = await import(new URL("core/focus.js", document.querySelector("script[type=module]").src));
  document.body.innerHTML = "<section><p></p><button>1</button><button>2</button></section>";
  const [box] = document.body.children;
  const focus = new Focus(box);
  const size = (height) => () => (box.firstElementChild.style.height = height);
  window.push = (height) => {
    focus.keep(size(height));
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  };
}"""


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until something has the focus."""
    for _ in range(MOST_TABS):
        if page.evaluate(ACTIVE % selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"Tab does not lead to {selector}")


def open_table(page: Page, game: GameId) -> None:
    """Open a table for three friends in the lobby, by mouse."""
    page.locator(f"[data-game={game}] .choose").click()
    page.locator("#wish select").first.select_option("3")
    page.locator("#wish .buttons input").check()
    page.locator("#wish button:not(.main)").last.click()
    page.wait_for_selector(".seats")


def join(page: Page) -> None:
    """Find the open table in the lobby, and sit down, by keyboard."""
    page.wait_for_selector(".matches button")
    tab_to(page, ".matches button")
    page.keyboard.press("Enter")
    page.wait_for_selector("game-table .seats")


@pytest.fixture
def three(browser: Browser, served: Service) -> Iterator[list[Visitor]]:
    """Visitors for a mouse, for keys and for a finger: the last two with small screens, in German."""
    small = partial(Visitor, browser, served.url, width=360, height=640, language="de-DE")
    found = [Visitor(browser, served.url), small(), small()]
    yield found
    for each in found:
        each.close()


def test_table_of_three_is_opened_by_mouse_and_found_by_keyboard(three: list[Visitor]) -> None:
    """Two find in the lobby what the first has opened there, one of them by keys alone; all are at the table when it begins."""
    mouse, keys, phone = three
    open_table(mouse.visit("/"), GameId("coup"))
    join(keys.visit("/"))
    phone.visit("/").locator(".matches button").click()
    expect(mouse.page.locator(".seats em")).to_have_count(0)
    mouse.page.locator("footer .main").click()
    for each in three:
        expect(each.page.locator(".board .seat")).to_have_count(3)


@for_each(GAMES)
def test_match_is_played_to_its_end_by_mouse_keyboard_and_finger(game: GameId, three: list[Visitor], served: Service) -> None:
    """To the result, which all see; every kind of question that they are asked is answered by hand."""
    with Party(served.url, game, len(three)) as party, ExitStack() as stack:
        party.start()
        for seat, each in enumerate(three):
            party.seat(each.page, seat)
            each.visit(party.address)
        kinds = zip((Mouse, Keyboard, Finger), three, strict=True)
        hands = [stack.enter_context(closing(kind(each.page, seat))) for seat, (kind, each) in enumerate(kinds)]
        play(hands, served)
    assert all(each.answered for each in hands)
    places = [each.page.locator(".result li").evaluate_all("all => all.map((each) => each.value)") for each in three]
    assert places[0] == places[1] == places[2]
    assert places[0][0] == 1


def test_match_against_computers_is_begun_by_keyboard(visitor: Visitor) -> None:
    """Game, seats and start by Tab, arrows and Enter; the focus is at the table then, and the answers are a few stops away."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    tab_to(page, "[data-game=coup] .choose")
    page.keyboard.press("Enter")
    page.wait_for_selector("#wish")
    tab_to(page, "#wish select")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#wish select").first).to_have_value("2")
    tab_to(page, "#wish .main")
    page.keyboard.press("Enter")
    page.wait_for_selector(".moves button")
    assert page.evaluate(ACTIVE % "main")
    tab_to(page, ".moves button")


@pytest.mark.parametrize("game", [game for game in GAMES if facts_of(game).trick_won])
def test_cards_say_what_they_do(game: GameId, browser: Browser, served: Service) -> None:
    """A card that can be played is a button called by its command; one that cannot is called by its name and the reason."""
    facts = facts_of(game)
    name = rf"^Play ({'|'.join(facts.suits).replace('_', ' ')}) \d+(, (samurai|\d diamonds?))?$"
    with Party(served.url, game, GAMES[game].min_seats, options=facts.fixed_options) as party:
        party.start()
        for _ in range(200):
            party.answer_until_asked(0)
            question = party.view(0).question
            if question is not None and question.legal[0]["type"] == f"{game}.play-card":
                break
            party.answer_times(1)
        visitor = Visitor(browser, served.url)
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".hand .legal")
        playable = page.get_by_role("button", name=re.compile(name, re.IGNORECASE), disabled=False)
        expect(playable).to_have_count(page.locator(".hand .legal").count())
        visitor.close()


def test_focus_stays_on_a_card_while_others_move(browser: Browser, served: Service) -> None:
    """Updates redraw the table, and the focus stays where it is; after the last card it goes to a neighbour."""
    with Party(served.url, "meister-coup", 3) as party:
        party.start().answer_until_free(0)
        visitor = Visitor(browser, served.url)
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".hand .card")
        tab_to(page, ".hand .card")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        before = party.view(0).cursor
        party.answer_until_asked(0)
        assert party.view(0).cursor != before
        page.wait_for_selector(".status.mine")
        assert page.evaluate(ACTIVE % ".hand li:nth-child(3) .card")
        visitor.close()


def test_hand_is_one_stop_and_has_the_focus_after_a_bid(browser: Browser, served: Service) -> None:
    """A bid by keys leads to the first card that can be played; arrows lead on, Tab out of the hand, and past the log's lines."""
    with Party(served.url, "matchmaster", 2, options=facts_of(GameId("matchmaster")).fixed_options) as party:
        party.start().answer_until_asked(0)
        visitor = Visitor(browser, served.url, width=1440)
        party.seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".bids button")
        tab_to(page, ".bids button:enabled, .hand .card")
        assert page.evaluate(ACTIVE % ".bids button")  # what stands above the hand comes before it
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('game-table').store.view.question?.answered !== null")
        for _ in range(20):
            question = party.view(0).question
            if question is not None and question.legal[0]["type"] == "matchmaster.play-card":
                break
            party.answer(1)
        party.shown(page)
        assert page.evaluate(ACTIVE % ".hand .card.legal")
        expect(page.locator(".hand [tabindex='0']")).to_have_count(1)
        expect(page.locator(".log li button:not([tabindex='-1'])")).to_have_count(0)
        page.keyboard.press("End")
        assert page.evaluate(ACTIVE % ".hand li:last-child .card")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(ACTIVE % ".hand li:nth-last-child(2) .card")
        page.keyboard.press("Tab")
        assert not page.evaluate(ACTIVE % ".hand .card")
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(ACTIVE % ".hand li:nth-last-child(2) .card")
        tab_to(page, ".log .lines-of")
        page.keyboard.press("ArrowUp")
        assert page.evaluate(ACTIVE % ".log section:last-child li:last-child button")
        visitor.close()


def test_focus_goes_on_from_what_a_drawing_takes_away(visitor: Visitor) -> None:
    """To the neighbour of what is removed, disabled or hidden, before the browser drops the focus with the next frame."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    assert page.evaluate(TAKEN_AWAY) == ["3", "3", "3"]


def test_focus_that_a_drawing_pushes_away_stays_in_sight_of_a_keyboard(visitor: Visitor) -> None:
    """The page scrolls to it; a player who clicked there last, and has scrolled on, is not taken back."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    page.evaluate(PUSHED)
    page.locator("button").first.click()
    assert [page.evaluate("push", height) for height in ("3000px", "0px")] == [False, True]
    page.keyboard.press("Tab")
    assert page.evaluate("push", "3000px")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    assert not page.evaluate("push", "3100px")


def test_events_are_said_to_screen_readers(browser: Browser, served: Service) -> None:
    """A status says who must do what, without the ticking clock; a log says what has happened."""
    with Party(served.url, "coup", 2, options={"first_seat": 1}) as party:
        visitor = Visitor(browser, served.url)
        party.start().seat(visitor.page, 0)
        page = visitor.visit(party.address)
        expect(page.get_by_role("status")).to_have_text(re.compile("Player 1's turn"))
        news = page.get_by_role("log", name="What has just happened")
        expect(news.locator("p").last).not_to_be_empty()
        party.answer_until_asked(0)
        asked = party.view(0).waiting
        assert asked is not None
        said = "turn" if asked.prompt.arguments["actor"] == 0 else "answer"  # others' actions are no turn of one's own
        expect(page.get_by_role("status")).to_have_text(re.compile(rf"^\s*Your {said}:"))
        expect(news).to_contain_text("Player 1")
        assert page.locator(".status :text-matches('[0-9]+ s$')").evaluate_all(
            "all => all.every((each) => each.ariaHidden === 'true')"
        )
        visitor.close()
