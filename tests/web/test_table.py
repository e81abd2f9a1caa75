"""The table itself: what its keys do, what keeps still and what moves on it, who sits there, and how it ends."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, settled
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-table")]

PLACES = """() => {
  const shadow = document.querySelector("game-table").shadowRoot;
  return [".tray .hand", ".tray .moves"].map((each) => Math.round(shadow.querySelector(each).getBoundingClientRect().top));
}"""
COUNT_MOTION = """() => {
  window.landed = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    landed += 1;
    return animate.apply(this, given);
  };
}"""
DONE_MOVING = """(cursor) => {
  const { page, store } = document.querySelector("game-table");
  return !page.stage.busy && [store.view, store.items.at(-1)].every((each) => each?.cursor === cursor);
}"""

TALL = """(all) => {
  const lines = (each) => each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).fontSize);
  return all.filter((each) => lines(each) > 2.5).length;
}"""


def table(visitor: Visitor, party: Party) -> Page:
    """Look at a party's table as its first player."""
    party.seat(visitor.page, 0)
    page = visitor.visit(party.address)
    page.wait_for_selector(".board .seat")
    party.shown(page)
    return page


def test_table_waits_for_its_style_sheet_but_not_forever(visitor: Visitor, served: Service) -> None:
    """Nothing jumps into place: it is drawn once the sheet is there, or will not come; the next table asks again."""
    visitor.load()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route) if route.request.resource_type == "fetch" else route.continue_()  # the page has a link to it, too

    visitor.page.route("**/style.css", hold)
    with Party(served.url, "coup", 2) as party:
        party.start().seat(visitor.page, 0)
        page = visitor.visit(party.address)
        page.wait_for_function("() => document.querySelector('game-table')?.store?.known")
        settled(page)
        expect(page.locator("game-table .table")).to_have_count(0)
        held.pop().abort()
        expect(page.locator(".board .seat")).to_have_count(2)
        visitor.visit("/")
        with page.expect_request(lambda request: request.resource_type == "fetch" and request.url.endswith("/style.css")):
            visitor.visit(party.address)
    visitor.complaints = [each for each in visitor.complaints if "ERR_FAILED" not in each]


def test_number_key_does_only_what_a_button_carries(visitor: Visitor, served: Service) -> None:
    """Cards are played by hand: no number plays one."""
    with Party(served.url, "mondkrone", 2) as party:
        page = table(visitor, party.start())
        party.answer_until_asked(0)
        party.shown(page)
        before = party.view(0).cursor
        numbers = page.locator(".moves kbd").all_inner_texts()
        for number in range(10):
            if str(number) not in numbers:
                page.keyboard.press(str(number))
        party.shown(page)
        assert party.view(0).cursor == before


def test_bid_s_key_is_its_number(visitor: Visitor, served: Service) -> None:
    """A bid can be changed by its key; once cards are played no number does anything."""
    with Party(served.url, "matchmaster", 3) as party:
        page = table(visitor, party.start())
        for bid in (3, 0):
            page.keyboard.press(str(bid))
            expect(page.locator(".bids [aria-pressed=true]")).to_have_text(str(bid))
        party.answer_until(lambda view: view.table is not None and view.table["stage"] != "bid")
        party.answer_until_asked(0)
        party.shown(page)
        before = party.view(0).cursor
        for number in range(10):
            page.keyboard.press(str(number))
        party.shown(page)
        assert party.view(0).cursor == before


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_board_of_coup_keeps_still(width: int, height: int, browser: Browser, served: Service) -> None:
    """Speech comes and goes above the hand, and questions below it: the hand and the answers stay where they are."""
    with Party(served.url, "coup", 4, options={"first_seat": 1}, names=("Ada", "Bruno", "Cleo", "Dario")) as party:
        visitor = Visitor(browser, served.url, width=width, height=height)
        page = table(visitor, party.start())
        places = [page.evaluate(PLACES)]
        steps = (
            (1, {"type": "coup.claim-steal", "target": 2}),
            (0, {"type": "coup.pass"}),
            (2, {"type": "coup.pass"}),
            (3, {"type": "coup.pass"}),
            (2, {"type": "coup.block", "role": "captain"}),
            (0, {"type": "coup.challenge"}),
        )
        for seat, command in steps:
            assert party.answer(seat, command)
            party.shown(page)
            places.append(page.evaluate(PLACES))
        assert places == [places[0]] * len(places)
        visitor.close()


def test_who_left_is_distinguished_from_who_plays(visitor: Visitor, served: Service) -> None:
    """A seat whose player left has a mark and a notice until its player is back; so has a computer's seat a mark."""
    with Party(served.url, "coup", 3, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        expect(page.locator(".robot")).to_have_count(0)
        party.clients[1].leave(party.match)
        seat = page.locator(".seat", has_text="Player 1")
        expect(seat.locator(".robot")).to_have_attribute("aria-label", "a bot plays on for this seat")
        expect(page.locator(".stood-in")).to_have_text("Not at the table: Player 1. A bot plays on there.")
        expect(page.locator(".robot")).to_have_count(1)
    page = visitor.begin("coup", seats=3)
    expect(page.locator(".robot[aria-label=bot]")).to_have_count(2)


def test_winner_s_cards_lie_open_at_the_end(visitor: Visitor, served: Service) -> None:
    """Nothing is secret any more; and the headline says who has won, and how oneself did."""
    for seed in range(1, 20):
        with Party(served.url, "coup", 2, seed=seed) as party:
            party.start().finish(served)
            view = party.view(0)
            assert view.placings is not None
            if view.placings[0].rank == 1:
                continue
            party.seat(visitor.page, 0)
            page = visitor.visit(party.address)
            expect(page.locator(".result h2")).to_have_text("Player 1 wins. You are out.")
            winner = page.locator(".seat", has_text="Player 1")
            expect(winner.locator(".cards .back")).to_have_count(0)
            shown = party.clients[1].view(party.match).table
            assert shown is not None
            names = [re.compile("\u00ad?".join(role), re.IGNORECASE) for role in shown["hand"]]  # long ones can be broken
            expect(winner.locator(".cards > .turned-up > .face")).to_have_text(names)
            return
    raise AssertionError


def test_reason_of_a_trick_is_the_engine_s(visitor: Visitor, served: Service) -> None:
    """The panel says which rules made a card win, in the words of the rule cards, and guesses nothing."""
    with Party(served.url, "stich-meister", 3, options={"rules": [4, 29, 31, 47]}) as party:
        party.start()
        view = party.answer_until(lambda view: any(trick["reason"]["rules"] for trick in (view.table or {})["tricks"][-1:]))
        trick = (view.table or {})["tricks"][-1]
        sheet = party.clients[0].game("stich-meister").messages
        card = next(play["card"] for play in trick["plays"] if play["seat"] == trick["winner"])
        why = sheet[f"stich-meister.trick-reason.{trick['reason']['deciding']}"].en
        rules = "".join(f" {number}. {sheet[f'stich-meister.rule.{number}'].en}" for number in trick["reason"]["rules"])
        page = table(visitor, party)
        expect(page.locator(".reason").first).to_contain_text(f": {sheet[f'stich-meister.card.{card}'].en} – {why}.{rules}")


def test_numbers_of_rules_are_not_broken(phone: Visitor, served: Service) -> None:
    """On a phone as well, where their cards are narrow: all digits of a number stand in one line."""
    with Party(served.url, "stich-meister", 3) as party:
        page = table(phone, party.start())
        numbers = page.locator(".rulecard strong")
        expect(numbers.filter(has_text=re.compile(r"^\d\d$"))).not_to_have_count(0)
        heights = numbers.evaluate_all(
            "all => all.map((each) => [each.getBoundingClientRect().height, parseFloat(getComputedStyle(each).fontSize)])"
        )
        assert [height < 2 * size for height, size in heights] == [True] * len(heights)


def test_newest_card_moves_unless_that_is_not_wanted(browser: Browser, served: Service) -> None:
    """A card lands on the table; with the setting, or the system's wish, it only has a rim."""
    for still in (False, True):
        with Party(served.url, "meister-coup", 3) as party:
            visitor = Visitor(browser, served.url)
            visitor.page.emulate_media(reduced_motion="reduce" if still else "no-preference")
            page = table(visitor, party.start())
            page.evaluate(COUNT_MOTION)
            for _ in range(2):
                party.answer_times(1)
                page.wait_for_function(DONE_MOVING, arg=party.view(0).cursor)
                settled(page)
            expect(page.locator(".middle figure.new")).to_have_count(1)
            if still:
                assert page.evaluate("landed") == 0
            else:
                page.wait_for_function("landed > 0")
            visitor.close()


def test_standing_answer_is_said_and_asks_no_more(visitor: Visitor, served: Service) -> None:
    """Once a bid is placed the table says that it stands; neither the status nor the title calls for an answer."""
    with Party(served.url, "matchmaster", 3) as party:
        page = table(visitor, party.start())
        expect(page.locator(".status")).to_contain_text("Your answer:")
        expect(page).to_have_title(re.compile("●"))
        page.keyboard.press("3")
        expect(page.locator(".status:not(.mine)")).to_contain_text("Your answer stands; you may still change it.")
        expect(page).to_have_title("Tafelrunde")


def test_keys_of_a_turn_of_coup_stand_in_order(visitor: Visitor, served: Service) -> None:
    """Aimed actions are drawn last; the numbers follow what is seen, and each gives the action that carries it."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        keys = page.locator(".acts kbd").all_inner_texts()
        assert keys == [str(number) for number in range(1, len(keys) + 1)]
        wanted = page.locator(".acts button", has_text="Exchange")
        page.keyboard.press(wanted.locator("kbd").inner_text())
        expect(page.locator(".tray .speech")).to_contain_text("exchange")


def test_names_and_numbers_are_never_broken_letter_by_letter(browser: Browser, served: Service) -> None:
    """Long names are cut off in scores; "(you)" and every number stand in one line."""
    names = ("Anna-Katharina Freifrau von und zu Hohen", "Wolfgang_Amadeus_Donaudampfschifffahrt", "Jo", "Ein Name ohne Ende")
    with Party(served.url, "matchmaster", 4, names=names) as party:
        visitor = Visitor(browser, served.url, width=1280, height=800)
        party.start().answer_until(lambda view: bool((view.table or {})["rounds"]))
        page = table(visitor, party)
        cells = page.locator(".side .scores :is(td, th)")
        expect(cells).not_to_have_count(0)
        assert cells.evaluate_all(TALL) == 0
        assert page.locator(".seat header em").evaluate_all(TALL) == 0
        visitor.close()
