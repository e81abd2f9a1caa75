"""Two strangers find each other, talk, play a match over days and another one; a third watches, and eight play a tournament."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.client import Client
from tafelrunde.client.shapes import Plain
from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.events import shard_of
from tests.support.days import DELAY_MS, HOUR_MS, MINUTE_MS, Days, days
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, forget, wait
from tests.web.slow import late
from tests.web.test_notices import subscribing
from tests.web.test_spectator import LISTEN, heard, own
from tests.web.test_tournaments import answer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-quick")]

ANSWER = """(wanted) => {
  const { page, store } = document.querySelector("game-table");
  page.stage.skip();
  const { question, status } = store.view;
  const late = store.sending || store.items.at(-1)?.cursor !== store.view.cursor;
  if (status === "over" || !question || question.answered || late) return status;
  page.give(wanted.map((type) => question.legal.find((each) => each.type === type)).find(Boolean) ?? question.legal[0]);
  return status;
}"""
"""Answer as soon as there is a question, by the first of these commands that is possible."""
CALMLY = ["coup.launch-coup", "coup.take-income", "coup.pass"]


WAITS_FOR = """(seat) => {
  const { store } = document.querySelector("game-table");
  return !store.sending && store.view.cursor === store.items.at(-1)?.cursor && !!store.view.waiting?.seats.includes(seat);
}"""
SEAT = "document.querySelector('game-table').store.view.seat"
PLAYER = """() => {
  const { view, facts } = document.querySelector("game-table").store;
  return facts.chairs[view.seat].player;
}"""
SHOWING = """() => {
  self.shown = [];
  registration.showNotification = async (title, options) => void shown.push({ title, ...options });
}"""
"""What the worker shows is kept here: the browser of the tests shows no notifications."""
CLICKED = """async () => {
  const opened = [];
  clients.openWindow = async (address) => void opened.push(address);
  const work = [];
  const notification = { data: shown.at(-1).data, close() {} };
  const click = Object.assign(new Event("notificationclick"), { notification, waitUntil: (each) => work.push(each) });
  dispatchEvent(click);
  await Promise.all(work);
  return opened;
}"""


@pytest.fixture(scope="module")
def served() -> Iterator[Days]:
    """A running service, over as many days as a test lets pass."""
    with days(late) as running:
        yield running
        forget(running.url)


def sought(page: Page) -> None:
    """Seek a match of Coup for two, with a day for each decision, and wait in its waiting room."""
    now = page.locator(".play-now")
    now.get_by_label("Game").select_option("Coup")
    now.get_by_label("Players").select_option("2")
    now.get_by_label("Pace").select_option("A day a move")
    now.get_by_label("Wait at most").select_option("10 minutes")
    now.get_by_role("button", name="Find players").click()
    expect(page.locator(".seats .me")).to_be_visible()


def say(page: Page, phrase: str, heard: int) -> None:
    """Say a ready phrase, once a number of others are heard."""
    page.locator(".talk-button").click()
    expect(page.locator(".talk")).to_be_visible()
    expect(page.locator(".talk-said")).to_have_count(heard)
    page.locator(".talk").get_by_role("button", name=phrase).click()
    expect(page.locator(".talk-said")).to_have_count(heard + 1)


def played(page: Page, guests: Sequence[Client]) -> None:
    """Let a player answer in the browser, and guests at the same table over the API, until the match is over."""
    match = match_of(page)

    def over() -> bool:
        for guest in guests:
            answer(guest, match)
        return page.evaluate(ANSWER, CALMLY) == "over"

    wait(page, over)
    expect(page.locator(".result")).to_be_visible()


def match_of(page: Page) -> str:
    """Return the match that a page is at."""
    return page.evaluate("location.hash").split("/")[2]


def listed(served: Service, match: str) -> None:
    """Bring the lists up to date with a match."""
    served.do(served.known.projector.catch_up(shard_of(MatchId(match))))


def watched(watcher: Visitor, served: Service, match: str) -> Page:
    """Find a match in the lobby's list of those to watch, and look at it; what the page hears from then on is noted."""
    listed(served, match)
    page = watcher.visit("/")
    page.evaluate(LISTEN)
    page.get_by_role("region", name="Watch").locator(f"a.button[href$='{match}']").click()
    expect(page.locator(".watching")).to_be_visible()
    return page


def notified(page: Page, served: Days) -> None:
    """Let a player choose notices by push and by mail, with the code from a mail."""
    section = page.locator("section.notices")
    section.get_by_role("button", name="Hier Bescheid geben").click()
    expect(section).to_contain_text("Dieser Browser gibt dir Bescheid.")
    served.browser.server_key = page.evaluate("window.wish.applicationServerKey")
    section.get_by_label("Mail-Adresse").fill("bruno@cards.example")
    section.get_by_role("button", name="Code schicken").click()
    expect(section.get_by_label("Code aus der Mail")).to_be_visible()
    served.pass_ms(0)
    wait(page, lambda: len(served.mailbox.got) == 1)
    [code] = re.findall("[0-9]{8}", served.mailbox.got[0]["Subject"])
    section.get_by_label("Code aus der Mail").fill(code)
    section.get_by_role("button", name="Bestätigen").click()
    expect(section).to_contain_text("Mails gehen an bruno@cards.example.")
    served.mailbox.got.clear()


def comes_to(seat: int, page: Page) -> None:
    """Let a player answer until a seat is asked."""

    def waits() -> bool:
        page.evaluate(ANSWER, CALMLY)
        return page.evaluate(WAITS_FOR, seat)

    wait(page, waits)


def pushed(page: Page, served: Days, content: object) -> str:
    """Let a browser without a page get a push message; return where a click on what it shows leads."""
    [worker] = page.context.service_workers
    worker.evaluate(SHOWING)
    line = page.context.new_cdp_session(page)
    known: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(each["registrationId"] for each in told["registrations"]),
    )
    line.send("ServiceWorker.enable")
    wait(page, lambda: bool(known))
    message = {"origin": served.url, "registrationId": known[0], "data": json.dumps(content)}
    line.send("ServiceWorker.deliverPushMessage", message)
    wait(page, lambda: bool(worker.evaluate("shown.length")))
    [shown] = worker.evaluate("shown")
    assert (shown["title"], shown["body"]) == ("Coup: Du bist am Zug", "Deine Entscheidung ist gefragt. Zeit: 23 Stunden.")
    [address] = worker.evaluate(CLICKED)
    return address


def before_the_end(told: Sequence[Plain]) -> Sequence[Plain]:
    """Return what was heard before a match was over: from then on its cards are no secret."""
    return [*takewhile(lambda each: not isinstance(each, dict) or each.get("status") != "over", told)]


def over_days(one: Page, other: Page, served: Days, player: str) -> None:
    """Play on while one player has no page open, and comes by a push message on one day, and by a mail on the next."""
    one_seat, other_seat = one.evaluate(SEAT), other.evaluate(SEAT)
    comes_to(other_seat, one)
    served.pass_ms(DELAY_MS)  # of this decision, no one hears who sees it
    for day, (hours, left) in enumerate(((20, r"[34] h"), (23, r"[0-9]+ min")), start=1):
        comes_to(one_seat, other)
        other.goto("about:blank")
        served.gone(player)
        served.pass_ms(MINUTE_MS)
        comes_to(other_seat, one)
        served.pass_ms(DELAY_MS)
        wait(one, lambda day=day: min(len(served.shown()), len(served.mailbox.got)) >= day)
        assert (len(served.shown()), len(served.mailbox.got)) == (day, day)
        served.pass_ms(hours * HOUR_MS)
        one.reload()
        expect(one.locator(".board .seat.asked .seconds")).to_have_text(re.compile(left))
        mail = served.mailbox.got[-1].get_content()
        [link] = re.findall(r"http\S+/match/\S+", mail)
        assert "Zeit: 23 Stunden." in mail
        other.goto(pushed(other, served, served.shown()[-1].content) if day == 1 else link)
        expect(other.locator(".status")).to_contain_text("Du bist am Zug")
    assert len({each.content["tag"] for each in served.shown()}) == 2
    assert len({each["Message-ID"] for each in served.mailbox.got}) == 2


def met(one: Page, other: Page) -> str:
    """Let one player seek others, and another one join; return the match, in which they have said hello."""
    sought(one)
    other.reload()
    other.locator(".sought", has_text="Coup").get_by_role("button", name="Mitspielen").click()
    for page in (one, other):
        expect(page.locator(".tray .hand .face")).to_have_count(2)
    match = match_of(one)
    assert match_of(other) == match
    say(one, "Hello, everyone!", heard=0)
    say(other, "Hallo", heard=1)
    expect(one.locator(".talk-said")).to_have_count(2)
    for page in (one, other):
        page.keyboard.press("Escape")
    return match


def again(one: Page, other: Page, match: str) -> str:
    """Let both players of a match that is over play again; return the next one."""
    one.get_by_role("button", name="Play again").click()
    expect(one.locator(".wishes")).to_contain_text("Waiting for")
    other.get_by_role("button", name="Noch einmal").click()
    for page in (one, other):
        page.wait_for_function("(match) => !location.hash.includes(match)", arg=match)
        caught_up(page)
    assert match_of(other) == match_of(one)
    return match_of(one)


def test_strangers_find_each_other_talk_and_play_twice_while_a_third_watches(browser: Browser, served: Days) -> None:
    """One at a desk and one with a phone, over days: the one is there, and the other comes when a notice says that it is time."""
    ada = Visitor(browser, served.url, width=1440)
    bruno = Visitor(browser, served.url, width=390, height=844, language="de-DE", workers=True)
    bruno.context.add_init_script(subscribing(served.browser.subscription))
    zoe = Visitor(browser, served.url)
    one, other = ada.visit("/"), bruno.visit("/")
    match = met(one, other)
    player = other.evaluate(PLAYER)
    notified(bruno.visit("/me"), served)
    caught_up(bruno.visit(f"/match/{match}"))

    third = watched(zoe, served, match)
    expect(third.locator(".tray .hand")).to_have_count(0)
    say(third, "Good cards, everyone!", heard=0)
    third.keyboard.press("Escape")
    over_days(one, other, served, player)
    served.finish(match, random.Random(1))
    for page in (one, other):
        expect(page.locator(".result")).to_be_visible()
    expect(third.locator(".result")).to_contain_text("wins")
    assert own(before_the_end(heard(third))) == []
    expect(one.locator(".talk-button")).to_have_accessible_name("Chat")
    third.get_by_role("button", name="Replay").click()
    expect(third.locator(".replay .eyes option")).not_to_have_count(1)

    match = again(one, other, match)
    watched(zoe, served, match)
    served.finish(match, random.Random(1))
    for page in (one, other, third):
        expect(page.locator(".result")).to_be_visible()
    served.pass_ms(DELAY_MS)
    assert (len(served.shown()), len(served.mailbox.got)) == (2, 2)
    for each in (ada, bruno, zoe):
        each.close()


def looked_again(watcher: Visitor, match: str) -> Page:
    """Go to the lobby and come back, within the same page."""
    watcher.visit("/").wait_for_selector(".tile")
    return watcher.visit(f"/match/{match}")


def test_third_person_watches_a_minute_late(browser: Browser, served: Days) -> None:
    """Where players wish it: the match is among those to watch only then, and so is each of its moves."""
    with Client(served.url) as one, Client(served.url) as other:
        for client in (one, other):
            client.sign_up()
        match = one.open_match("coup", 2, spectators="delayed", clock={"turn_seconds": 86_400, "reaction_seconds": 86_400}).match
        other.take_seat(match)
        one.start(match)
        zoe = Visitor(browser, served.url)
        served.pass_ms(MINUTE_MS)
        third = watched(zoe, served, match)
        caught_up(third)
        before = third.evaluate("document.querySelector('game-table').store.items.length")
        for client in (one, other):
            if (question := client.view(match).question) is not None:
                client.play(match, question.decision, next(each for each in question.legal if each["type"] == CALMLY[1]))
                break
        late_by_a_minute = "(before) => document.querySelector('game-table')?.store?.items.length > before"
        caught_up(looked_again(zoe, match))
        assert not third.evaluate(late_by_a_minute, before)
        served.pass_ms(MINUTE_MS)
        looked_again(zoe, match).wait_for_function(late_by_a_minute, arg=before)
        assert own(heard(third)) == []
        zoe.close()


def test_tournament_of_eight_runs_to_its_end(browser: Browser, served: Days) -> None:
    """One opens it in a browser and plays there, three come over the API, four are bots; the last page says who won."""
    ada = Visitor(browser, served.url)
    page = ada.visit("/tournaments")
    page.get_by_label("Name of the tournament").fill("Cup of eight")
    page.get_by_label("Your name").fill("Ada")
    choices = page.locator(".wish > .fields select")
    for number, value in ((0, "Coup"), (1, "2"), (4, "4")):
        choices.nth(number).select_option(value)
    page.get_by_role("button", name="Open the tournament").click()
    expect(page.locator("h1")).to_have_text("Cup of eight")
    cup = page.url.rpartition("/")[2]
    clients = [Client(served.url) for _ in range(3)]
    for number, client in enumerate(clients):
        client.sign_up(f"Guest {number}")
        client.join_tournament(cup)
    expect(page.locator(".matches li")).to_have_count(8)
    page.get_by_role("button", name="Start the tournament").click()
    page.get_by_role("link", name="To your table").click()
    page.wait_for_selector(".board .seat")
    match = match_of(page)
    played(page, [each for each in clients if each.tournament(cup).facts.your_match == match])
    clients.append(Client(served.url, page.evaluate("localStorage.getItem('tafelrunde.token')")))
    page = ada.visit(f"/tournaments/{cup}")

    def over() -> bool:
        for client in clients:
            if (match := client.tournament(cup).facts.your_match) is not None:
                served.finish(match, random.Random(1))
        return clients[0].tournament(cup).facts.stage == "over"

    wait(page, over)
    page.reload()
    expect(page.locator(".tournament-page")).to_contain_text("over")
    expect(page.locator(".boards tbody tr")).to_have_count(8)
    expect(page.locator(".boards tr.me")).to_contain_text("Ada")
    for client in clients:
        client.close()
    ada.close()
