"""What moves on the table: each item in its turn, and never in the way of an answer. Orders, sounds, and stillness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import View
from tests.support.served import Service
from tests.web.conftest import Visitor, settled, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-stage")]

RECORD = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const { shadowRoot } = document.querySelector("game-table");
    const cards = [...shadowRoot.querySelectorAll(".board [data-anchor=trick] [data-card]")];
    const lying = cards.map((each) => Number(each.dataset.card));
    moved.push({ card: Number(this.dataset.card ?? NaN), name: this.className, lying });
    return animate.apply(this, given);
  };
}"""
"""Note whatever moves, and which cards lie in the trick then."""
SPEED = """async (motion) => {
  const { SPEEDS } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  Object.assign(SPEEDS.normal, { motion });
}"""
HOLD = """async () => {
  const { PACE } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  Object.assign(PACE, { trick: 1e9, part: 1e6 });
}"""
"""Let every trick rest until a key is pressed."""
MOST_RESTS = 2
"""Of tricks that ended together the last ones rest, at most this number of them."""
LONG_MS = 3_600_000
STILL_MOVING = "() => document.querySelector('game-table').page.stage.flight.animations.length > 0"
IDLE = "() => !document.querySelector('game-table').page.stage.busy"
UP_TO_DATE = """(cursor) => {
  const { page, store } = document.querySelector("game-table");
  if (!page.drawing || page.stage.busy || store.sending) return false;
  return [store.view, store.items.at(-1)].every((each) => each?.cursor === cursor);
}"""
SHIFTS = """
window.shifted = [];
const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
const told = ({ node, previousRect, currentRect }) => [node?.className, place(previousRect), place(currentRect)].join();
const named = (sources) => sources.map(told);
const note = ({ value, hadRecentInput, sources }) => hadRecentInput || shifted.push([value, named(sources)]);
new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.02
HEARD = """
window.heard = { sounds: 0, buzzes: 0 };
const Heard = window.AudioContext;
window.AudioContext = class extends Heard { constructor() { super(); heard.sounds += 1; } };
navigator.vibrate = () => (heard.buzzes += 1, true);
"""


def moving(browser: Browser, url: str, *, width: int = 1280, height: int = 800, script: str = "") -> Visitor:
    """Return a visitor who wants to see motion."""
    visitor = Visitor(browser, url, width=width, height=height, fresh=True)
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.context.add_init_script(script)
    return visitor


def table(visitor: Visitor, party: Party, seat: int = 0) -> Page:
    """Sit down at a party's table, and note what moves from then on."""
    party.seat(visitor.page, seat)
    page = visitor.visit(party.address)
    page.wait_for_selector(".board .seat")
    up_to_date(page, party, seat)
    page.evaluate(RECORD)
    return page


def up_to_date(page: Page, party: Party, seat: int = 0) -> None:
    """Wait until all has been shown in its turn."""
    page.wait_for_function(UP_TO_DATE, arg=party.view(seat).cursor)
    settled(page)


def cards_in_flight(page: Page) -> list[dict[str, Any]]:
    """Return what moved as a card with a face."""
    return [each for each in page.evaluate("moved") if each["card"] == each["card"]]


def on_table(party: Party) -> dict[str, Any]:
    """Return what lies on the table, as seat 0 knows it."""
    return party.view(0).table or {}


def bids_are_in(view: View) -> bool:
    """Return whether cards are played."""
    return (view.table or {})["stage"] == "play"


def seat_1_leads(view: View) -> bool:
    """Return whether a trick begins, and with seat 1."""
    table = view.table or {}
    return bids_are_in(view) and table["leader"] == 1 and not table["trick"]


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """A match of MatchMaster in which seat 1 leads the first trick."""
    with Party(served.url, "matchmaster", 4) as made:
        made.start().answer_until(seat_1_leads)
        yield made


def test_card_is_seen_on_its_way_and_each_view_in_its_turn(browser: Browser, party: Party) -> None:
    """Two cards that become known together fly one after the other: the second one to the view that held after the first."""
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    held: list[Route] = []
    page.route("**/view", lambda route: held.append(route), times=1)  # noqa: PLW0108 - a mark is set on it
    party.answer_times(1)
    wait(page, lambda: bool(held))
    party.answer_times(1)
    held.pop().continue_()
    up_to_date(page, party)
    trick = [play["card"] for play in on_table(party)["trick"]]
    assert len(trick) == 2
    flown = cards_in_flight(page)
    assert [each["card"] for each in flown] == trick
    assert [each["lying"] for each in flown] == [trick[:1], trick]
    visitor.close()


def test_catching_up_shows_the_table_as_it_is_now(browser: Browser, party: Party) -> None:
    """After an absence nothing flies: what lies there, lies there."""
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    page.evaluate(HOLD)
    visitor.context.set_offline(True)
    before = len(party.feed())
    while len(party.feed()) <= before + 20 or not on_table(party)["trick"]:
        party.answer_times(1)
    visitor.context.set_offline(False)
    expect(page.locator(".resting")).to_have_count(1)
    for _ in range(MOST_RESTS):
        page.keyboard.press("1")
    page.wait_for_function(IDLE)
    up_to_date(page, party)
    assert cards_in_flight(page) == []
    visitor.close()


@pytest.mark.parametrize("way", ["settings", "system"])
def test_nothing_moves_where_that_is_not_wanted(way: str, browser: Browser, party: Party) -> None:
    """Neither with the setting nor with the system's wish; a trick rests all the same."""
    visitor = moving(browser, party.url)
    if way == "system":
        visitor.page.emulate_media(reduced_motion="reduce")
    page = table(visitor, party)
    page.evaluate(HOLD)
    if way == "settings":
        page.locator(".menu summary").click()
        page.locator(".menu select").select_option("off")
        page.keyboard.press("Escape")
    party.answer_times(4)
    expect(page.locator(".resting .trick [data-card]")).to_have_count(4)
    page.keyboard.press("1")
    up_to_date(page, party)
    assert page.evaluate("moved") == []
    assert page.evaluate("document.querySelector('game-table').shadowRoot.getAnimations().length") == 0
    visitor.close()


def test_answer_does_not_wait_for_motion(browser: Browser, party: Party) -> None:
    """A card may still be on its way when the next one is played: the answer counts, and the motion ends."""
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    page.evaluate(HOLD)
    while len(on_table(party)["trick"]) < 2:
        party.answer_times(1)
    up_to_date(page, party)
    page.evaluate(SPEED, LONG_MS)
    party.answer_times(1)
    page.wait_for_function(STILL_MOVING)
    page.evaluate(SPEED, 1)
    page.locator(".hand .legal").first.click()
    wait(page, lambda: party.view(0).question is None or len(on_table(party)["trick"]) < 3)
    up_to_date_after_rest(page, party)
    visitor.close()


def up_to_date_after_rest(page: Page, party: Party) -> None:
    """End the pauses, too."""
    expect(page.locator(".resting")).to_have_count(1)
    page.keyboard.press("Enter")
    up_to_date(page, party)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_match_of_coup_keeps_its_layout(width: int, height: int, browser: Browser, served: Service) -> None:
    """From the first turn to the last: no layout shift is above the limit; on a desk not even all of them together."""
    with Party(served.url, "coup", 4, options={"first_seat": 1}, names=("Ada", "Bruno", "Cleo", "Dario")) as party:
        visitor = moving(browser, served.url, width=width, height=height, script=SHIFTS)
        page = table(visitor, party.start())
        page.evaluate("shifted.length = 0")
        while party.view(0).status == "running":
            party.answer_times(1)
            page.wait_for_function(UP_TO_DATE, arg=party.view(0).cursor)
        expect(page.locator(".result")).to_be_visible()
        settled(page)
        shifted = page.evaluate("shifted")
        values = [value for value, _ in shifted]
        assert (sum(values) if width > height else max(values, default=0)) <= MOST_SHIFT, sorted(shifted, reverse=True)[:5]
        visitor.close()


def test_order_to_pass_holds_until_the_viewer_is_concerned(browser: Browser, served: Service) -> None:
    """Others' turns pass without a question; what aims at the viewer is asked, and the order stays until it is taken back."""
    with Party(served.url, "coup", 3, options={"first_seat": 1}) as party:
        visitor = moving(browser, served.url)
        page = table(visitor, party.start())
        order = page.get_by_role("switch", name="Always pass unless it concerns me")
        order.click()
        party.answer(1, {"type": "coup.claim-tax"})
        party.answer(2, {"type": "coup.pass"})
        wait(page, lambda: on_table(party)["turn"] == 2)
        party.answer(2, {"type": "coup.claim-steal", "target": 0})
        expect(page.locator(".moves button", has_text="Pass").first).to_be_visible()
        assert party.view(0).question is not None
        expect(order).to_have_attribute("aria-checked", "true")
        order.click()
        expect(order).to_have_attribute("aria-checked", "false")
        visitor.close()


def test_last_card_is_played_by_itself_if_that_is_ordered(browser: Browser, served: Service) -> None:
    """There is nothing to decide about it; without the order it waits for a click."""
    with Party(served.url, "matchmaster", 3) as party:
        party.start()
        visitor = moving(browser, served.url)
        party.answer_until(lambda view: bids_are_in(view) and len((view.table or {})["hand"]) == 1)
        page = table(visitor, party)
        party.answer_until_asked(0)
        expect(page.locator(".hand .legal")).to_have_count(1)
        page.get_by_role("switch", name="Play my last card by itself").click()
        wait(page, lambda: not any(view.question and bids_are_in(view) for view in [party.view(0)]))
        visitor.close()


def test_nothing_is_heard_unless_that_is_wanted(browser: Browser, party: Party) -> None:
    """Neither sound nor vibration, before they are switched on."""
    visitor = moving(browser, party.url, script=HEARD)
    page = table(visitor, party)
    party.answer_until_asked(0)
    up_to_date(page, party)
    assert page.evaluate("heard") == {"sounds": 0, "buzzes": 0}
    page.locator(".menu summary").click()
    for name in ("Sound", "Vibrate when you are asked"):
        page.locator(".menu label", has_text=name).click()
    page.keyboard.press("Escape")
    assert party.answer(0)
    party.answer_until_asked(0)
    page.wait_for_function("() => heard.sounds === 1 && heard.buzzes > 0")
    visitor.close()


def test_replay_moves_as_play_does(browser: Browser, party: Party) -> None:
    """One step on, the card flies to where it lies; a jump shows the table as it was."""
    party.answer_times(2)
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    page.locator("footer button", has_text="Replay").click()
    page.wait_for_selector(".replay .scrub")
    page.keyboard.press("End")
    settled(page)
    assert cards_in_flight(page) == []
    trick = [play["card"] for play in on_table(party)["trick"]]
    page.keyboard.press("ArrowLeft")
    settled(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => moved.length > 0")
    assert [each["card"] for each in cards_in_flight(page)] == trick[-1:]
    visitor.close()


BOXES = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  const box = (each) => (({ left, right, top, width }) => ({ left, right, top, width }))(each.getBoundingClientRect());
  const all = (selector) => [...shadowRoot.querySelectorAll(selector)].map(box);
  return { seats: all(".ring > .seat"), middle: all(".board > .middle")[0], card: all(".hand .face")[0] };
}"""


def test_others_sit_around_the_felt_and_cards_grow_with_the_screen(browser: Browser, party: Party) -> None:
    """The next player sits left, the last one right of the trick; nothing is wider than a small phone."""
    widths = []
    for width, height in ((360, 640), (1280, 800), (2560, 1440)):
        visitor = Visitor(browser, party.url, width=width, height=height)
        page = table(visitor, party)
        boxes = page.evaluate(BOXES)
        widths.append(boxes["card"]["width"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if width > 1000:
            left, top, right = boxes["seats"]
            assert left["right"] <= boxes["middle"]["left"] < boxes["middle"]["right"] <= right["left"]
            assert left["top"] == right["top"] > top["top"]
        visitor.close()
    assert widths == sorted(widths)
    assert widths[2] > 1.3 * widths[1] > 1.3 * widths[0]
