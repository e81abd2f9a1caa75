"""What a table says of turns, sums and rounds, how a lesson ends, and how a match does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, table
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-table-end")]

NAMES = ("Ada", "Bruno", "Cleo", "Dario")
LAST_ROUND = """() => {
  const { page, store } = document.querySelector("game-table");
  const { view } = store;
  const seats = view.table.seats.map(() => 1);
  const round = { round: 1, size: 7, bids: seats, tricks: seats, points: seats };
  const table = { ...view.table, stage: "over", rounds: [...view.table.rounds, round] };
  return page.stage.steps(view, { ...view, status: "over", table }).map(({ kind }) => kind);
}"""
COVERED = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  return [...shadowRoot.querySelectorAll(".tray .hand .face")].flatMap((card) => {
    const { x, y, width, height } = card.getBoundingClientRect();
    const above = shadowRoot.elementFromPoint(x + width / 2, y + height / 2);
    return card.contains(above) || above?.contains(card) ? [] : [`${card.textContent.trim()} below ${above?.className}`];
  });
}"""
PLACES = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  return [".hand", ".trick", ".summed"].map((each) => Math.round(shadowRoot.querySelector(each).getBoundingClientRect().top));
}"""
MOST_ANSWERS = 40
ONE_ROW = 7
"""Hands of this many cards, and of one less, have cards of the same size."""
GO_ON = """() => {
  const { page, store } = document.querySelector("game-table");
  page.stage.skip();
  const advised = document.querySelector("game-table").shadowRoot.querySelector(".advised-move");
  if (advised) advised.click();
  else if (store.view.question) page.give(store.view.question.legal[0]);
  page.changed();
}"""

RUNS = "document.querySelector('game-table').store.view.status === 'running'"


def test_turn_of_coup_has_one_mark_and_who_may_answer_another(browser: Browser, served: Service) -> None:
    """While a claim is open, only its seat has the mark of the turn; those that may still react have a thin one."""
    with Party(served.url, "coup", 4, options={"first_seat": 1}, names=NAMES) as party:
        visitor = Visitor(browser, served.url)
        page = table(visitor, party.start())
        assert party.answer(1, {"type": "coup.claim-tax"})
        party.shown(page)
        expect(page.locator(".seat.asked > header > strong")).to_have_text(["Bruno"])
        expect(page.locator(".seat.may > header > strong")).to_have_text(["Cleo", "Dario", "Ada"])
        visitor.close()


def test_sums_of_meister_coup_agree_in_the_middle_of_a_round(browser: Browser, served: Service) -> None:
    """What a seat shows for the match is what the sheet adds up to, with the round that is still played."""

    def has_both(view: Any) -> bool:
        return bool(view.table["rounds"]) and any(seat["points"] for seat in view.table["seats"])

    with Party(served.url, "meister-coup", 3, names=NAMES[:3]) as party:
        visitor = Visitor(browser, served.url, width=1280)
        seen: dict[str, Any] = party.start().answer_until(has_both).table or {}
        page = table(visitor, party)
        party.shown(page)
        rows = page.locator(".sheet tbody tr").count()
        assert rows == len(seen["rounds"]) + 1
        entered = [side["points"] for side in seen["sides"]]
        sums = [str(entered[seat["seat"]] + seat["points"]) for seat in seen["seats"]]
        assert [cell.split()[0] for cell in page.locator(".sheet tfoot td").all_inner_texts()] == sums
        for name, total in zip(NAMES, sums, strict=False):
            expect(page.locator(f".seat[aria-label={name}] .facts b")).to_have_text(total)
        visitor.close()


def test_hand_of_meister_coup_keeps_its_place_while_a_trick_is_played(browser: Browser, served: Service) -> None:
    """Neither the next card, nor another colour among the sums, nor the end of the trick moves anything on a phone."""
    with Party(served.url, "meister-coup", 4, names=NAMES) as party:
        visitor = Visitor(browser, served.url, width=390, height=844)
        party.start().answer_until(lambda view: view.table is not None and len(view.table["hand"]) == ONE_ROW)
        page = table(visitor, party)
        places = list[list[int]]()
        for _ in range(MOST_ANSWERS):
            party.answer_times(1)
            party.shown(page)
            if len((party.view(0).table or {})["hand"]) < ONE_ROW - 1:
                break
            places.append(page.evaluate(PLACES))
        assert len(places) > 4
        assert places == [places[0]] * len(places)
        visitor.close()


def test_last_round_has_its_result_table(browser: Browser, served: Service) -> None:
    """The round that decides the match rests like any other before the end is said."""
    with Party(served.url, "matchmaster", 2) as party:
        visitor = Visitor(browser, served.url)
        page = table(visitor, party.start())
        caught_up(page)  # before its drawing is loaded, a table shows nothing step by step
        assert page.evaluate(LAST_ROUND) == ["round"]
        visitor.close()


def test_end_of_a_match_hides_no_own_card_and_begins_with_what_comes_next(browser: Browser, finished: Party) -> None:
    """On a large screen the result is beside the felt; another match comes before the check of this one."""
    visitor = Visitor(browser, finished.url, width=1440, height=900)
    page = table(visitor, finished)
    page.wait_for_selector(".result")
    caught_up(page)
    assert page.evaluate(COVERED) == []
    expect(page.locator(".result button").first).to_have_text("Play again")
    expect(page.locator(".result")).to_be_in_viewport(ratio=1)
    visitor.close()


def begin_lesson(page: Page, game: str) -> None:
    """Open a lesson by its button in the lobby."""
    page.locator(f"[data-game={game}] .learn").click()
    page.wait_for_selector(".lesson p")
    caught_up(page)


def test_lesson_covers_no_question_on_a_phone(phone: Visitor) -> None:
    """It lies below the line that says what is asked."""
    for game in ("coup", "mondkrone", "matchmaster"):
        begin_lesson(phone.visit("/"), game)
        boxes = [phone.page.locator(each).bounding_box() for each in (".status", ".lesson-card")]
        status, card = ({} if box is None else box for box in boxes)
        assert status["y"] + status["height"] <= card["y"]


def test_lesson_has_a_way_out_when_its_sentences_are_said(visitor: Visitor) -> None:
    """A button opens a match of the same game, which is no lesson, against the gentlest bots; it stays when more is said."""
    page = visitor.visit("/")
    begin_lesson(page, "coup")
    lesson = page.url
    while not page.locator(".real").count() and page.evaluate(RUNS):  # how often it has to be asked, the bots decide
        page.evaluate(GO_ON)
        caught_up(page)
    page.locator(".real").click()
    page.wait_for_function("(lesson) => location.href !== lesson", arg=lesson)
    page.wait_for_selector(".tray .seat")
    expect(page.locator(".lesson")).to_have_count(0)


def test_lesson_ends_in_a_real_match(visitor: Visitor, served: Service) -> None:
    """When it is over, that is the one button that stands out; the lobby says that it was done."""
    page = visitor.visit("/")
    begin_lesson(page, "coup")
    served.finish(page.url.rpartition("/")[2], random.Random(1))
    expect(page.locator(".result .main")).to_have_text("I have got it: play a real match")
    expect(page.locator(".lesson .real")).to_have_count(0)
    page = visitor.visit("/")
    expect(page.locator("[data-game=coup] .learn")).to_have_accessible_name("Coup: Tutorial, tutorial done")
    expect(page.locator("[data-game=mondkrone] .learn")).to_have_accessible_name("Mondkrone: Tutorial")
