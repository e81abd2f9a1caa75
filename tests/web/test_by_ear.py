"""The table as it is heard: what a card is called, in which order things are said, and that a match can be played by that."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.domain.game import Command, GameId
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.served import Service
from tests.support.thorough import tries
from tests.web.conftest import Visitor, for_each
from tests.web.course import Course
from tests.web.party import Party

pytestmark = pytest.mark.xdist_group("web-by-ear")

BY_NAME = tries(2, 100)
"""How often each way to answer is found by its name."""
MOST_MATCHES = 10
ANSWERS = 30
AT_ONCE = 3
"""How many answers come before a page is waited for: one after the other, while what they cause is still shown."""
TOLD = """(command) => {
  const { store } = document.querySelector("game-table");
  return store.sheet.told(command, (seat) => store.name(seat));
}"""
ANSWERED = "(asked) => document.querySelector('game-table').store.view.question?.decision !== asked"
PRINTED = """() => {
  const root = document.querySelector("game-table").shadowRoot;
  return [...root.querySelectorAll(".board [data-card]")].filter((each) => each.checkVisibility()).map((each) => {
    const silent = each.ariaHidden === "true";
    return [each.dataset.card, silent ? each.closest("button").querySelector(":scope > .spoken").textContent : each.ariaLabel];
  });
}"""
LISTEN = """() => {
  const root = document.querySelector("game-table").shadowRoot;
  const region = root.querySelector("[role=log]:not(.talk-heard)");
  window.heard = [...region.querySelectorAll("p")].map((each) => each.textContent);
  new MutationObserver((all) => {
    for (const { addedNodes } of all)
      for (const each of addedNodes) if (each.localName === "p") window.heard.push(each.textContent);
  }).observe(region, { childList: true });
}"""
EVENTS = """() => {
  const { store } = document.querySelector("game-table");
  return store.items.map(({ event }) => store.sheet.told(event, (seat) => store.name(seat), store.view.seat));
}"""
KNOWN = "(cursor) => document.querySelector('game-table').store.view.cursor >= cursor"
IDLE = "() => !document.querySelector('game-table').page.stage.busy"
LIVE = "[role=log], [aria-live]:not([aria-live=off]), [role=status]:not([aria-live=off]), [role=alert]:not([aria-live=off])"
NEWS = "What has just happened"
WITH_A_CARD = {"mondkrone.play-to-palette", "mondkrone.discard-to-pile", "mondkrone.play-and-discard"}


def at_table(browser: Browser, served: Service, party: Party, language: str = "en-GB") -> Visitor:
    """Return a visitor who sits on seat 0, with all that may be seen there."""
    visitor = Visitor(browser, served.url, language=language)
    visitor.page.evaluate("localStorage.setItem('tafelrunde.settings', JSON.stringify({ speed: 'fast' }))")
    party.seat(visitor.page, 0)
    visitor.visit(party.address)
    party.shown(visitor.page)
    return visitor


@for_each(GAMES)
def test_card_is_called_by_all_that_is_printed_on_it(game: GameId, browser: Browser, served: Service) -> None:
    """No two cards that differ have one name; it says value and suits, and so does text mode of every card of the view."""
    with Party(served.url, game, GAMES[game].min_seats, options=facts_of(game).fixed_options) as party:
        party.start().answer_times(6)
        faces = {str(each.card): each for each in party.clients[0].game(game).cards}
        visitor = at_table(browser, served, party)
        names: dict[str, set[str]] = {}
        for card, name in visitor.page.evaluate(PRINTED):
            names.setdefault(name, set()).add(card)
            assert faces[card].rank in name
        assert all(len(cards) == 1 for cards in names.values()), names
        visitor.page.keyboard.press("t")
        text = visitor.page.locator(".textmode pre").nth(1).inner_text()
        table = party.view(0).table
        assert table is not None
        top = table.get("top")
        palettes = [seat.get("palette", []) for seat in table["seats"]]
        for card in {*table["hand"], *([top] if top else []), *(card for palette in palettes for card in palette)}:
            face = faces.get(str(card))
            suits = [suit.replace("_", " ") for suit in face.suits] if face else []
            assert face is None or all(part in text for part in (face.name.en, face.rank, *suits))
            if game == "mondkrone":
                assert face is not None
                assert re.search(rf"{face.name.en} \({face.rank}, {' and '.join(face.suits)}", text)
        visitor.close()


def test_match_of_mondkrone_is_played_by_names_alone(browser: Browser, served: Service) -> None:
    """Each card of the hand, and each way to play it, is found by its name; so is everything else that is asked.

    What has been answered by name some times is answered inside of the service after that. Further matches are played until
    each kind of answer was given by name.
    """
    named = Counter[type[Command]]()
    kinds = {*GAMES[GameId("mondkrone")].command_types}
    for seed in range(MOST_MATCHES):
        if named.keys() == kinds:
            break
        with Party(served.url, "mondkrone", 2, seed=seed) as party:
            play_by_name(browser, served, party.start(), named)
    assert named.keys() == kinds


def play_by_name(browser: Browser, served: Service, party: Party, named: Counter[type[Command]]) -> None:
    """Play a match to its end, and count what was answered by name."""
    visitor = at_table(browser, served, party)
    page = visitor.page
    faces = {each.card: each for each in party.clients[0].game("mondkrone").cards}
    course = Course(served.known, MatchId(party.match), party.rng)
    while (asked := served.do(course.ask())) is not None:
        seat, state, _ = asked
        legal = state.game.legal(state.table, seat)
        command = party.rng.choice(legal)
        if seat or named[type(command)] == BY_NAME:
            served.do(course.give(state, seat, command))
            continue
        named[type(command)] += 1
        party.shown(page)
        answer_by_name(page, party, faces, legal.index(command))
    expect(page.locator(".result")).to_be_visible()
    visitor.close()


def answer_by_name(page: Page, party: Party, faces: dict[str | int, Any], index: int) -> None:
    """Answer seat 0's question with one of the legal commands, by names alone."""
    question = party.view(0).question
    assert question is not None
    command = question.legal[index]
    told = page.evaluate(TOLD, command)
    if command["type"] not in WITH_A_CARD:
        page.get_by_role("button", name=re.compile(re.escape(told))).first.click()
    else:
        card = str(command.get("card", command.get("palette_card")))
        name = f"{faces[card].name.en}, {faces[card].rank}, {' and '.join(faces[card].suits)}"
        hand = page.get_by_role("list", name="Your cards")
        hand.get_by_role("button", name=name).click()
        page.get_by_role("button", name=re.compile(rf"^{re.escape(told)}: ")).first.click()
    page.wait_for_function(ANSWERED, arg=question.decision)


@for_each(GAMES)
def test_events_are_said_once_and_in_the_order_of_the_events(game: GameId, browser: Browser, served: Service) -> None:
    """While things move too, and tricks rest: one live region says what the table shows, and talk's says nothing of it."""
    with Party(served.url, game, GAMES[game].min_seats, options=facts_of(game).fixed_options) as party:
        party.start()
        visitor = at_table(browser, served, party)
        page = visitor.page
        page.emulate_media(reduced_motion="no-preference")
        assert page.locator(LIVE).evaluate_all("all => all.map((each) => each.ariaLabel)") == ["Chat", NEWS]
        page.evaluate(LISTEN)
        course = Course(served.known, MatchId(party.match), party.rng)
        for _ in range(ANSWERS // AT_ONCE):
            served.do(course.go_on(AT_ONCE))
            page.wait_for_function(KNOWN, arg=party.view(0).cursor)
        page.wait_for_function(IDLE)
        news = page.get_by_role("log", name=NEWS)
        expect(news.locator("p").last).to_contain_text(page.locator(".status").inner_text().partition(": ")[2][:20])
        heard = page.evaluate("heard")
        events = page.evaluate(EVENTS)
        assert len(heard) > 10
        assert all(one != other for one, other in pairwise(heard)), "\n".join(heard)
        place = 0
        for text in heard:
            if text in events:  # not the question, nor why a trick was taken
                assert text in events[place:], "\n".join([text, "", *heard, "", *map(str, events)])
                place = events.index(text, place)
        taken = [text.partition(": ")[0] for text in heard if " the trick: " in text]
        assert not {f"{text}." for text in taken} & {other for one, other in pairwise(heard) if one.startswith(tuple(taken))}
        assert not {"It is your turn."} & {*heard}
        expect(page.get_by_role("log", name="Chat").locator("p")).to_have_count(0)  # no one has talked
        visitor.close()


def test_cards_of_coup_are_reported_and_counted(browser: Browser, served: Service) -> None:
    """One's own by name, with those that are lost marked; those of others that lie face down by their number."""
    with Party(served.url, "coup", 2) as party:
        view = party.start().answer_until(lambda view: bool(view.table and view.table["seats"][0]["face_up"]))
        assert view.table is not None
        visitor = at_table(browser, served, party, "de-DE")
        own = visitor.page.get_by_role("list", name="Deine Karten").get_by_role("listitem")
        expect(own).to_have_count(len(view.table["hand"]) + len(view.table["drawn"]) + len(view.table["seats"][0]["face_up"]))
        expect(own.get_by_role("img", name=re.compile(", verloren$"))).to_have_count(len(view.table["seats"][0]["face_up"]))
        left = view.table["seats"][1]["influence"]
        words = "eine verdeckte Karte" if left == 1 else f"{left} verdeckte Karten"
        expect(visitor.page.get_by_role("article", name="Player 1")).to_contain_text(words)
        visitor.close()
