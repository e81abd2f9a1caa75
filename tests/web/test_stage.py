"""What moves on the table: each item in its turn, and never in the way of an answer. Orders, sounds, and stillness."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import View
from tafelrunde.client.shapes import Plain
from tests.support.served import Service
from tests.web.conftest import Visitor, settled, wait
from tests.web.party import MOST_ANSWERS, Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-stage")]

RECORD = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const { shadowRoot } = document.querySelector("game-table");
    const cards = [...shadowRoot.querySelectorAll(".board [data-anchor=trick] [data-card]")];
    const lying = cards.map((each) => Number(each.dataset.card));
    moved.push({ card: Number(this.dataset.card ?? NaN), name: this.className, lying, lost: Boolean(this.closest(".lost")) });
    return animate.apply(this, given);
  };
}"""
"""Note whatever moves, and which cards lie in the trick then."""
SPEED = """async (motion) => {
  const { SPEEDS } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  window.altered?.push(["table/stage.js", "SPEEDS"]);
  Object.assign(SPEEDS.normal, { motion });
}"""
HURRY = """async () => {
  const { SPEEDS } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  Object.assign(SPEEDS.normal, { motion: 1, rest: 1, pause: 0.01 });
}"""
"""Let motions and pauses be short."""
HOLD = """async () => {
  const { PACE } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  window.altered?.push(["table/stage.js", "PACE"]);
  Object.assign(PACE, { trick: 1e9, part: 1e6 });
}"""
"""Let every trick rest until a key is pressed."""
MOST_RESTS = 2
"""Of tricks that ended together the last ones rest, at most this number of them."""
LONG_MS = 3_600_000
STILL_MOVING = "() => document.querySelector('game-table').page.stage.flight.animations.length > 0"
END = "() => document.querySelector('game-table').page.stage.flight.end()"
IDLE = "() => !document.querySelector('game-table').page.stage.busy"
UP_TO_DATE = """(cursor) => {
  const { page, store } = document.querySelector("game-table") ?? {};
  if (!page?.drawing || page.stage.busy || store.sending) return false;
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
TOPS = """() => {
  window.tops = [], window.lengths = [], window.folded = [];
  const { shadowRoot } = document.querySelector("game-table");
  const [status, board] = [".status", ".board"].map((each) => shadowRoot.querySelector(each));
  const note = () => {
    tops.push(Math.round(board.getBoundingClientRect().top + scrollY)), lengths.push(status.textContent.trim().length);
    folded.push(shadowRoot.querySelector(".log:not([open]) > summary").offsetHeight);
  };
  new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
  note();
}"""
"""Note where the board is, how much the status says, and how high the folded log is, whenever that changes."""
PLACES = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  const all = [...shadowRoot.querySelectorAll(".ring .seat, .pile, .tray > *, .hand li")];
  return all.map((each) => each.getBoundingClientRect()).map(({ left, right, top, bottom }) => [left, right, top, bottom]);
}"""
"""Where everything on the board stands, besides the answers themselves."""
OUTSIDE = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  return [...shadowRoot.querySelectorAll(":is(.hand, .pile) .face.labelled")].flatMap((card) => {
    const box = card.getBoundingClientRect();
    const parts = [...card.querySelectorAll("b, i span, em, .label, .symbol")];
    const inside = parts.map((each) => [each, each.getBoundingClientRect()]);
    const out = inside.filter(([, { left, right, top, bottom }]) =>
      left < box.left || right > box.right || top < box.top || bottom > box.bottom);
    return out.map(([each]) => `${card.textContent.trim()}: ${each.textContent.trim()}`);
  });
}"""
"""What is not within its card."""
FIRST: dict[str, dict[str, Plain]] = {"coup": {"first_seat": 1}}
ANSWERS_OF_TRICKS = 13
ANSWERS_OF_ROUNDS = 16
"""These end a first round of Mondkrone, and begin the next one."""
LEAST_TARGET = 44
MOST_SHIFT = 0.02
HEARD = """
window.heard = { sounds: 0, buzzes: 0 };
const Heard = window.AudioContext;
window.AudioContext = class extends Heard { constructor() { super(); heard.sounds += 1; window.context = this; } };
navigator.vibrate = () => (heard.buzzes += 1, true);
"""


def moving(browser: Browser, url: str, *, width: int = 1280, height: int = 800, script: str = "") -> Visitor:
    """Return a visitor who wants to see motion."""
    visitor = Visitor(browser, url, width=width, height=height, painted=script == SHIFTS)
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.first(script)
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


def test_log_tells_who_takes_a_trick_once_it_goes_there(browser: Browser, party: Party) -> None:
    """As long as the trick rests, its last card is the newest line."""
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    page.evaluate(HOLD)
    party.answer_times(4)
    expect(page.locator(".resting .trick [data-card]")).to_have_count(4)
    log = page.locator(".log")
    expect(log.locator("li").last).to_contain_text(re.compile("plays? "))
    page.keyboard.press("Enter")
    expect(log).to_contain_text(re.compile("takes? the trick"))
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
@pytest.mark.parametrize(("game", "seats", "answers"), [("coup", 3, MOST_ANSWERS), ("mondkrone", 4, ANSWERS_OF_ROUNDS)])
def test_match_keeps_its_layout(
    game: str, seats: int, answers: int, width: int, height: int, browser: Browser, served: Service
) -> None:
    """From the first turn on, in Coup to the last: not even all layout shifts together are above the limit."""
    with Party(served.url, game, seats, options=FIRST.get(game), names=("Ada", "Bruno", "Cleo", "Dario")) as party:
        visitor = moving(browser, served.url, width=width, height=height, script=SHIFTS)
        page = table(visitor, party.start())
        page.evaluate("shifted.length = 0")
        page.evaluate(HURRY)
        for _ in range(answers):
            if party.view(0).status != "running":
                break
            party.answer_times(1)
            page.wait_for_function(UP_TO_DATE, arg=party.view(0).cursor)
        expect(page.locator(".result")).to_have_count(int(game == "coup"))
        settled(page)
        shifted = page.evaluate("shifted")
        assert sum(value for value, _ in shifted) <= MOST_SHIFT, sorted(shifted, reverse=True)[:5]
        visitor.close()


def test_card_of_mondkrone_is_chosen_on_one_screen_of_a_phone(browser: Browser, served: Service) -> None:
    """Hand and answers are in sight, and nothing else moves when a card is picked: what it can do is there to be tapped."""
    with Party(served.url, "mondkrone", 4, names=("Ada", "Maximiliane", "Cleo", "Dario")) as party:
        party.start().answer_until_asked(0)
        visitor = Visitor(browser, served.url, width=360, height=640, language="de-DE")
        page = table(visitor, party)
        before = page.evaluate(PLACES)
        assert max(bottom for *_, bottom in before) <= 640
        expect(page.locator(".moves button")).to_be_in_viewport(ratio=1)
        for card in page.locator(".hand .legal").all():
            card.click()
            expect(page.locator(".answer").first).to_be_in_viewport(ratio=0.9)
            assert page.evaluate(PLACES) == before
        visitor.visit("/").wait_for_selector(".tile")  # no browser is needed while the round is played
        party.answer_until(lambda view: view.question is not None and view.question.legal[0]["type"] == "mondkrone.lay-aside")
        visitor.visit(party.address).wait_for_selector(".board .seat")
        up_to_date(page, party)
        expect(page.locator(".moves button").first).to_be_in_viewport(ratio=1)
        visitor.close()


def test_no_letter_of_mondkrone_is_outside_its_card_on_a_phone(browser: Browser, served: Service) -> None:
    """Neither in the hand nor on the pile, though German waves and wyrms have two letters each."""
    with Party(served.url, "mondkrone", 2) as party:
        visitor = Visitor(browser, served.url, width=360, height=640, language="de-DE")
        page = table(visitor, party.start())
        page.evaluate(
            """([hand, top]) => {
              const { page, store } = document.querySelector("game-table");
              Object.assign(store.view.table, { hand, top });
              page.changed();
            }""",
            [["cave", "darkness", "origin", "journey", "borderland", "island", "consul"], "island"],
        )
        settled(page)
        assert page.locator(".hand .corner i").first.inner_text().split() == ["We", "Wy"]
        assert page.evaluate(OUTSIDE) == []
        visitor.close()


def test_reason_of_trick_does_not_move_the_board_on_a_phone(browser: Browser, served: Service) -> None:
    """Long or short, what the status says takes the same room; what is longer than that can be scrolled."""
    names = ("Ada", "Maximiliane", "Cleo")
    with Party(served.url, "stich-meister", 3, options={"rules": [3, 12, 17, 32]}, names=names) as party:
        visitor = Visitor(browser, served.url, width=360, height=640, language="de-DE")
        page = table(visitor, party.start())
        page.evaluate(TOPS)
        for _ in range(ANSWERS_OF_TRICKS):
            party.answer_times(1)
            page.wait_for_function(UP_TO_DATE, arg=party.view(0).cursor)
        settled(page)
        lengths = page.evaluate("lengths")
        assert max(lengths) > 2 * min(lengths), lengths
        assert len(set(page.evaluate("tops"))) == 1, page.evaluate("tops")
        expect(page.locator(".status")).to_have_css("overflow-y", "auto")
        assert set(page.evaluate("folded")) == {LEAST_TARGET}, page.evaluate("folded")
        visitor.close()


def test_claim_says_at_whom_it_is_aimed(browser: Browser, served: Service) -> None:
    """Nothing of it is cut off on a desk, however many sit there."""
    for seats in (3, 6):
        names = ("Ada", "Maximiliane", "Cleopatra", "Dario", "Elvira", "Fridolin")[:seats]
        with Party(served.url, "coup", seats, options={"first_seat": 1}, names=names) as party:
            visitor = Visitor(browser, served.url, width=1440, height=900, language="de-DE")
            page = table(visitor, party.start())
            party.answer(1, {"type": "coup.claim-steal", "target": 2})
            up_to_date(page, party)
            expect(page.locator(".ring .speech")).to_have_text("Captain: Diebstahl → Cleopatra")
            assert page.locator(".ring .speech span").evaluate_all(
                "(all) => all.every((each) => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 1)"
            )
            visitor.close()


def test_lost_influence_is_turned_up(browser: Browser, served: Service) -> None:
    """A card that another seat loses is seen to turn."""
    with Party(served.url, "coup", 3, options={"first_seat": 1}) as party:
        party.start().answer(1, {"type": "coup.claim-tax"})
        party.answer(2, {"type": "coup.challenge"})
        visitor = moving(browser, served.url)
        page = table(visitor, party)
        while not any(seat["face_up"] for seat in on_table(party)["seats"]):
            party.answer_times(1)
            up_to_date(page, party)
        assert [each["lost"] for each in page.evaluate("moved")].count(True) == 1
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


def test_order_is_kept_by_a_reload_until_it_ends(browser: Browser, served: Service) -> None:
    """It goes on answering; taken back it stays so, and of an order for one turn nothing is left after that turn."""
    with Party(served.url, "coup", 3, options={"first_seat": 1}) as party:
        visitor = moving(browser, served.url)
        page = table(visitor, party.start())
        order = page.get_by_role("switch", name="Always pass unless it concerns me")
        order.click()
        page.reload()
        expect(order).to_have_attribute("aria-checked", "true")
        party.answer(1, {"type": "coup.claim-tax"})
        party.answer(2, {"type": "coup.pass"})
        wait(page, lambda: on_table(party)["turn"] == 2)
        order.click()
        party.answer(2, {"type": "coup.take-foreign-aid"})
        turn = page.get_by_role("switch", name="Pass for the rest of this turn")
        expect(turn).to_be_enabled()
        turn.click()
        page.reload()
        expect(order).to_have_attribute("aria-checked", "false")
        party.answer(1, {"type": "coup.pass"})
        wait(page, lambda: on_table(party)["turn"] == 0)
        expect(turn).to_have_attribute("aria-checked", "false")
        assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('tafelrunde.orders'))") == []
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
        page.get_by_role("switch", name="Play my last card automatically").click()
        wait(page, lambda: not any(view.question and bids_are_in(view) for view in [party.view(0)]))
        visitor.close()


def test_sounds_are_on_until_they_are_switched_off(browser: Browser, party: Party) -> None:
    """A page that was touched sounds, by one click no more; it vibrates only once that is switched on."""
    visitor = moving(browser, party.url, script=HEARD)
    page = table(visitor, party)
    page.locator(".menu summary").click()
    page.locator(".menu label", has_text="Sound").click()
    page.keyboard.press("Escape")
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


def test_page_plays_no_silence(browser: Browser, party: Party) -> None:
    """It sounds by default. What makes sounds stops after each, or it would use power; the next sound is heard all the same."""
    visitor = moving(browser, party.url, script=HEARD)
    page = table(visitor, party)
    page.locator("h1").click()
    for _ in range(2):
        before = page.evaluate("window.context?.currentTime ?? 0")
        party.answer(0)
        party.answer_until_asked(0)
        page.wait_for_function("(before) => window.context?.currentTime > before", arg=before)
        page.wait_for_function("() => window.context.state === 'suspended'")
    assert page.evaluate("heard") == {"sounds": 1, "buzzes": 0}
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


def test_replay_goes_on_once_all_has_moved(browser: Browser, party: Party) -> None:
    """It plays by itself at the stage's pace: a card that is still on its way is waited for."""
    party.answer_times(2)
    visitor = moving(browser, party.url)
    page = table(visitor, party)
    page.locator("footer button", has_text="Replay").click()
    page.wait_for_selector(".replay .scrub")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    settled(page)
    page.evaluate(SPEED, LONG_MS)
    page.locator("h1").click()
    page.keyboard.press(" ")
    page.wait_for_function(STILL_MOVING)
    place = page.locator(".scrub input").input_value()
    page.wait_for_timeout(1_400)
    assert page.locator(".scrub input").input_value() == place
    page.evaluate(END)
    page.wait_for_function("(place) => Number(document.querySelector('game-table').page.replay.place) > place", arg=int(place))
    visitor.close()


BOXES = """() => {
  const { shadowRoot } = document.querySelector("game-table");
  const box = (each) => (({ left, right, top, width }) => ({ left, right, top, width }))(each.getBoundingClientRect());
  const all = (selector) => [...shadowRoot.querySelectorAll(selector)].map(box);
  return { seats: all(".ring > .seat"), middle: all(".board > .middle")[0], card: all(".hand .face")[0] };
}"""


def test_others_sit_around_the_felt_and_cards_grow_with_the_screen(browser: Browser, party: Party) -> None:
    """The next player sits left, the last one right of the trick, in low windows above it; nothing is wider than a phone."""
    visitor = Visitor(browser, party.url)
    page = table(visitor, party)
    widths = []
    for width, height in ((360, 640), (1280, 800), (2560, 1440)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        boxes = page.evaluate(BOXES)
        widths.append(boxes["card"]["width"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if width > 1000:
            left, top, right = boxes["seats"]
            assert left["right"] <= top["left"] < top["right"] <= right["left"]
            assert left["top"] == right["top"] >= top["top"]
            if height > 1000:
                assert left["right"] <= boxes["middle"]["left"] < boxes["middle"]["right"] <= right["left"]
                assert left["top"] > top["top"]
    visitor.close()
    assert widths == sorted(widths)
    assert widths[2] > 1.3 * widths[1] > 1.3 * widths[0]


def test_others_sit_around_the_pile_of_mondkrone(browser: Browser, served: Service) -> None:
    """They do so in the order of play too, and a palette that grows moves neither seats nor hand."""
    with Party(served.url, "mondkrone", 4) as party:
        visitor = moving(browser, served.url)
        page = table(visitor, party.start())
        before = page.evaluate(BOXES)
        left, top, right = before["seats"]
        assert left["right"] <= before["middle"]["left"] < before["middle"]["right"] <= right["left"]
        assert left["top"] == right["top"] > top["top"]
        party.answer_until(lambda view: max(len(seat["palette"]) for seat in (view.table or {})["seats"][1:]) > 2)
        party.shown(page)
        after = page.evaluate(BOXES)
        assert [after["seats"], after["middle"]["left"]] == [before["seats"], before["middle"]["left"]]
        assert after["card"]["top"] == before["card"]["top"]
        visitor.close()
