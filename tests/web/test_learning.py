"""Learning at the table: the lesson's lines, what signs mean, the rules beside the table, and why something is not possible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.levels import tables_of
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, for_each, settled, table
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-learning")]

KNOWS_ANOTHER = """(match) => {
  const { store } = document.querySelector("game-table") ?? {};
  return store?.known && store.match !== match;
}"""
ANSWERS = 4
"""How many questions of a lesson are answered here; `tests/domain/registry/test_lessons.py` plays all of it."""


def learn(visitor: Visitor, game: str) -> Page:
    """Open a lesson by its button in the lobby."""
    page = visitor.visit("/")
    page.locator(f"[data-game={game}] .learn").click()
    page.wait_for_selector(".lesson p")
    return page


def lines_of(game: str, language: str = "en") -> Mapping[str, str]:
    """Return the texts of a lesson by key."""
    lesson = next(each.lesson for each in GAMES.values() if each.id == game)
    assert lesson is not None
    return {line.key: getattr(line.text, language) for line in lesson.lines}


def arrived(page: Page) -> None:
    """Wait until what has happened lies on the table, without its rests."""
    caught_up(page)
    page.wait_for_function("""() => {
      const { page } = document.querySelector("game-table");
      if (page.stage.shown) page.stage.skip(), page.changed();
      return !page.stage.busy;
    }""")
    caught_up(page)


def answer(page: Page) -> None:
    """Do what the lesson suggests, else the first that is legal."""
    decision = page.evaluate("document.querySelector('game-table').store.view.question?.decision ?? 0")
    page.evaluate("""() => {
      const { page, store } = document.querySelector("game-table");
      const advised = document.querySelector("game-table").shadowRoot.querySelector(".advised-move");
      if (advised) advised.click();
      else page.give(store.view.question.legal[0]);
    }""")
    page.wait_for_function(
        """(decision) => {
          const { view } = document.querySelector("game-table").store;
          return view.status === "over" || (view.question && view.question.decision !== decision);
        }""",
        arg=decision,
    )


@for_each(game.id for game in GAMES.values())
def test_lesson_says_what_fits(visitor: Visitor, game: str) -> None:
    """It begins with its first line, says only its own lines, each once, and none again after a reload."""
    page = learn(visitor, game)
    texts = lines_of(game)
    expect(page.locator(".lesson [role=status] p").first).to_have_text(next(iter(texts.values())))
    heard, before = list[str](), list[str]()
    for _ in range(ANSWERS):
        arrived(page)
        told = page.locator(".lesson [role=status] p:not(.quiet)").all_inner_texts()
        assert set(told) <= set(texts.values())
        heard += [line for line in told if line not in before]  # what still stands there was not said again
        before = told
        answer(page)
    assert len(heard) == len(set(heard)) > 1
    arrived(page)
    before = page.locator(".lesson [role=status] p").all_inner_texts()
    page.reload()
    page.wait_for_selector(".lesson p")
    arrived(page)
    expect(page.locator(".lesson [role=status] p")).to_have_text(before)


def test_lesson_is_there_on_a_phone_and_in_text_mode(phone: Visitor) -> None:
    """In German, without a sideways scroll; its advised move is a button, and a bluff says what it risks."""
    page = learn(phone, "coup")
    expect(page.locator(".lesson p").first).to_have_text(lines_of("coup", "de")["start"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bluff = page.locator(".acts .bluff").first
    expect(bluff).to_have_attribute("title", "Du hast diese Rolle nicht. Ficht das jemand an, verlierst du eine Karte.")
    bluff.click()
    expect(page.locator(".tip strong")).to_have_text("Bluff")
    expect(page.locator(".tip p")).to_have_text("Du hast diese Rolle nicht. Ficht das jemand an, verlierst du eine Karte.")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(page.locator(".textmode")).to_be_visible()
    expect(page.locator(".lesson p").first).to_have_text(lines_of("coup", "de")["start"])
    page.locator(".advised-move").click()
    expect(page.locator(".lesson p").first).not_to_have_text(lines_of("coup", "de")["start"])


STANDS = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  const box = (name) => shadowRoot.querySelector(name).getBoundingClientRect();
  const [board, hand, answers] = [".board", ".hand", ".tray .moves"].map((each) => box(each).top);
  return { board: board + scrollY, lesson: box(".lesson-card").bottom, hand, answers };
}"""
"""Where the board begins on the page, and what is above what on the screen."""
MORE_ANSWERS = 7


def test_lesson_moves_no_table(visitor: Visitor) -> None:
    """Long lines or short ones, with a button or without: the board stays where it is, on screens of any width."""
    page = learn(visitor, "coup")
    tops = dict[int, set[float]]()
    for _ in range(MORE_ANSWERS):
        arrived(page)
        for width in (360, 900, 1440):
            page.set_viewport_size({"width": width, "height": 640 if width == 360 else 900})
            settled(page)
            tops.setdefault(width, set()).add(page.evaluate(STANDS)["board"])
        answer(page)
    assert all(len(each) == 1 for each in tops.values()), tops


@for_each(map(GameId, ("coup", "meister-coup", "mondkrone")))
def test_hand_is_seen_below_a_lesson_on_a_phone(phone: Visitor, game: str) -> None:
    """The lines lie above header and status; folded they are a button, and the next ones are open again."""
    page = learn(phone, game)
    arrived(page)
    first = page.locator(".lesson p").first
    fold = page.locator(".lesson .fold")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(first).to_be_hidden()
    expect(page.locator(".bar .rules-button")).to_be_visible()
    fold.click()
    expect(first).to_have_text(next(iter(lines_of(game, "de").values())))
    assert_hand_is_below(page)
    fold.click()
    answer(page)
    arrived(page)
    expect(first).to_be_visible()
    for _ in range(ANSWERS - 1):
        assert_hand_is_below(page)
        answer(page)
        arrived(page)


def assert_hand_is_below(page: Page) -> None:
    """See that lesson, hand and answers are on the screen, in this order."""
    page.evaluate("scrollTo(0, 0)")
    stands = page.evaluate(STANDS)
    own = (stands["hand"], stands["answers"])  # which of them ends the window depends on the game
    assert 0 < stands["lesson"] < min(own) < max(own) < 640, stands


STAGE_ASKS = """(asking) => {
  const { page } = document.querySelector("game-table");
  page.stage.asking = asking, page.changed();
}"""


def test_lesson_answers_nothing_that_is_not_on_the_table_yet(visitor: Visitor) -> None:
    """While something is still shown in its turn, there is no button for the question that comes after it."""
    page = learn(visitor, "coup")
    arrived(page)
    expect(page.locator(".advised-move")).to_have_count(1)
    page.evaluate(STAGE_ASKS, True)
    expect(page.locator(".advised-move")).to_have_count(0)
    expect(page.locator(".lesson.past p")).not_to_be_empty()
    page.evaluate(STAGE_ASKS, False)
    expect(page.locator(".advised-move")).to_have_count(1)


def test_other_matches_have_no_lesson(visitor: Visitor, served: Service) -> None:
    """Nothing of a lesson is loaded for them."""
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        caught_up(page)
        expect(page.locator(".lesson")).to_have_count(0)
    assert [url for url in asked if re.search(r"/table/(lesson|tips|drawer)\.js", url)] == []


def test_action_that_cannot_be_paid_is_there_and_says_why(visitor: Visitor, served: Service) -> None:
    """With two coins a coup is shown, disabled; a click gives the service's reason and no command."""
    with Party(served.url, "coup", 3, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        refused = page.locator(".acts .refused")
        expect(refused).to_have_count(2)
        coup = refused.filter(has_text="seven coins")
        expect(coup).to_have_attribute("aria-disabled", "true")
        coup.click(force=True)
        expect(page.locator(".reason[role=alert]")).to_contain_text("This costs 7 coins; you have 2.")
        assert party.view(0).question is not None


def test_tap_says_what_a_sign_is(visitor: Visitor, served: Service) -> None:
    """A tap on coins and on a face-down card opens what they are, beside them; Escape ends it."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        page.locator(".ring .coins").first.click()
        expect(page.locator(".tip")).to_contain_text("a coup seven")
        page.locator(".ring .face").first.click()
        expect(page.locator(".tip")).to_contain_text("three of each role")
        page.keyboard.press("Escape")
        expect(page.locator(".tip")).to_have_count(0)


TIPS = """() => {
  const shown = [...document.querySelector("game-table").shadowRoot.querySelectorAll(".board [data-tip]")];
  const tapped = shown.filter((each) => !each.closest("button, a, summary") && each.checkVisibility());
  return [...new Set(tapped.map((each) => each.dataset.tip))].sort();
}"""


@for_each(game.id for game in GAMES.values())
def test_signs_are_explained(phone: Visitor, game: str) -> None:
    """The card beside the hand has the texts of the service, and folds. Each kind of sign on the table says to a tap what it is.

    That is: seats, computers, points, cards, marks, also where no pointer can hover.
    """
    page = phone.begin(game)
    arrived(page)
    aid = page.locator("details.aid")
    if aid.get_attribute("open") is None:
        aid.locator("summary").click()
    expect(aid.locator("li").first).to_be_visible()
    messages = next(each.messages for each in GAMES.values() if each.id == game)
    tips = {text.de for key, text in messages.items() if key.startswith(f"{game}.tip.")}
    for line in aid.locator("li").all_inner_texts():
        assert any(line.endswith(tip) for tip in tips), line
    aid.locator("summary").click()
    expect(aid.locator("li").first).to_be_hidden()
    kinds = set[str](page.evaluate(TIPS))
    assert {"seat", "robot"} < kinds
    for kind in sorted(kinds):
        page.locator(f".board [data-tip={kind}]:not(button *)").first.evaluate("(sign) => sign.click()")
        expect(page.locator(".tip p")).not_to_be_empty()
        page.keyboard.press("Escape")
        expect(page.locator(".tip")).to_have_count(0)


def test_signs_are_explained_by_keyboard(visitor: Visitor, served: Service) -> None:
    """With ? a card of the hand is asked about by Enter and not played; after Escape it can be played again."""
    with Party(served.url, "matchmaster", 2, options={"first_dealer": 1}) as party:
        party.start()
        for seat in range(2):
            party.answer(seat)
        party.answer_until_asked(0)
        page = table(visitor, party)
        caught_up(page)
        before = party.views()[0].cursor
        page.keyboard.press("?")
        expect(page.locator(".asking")).to_be_visible()
        page.locator(".hand .card").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".tip strong")).not_to_be_empty()
        page.locator(".hand .card").first.click()
        expect(page.locator(".tip")).to_be_visible()
        assert party.views()[0].cursor == before
        page.keyboard.press("Escape")
        expect(page.locator(".asking")).to_have_count(0)
        expect(page.locator(".tip")).to_have_count(0)


def test_rules_open_beside_the_table(visitor: Visitor, served: Service) -> None:
    """As a dialog that Escape closes; the table is the same one, and the focus is back on the button."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        caught_up(page)
        address = page.url
        page.locator(".rules-button").click()
        drawer = page.locator("dialog.drawer")
        expect(drawer.locator("h1")).to_have_text("Coup")
        page.keyboard.press("1")
        page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)
        assert page.url == address
        expect(page.locator(".status")).to_contain_text("Your turn")
        expect(page.locator(".rules-button")).to_be_focused()


@for_each(game.id for game in GAMES.values())
def test_rule_sheet_has_pictures(phone: Visitor, game: str) -> None:
    """Each with the cards of the table and a sentence, on a phone without a sideways scroll."""
    page = phone.visit(f"/rules/{game}")
    messages = next(each.messages for each in GAMES.values() if each.id == game)
    sentences = [text.de for key, text in messages.items() if key.startswith(f"{game}.example.")]
    assert len(sentences) >= 2
    pictures = page.locator(".examples figure")
    expect(pictures.locator("figcaption")).to_have_text(sentences)
    for place in range(len(sentences)):
        assert pictures.nth(place).locator(".face").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_lobby_says_what_each_game_is(visitor: Visitor) -> None:
    """One sentence and a picture for each."""
    page = visitor.visit("/")
    for game in GAMES.values():
        tile = page.locator(f"[data-game={game.id}]")
        expect(tile.locator(".about")).to_have_text(game.messages[f"{game.id}.about"].en)
        expect(tile.locator("svg.picture rect")).to_have_count(3)


def test_computers_are_ordered_by_strength(visitor: Visitor) -> None:
    """The gentlest first, with its strength at that very table in words; the chosen one plays."""
    page = visitor.visit("/")
    page.locator("[data-game=coup] .choose").click()
    level = page.locator("#wish select[aria-describedby=level]")
    expect(page.locator("#level")).to_contain_text("Plain Dealer")
    offers = next(each for each in tables_of(GAMES[GameId("coup")]) if each.seats == 3).offers
    assert level.locator("option").all_inner_texts() == [character(GAMES[GameId("coup")], each.bot).name.en for each in offers]
    for offer in offers:
        level.select_option(character(GAMES[GameId("coup")], offer.bot).name.en)
        expect(page.locator("#level")).to_contain_text("Not measured" if offer.measured is None else "1 in 3 would be even")
    level.select_option(index=0)
    page.locator("#wish .main").click()
    page.wait_for_selector(".status")
    chairs: list[dict[str, Any]] = page.evaluate("document.querySelector('game-table').store.facts.chairs")
    assert {chair["bot"] for chair in chairs if chair["bot"]} == {"beginner"}


def test_match_after_an_aborted_lesson_has_the_clock_of_the_lobby(visitor: Visitor) -> None:
    """A lesson waits for a week; the match that "Play again" opens after it does not."""
    page = learn(visitor, "coup")
    lesson = page.evaluate("document.querySelector('game-table').store.match")
    page.locator("footer .ends button", has_text="Abort the match").click()
    page.locator("dialog button", has_text="Abort the match").click()
    page.locator("footer button", has_text="Play again").click()
    page.wait_for_function(KNOWS_ANOTHER, arg=lesson)
    clock = page.evaluate("document.querySelector('game-table').store.facts.clock")
    assert (clock["turn_seconds"], clock["reaction_seconds"], clock["away_seconds"]) == (600, 120, 300)
