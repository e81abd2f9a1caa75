"""Talk in the web client: two players at their table, and a spectator who does not hear them before the end."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Request, WebSocket, expect

from tafelrunde.client import Client
from tafelrunde.client.shapes import LineRef
from tests.support.served import Service, service
from tests.web.conftest import Visitor, caught_up, forget, wait
from tests.web.party import Party
from tests.web.test_socket import PATIENT, deaf
from tests.web.test_states import grave

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-talk")]


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """An open table of two."""
    with Party(served.url, "coup", 2, names=("Anna", "Bert")) as made:
        yield made


def entered(browser: Browser, party: Party, seat: int | None, width: int = 900, height: int = 900) -> Visitor:
    """Return a visitor at the table: the player of a seat, or a spectator."""
    visitor = Visitor(browser, party.url, width=width, height=height)
    if seat is not None:
        party.seat(visitor.page, seat)
    visitor.visit(party.address)
    expect(visitor.page.locator(".talk-button")).to_be_visible()
    return visitor


def opened(page: Page) -> None:
    """Open the panel."""
    page.locator(".talk-button").click()
    expect(page.locator(".talk")).to_be_visible()


def lines(page: Page) -> list[str]:
    """Return the lines that the panel shows."""
    return [re.sub(r"\s+", " ", each).strip() for each in page.locator(".talk-said").all_inner_texts()]


def test_players_talk_and_spectators_hear_them_after_the_end(browser: Browser, served: Service, party: Party) -> None:
    """In the waiting room and at the table; what is new is marked and said once, and each room is by itself."""
    anna, bert = entered(browser, party, 0), entered(browser, party, 1, width=360, height=640)
    watcher = entered(browser, party, None)
    opened(anna.page)
    anna.page.locator(".talk").get_by_role("button", name="Hello, everyone!").click()
    expect(anna.page.locator(".talk-said")).to_have_text("Hello, everyone!")
    expect(bert.page.locator(".talk-button")).to_have_attribute("aria-label", "Chat, 1 new")
    expect(bert.page.locator(".talk-heard")).to_have_text("Anna: Hello, everyone!")
    opened(bert.page)
    expect(bert.page.locator(".talk-button")).to_have_attribute("aria-label", "Chat")
    box = bert.page.locator(".talk").bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, 360, 640)
    bert.page.get_by_label("Your message").fill("Do you play <b>fast</b>?")
    bert.page.keyboard.press("Enter")
    expect(anna.page.locator(".talk-said").nth(1)).to_have_text("Do you play <b>fast</b>?")
    expect(bert.page.get_by_label("Your message")).to_have_value("")
    opened(watcher.page)
    watcher.page.locator(".talk").get_by_role("button", name="Good cards, everyone!").click()
    expect(watcher.page.locator(".talk-said")).to_have_text("Good cards, everyone!")
    party.start()
    party.finish(served)
    caught_up(anna.page)
    assert lines(anna.page) == ["Hello, everyone!", "Do you play <b>fast</b>?"]
    watcher.page.locator(".talk-rooms").get_by_role("button", name="At the table").click()
    expect(watcher.page.locator(".talk-said")).to_have_count(2)
    assert lines(watcher.page) == lines(anna.page)
    expect(watcher.page.get_by_label("Your message")).to_have_count(0)
    for each in (anna, bert, watcher):
        each.close()


HELD = """
window.held = [];
window.later = setTimeout;
window.setTimeout = (act, ms, ...more) => (ms === 3000 ? window.held.push(act) : window.later(act, ms, ...more));
"""
"""What is to happen after three seconds waits until it is let go."""


class Ways:
    """What a page uses from now on: sockets, the rooms heard on them, streams, and requests by which something is said."""

    def __init__(self, page: Page) -> None:
        self.lines: list[str] = []
        self.rooms: list[str] = []
        self.streams: list[str] = []
        self.said: list[str] = []
        page.on("websocket", self._open)
        page.on("request", self._note)

    def _open(self, line: WebSocket) -> None:
        self.lines.append(line.url)
        line.on("framereceived", lambda text: self.rooms.append(str(text)) if '"type":"listening"' in str(text) else None)

    def _note(self, request: Request) -> None:
        if "/stream" in request.url:
            self.streams.append(request.url)
        elif request.method == "POST" and request.url.endswith("/talk"):
            self.said.append(request.url)


def talk_together(browser: Browser, party: Party, *, fresh: bool = False) -> tuple[Ways, list[str]]:
    """Let a page hear the other seat and answer; return how it did, and what went wrong."""
    anna = Visitor(browser, party.url, fresh=fresh)
    ways = Ways(anna.page)
    party.seat(anna.page, 0)
    anna.visit("/").wait_for_selector(".tile")
    anna.page.evaluate(PATIENT)
    anna.visit(party.address)
    opened(anna.page)
    expect(anna.page.locator(".talk-note")).to_be_visible()
    for count, name in enumerate(("Hello, everyone!", "Good cards, everyone!")):
        wait(anna.page, lambda: bool(ways.rooms) or any("/talk" in each for each in ways.streams))
        party.clients[1].say(party.match, text=f"line {count}")
        expect(anna.page.locator(".talk-said").nth(2 * count)).to_have_text(f"line {count}")
        anna.page.locator(".talk").get_by_role("button", name=name).click()
        expect(anna.page.locator(".talk-said").nth(2 * count + 1)).to_have_text(name)
        if not count:
            party.start()
    complaints = list(anna.complaints)
    anna.complaints.clear()
    anna.close()
    return ways, complaints


def test_table_and_its_talk_share_one_socket(browser: Browser, party: Party) -> None:
    """What is said, what is heard and the match itself, in the waiting room and at the table; no stream is read."""
    ways, complaints = talk_together(browser, party)
    assert ways.lines == [f"{party.url.replace('http', 'ws')}/api/v1/socket"]
    assert ways.streams == ways.said == complaints == []


def test_talk_goes_on_over_http_when_no_socket_comes_through(browser: Browser) -> None:
    """The page tries once, and hears the match and its talk by a stream each."""
    with service(around=deaf) as running, Party(running.url, "matchmaster", 2, names=("Anna", "Bert")) as party:
        ways, complaints = talk_together(browser, party, fresh=True)
        assert (len(ways.lines), len(ways.said)) == (1, 2)
        assert {each.rsplit(party.match)[-1] for each in ways.streams} == {"/stream", "/talk/stream?room=table"}
        assert all("WebSocket" in each for each in complaints)
        forget(running.url)


def test_reaction_is_shown_at_its_seat_for_a_moment(browser: Browser, party: Party) -> None:
    """Three seconds, wherever the seat is drawn; the panel need not be open, and nothing counts as new."""
    anna, bert = entered(browser, party, 0), entered(browser, party, 1)
    party.start()
    anna.first(HELD)
    anna.page.reload()
    for each in (anna, bert):
        caught_up(each.page)
    opened(bert.page)
    button = anna.page.locator(".talk-button")
    party.clients[1].say(party.match, phrase="hello")
    expect(button).to_have_attribute("aria-label", "Chat, 1 new")
    bert.page.locator(".talk").get_by_role("button", name="Applause").click()
    shown = anna.page.locator(".reactions .applause")
    expect(shown).to_be_visible()
    seat, reaction = anna.page.locator('[data-anchor="seat:1"]').first.bounding_box(), shown.bounding_box()
    assert seat is not None
    assert reaction is not None
    assert abs(seat["x"] + seat["width"] / 2 - reaction["x"] - reaction["width"] / 2) < 2
    assert abs(seat["y"] - reaction["y"]) < reaction["height"]
    expect(anna.page.locator(".talk-heard p").last).to_have_text("Bert: Applause")
    expect(button).to_have_attribute("aria-label", "Chat, 1 new")
    anna.page.evaluate("held.splice(0).forEach((act) => act())")
    expect(shown).to_have_count(0)
    for each in (anna, bert):
        each.close()


def test_player_is_muted_and_a_line_is_reported(browser: Browser, served: Service, party: Party) -> None:
    """From the menu of a line; the muted one is heard again when that is wanted."""
    anna = entered(browser, party, 0)
    opened(anna.page)
    party.clients[1].say(party.match, text="You play badly")
    anna.page.get_by_label("More about Bert").click()
    anna.page.get_by_role("button", name="an insult").click()
    expect(anna.page.locator(".talk-more [role=status]")).to_have_text("Reported. Thank you!")
    with Client(served.url, served.master) as operator:
        assert [(each.said, each.reason) for each in operator.reports()] == [("You play badly", "insult")]
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator(".talk")).to_have_count(0)
    expect(anna.page.locator(".talk-button")).to_be_focused()
    opened(anna.page)
    anna.page.get_by_label("More about Bert").click()
    anna.page.get_by_role("button", name="Mute Bert").click()
    expect(anna.page.locator(".talk-said")).to_have_count(0)
    party.clients[1].say(party.match, text="Still badly")
    party.clients[0].say(party.match, text="Quiet here")
    expect(anna.page.locator(".talk-said")).to_have_text(["Quiet here"])
    anna.page.get_by_role("button", name="Hear Bert again").click()
    expect(anna.page.locator(".talk-said")).to_have_text(["You play badly", "Still badly", "Quiet here"])
    anna.close()


@pytest.mark.parametrize(("width", "height", "scheme"), [(360, 640, "dark"), (1280, 800, "light")])
def test_panel_can_be_used_by_all(
    browser: Browser, party: Party, width: int, height: int, scheme: Literal["light", "dark"]
) -> None:
    """Nothing in it is grave for axe, in a small window or a large one; it is within the window, and by keys alone."""
    anna = entered(browser, party, 0, width, height)
    page = anna.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for what in ({"phrase": "close-call"}, {"reaction": "heart"}, {"text": "W" * 280}):
        party.clients[1].say(party.match, **what)
    expect(page.locator(".talk-button")).to_have_attribute("aria-label", "Chat, 2 new")
    page.locator(".talk-button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your message")).to_be_focused()
    expect(page.locator(".talk-said")).to_have_count(3)
    page.locator(".talk-more summary").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="something else")).to_be_visible()
    assert grave(page, contrast=True) == []
    box = page.locator(".talk").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    page.keyboard.press("Escape")
    expect(page.locator(".talk-button")).to_be_focused()
    anna.close()


def test_talk_is_not_there_where_one_plays_alone(browser: Browser, served: Service) -> None:
    """Against computers, there is no one to talk to, and the service is not asked for any talk."""
    visitor = Visitor(browser, served.url)
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url) if "/talk" in request.url else None)
    page = visitor.begin("matchmaster", seats=2)
    caught_up(page)
    expect(page.locator(".talk-button")).to_have_count(0)
    assert not asked
    visitor.close()


def test_hidden_line_and_silenced_player_are_shown_in_the_panel(browser: Browser, served: Service, party: Party) -> None:
    """A tombstone for those who had read the line, and for its author until when and why it may not write."""
    anna, bert = entered(browser, party, 0), entered(browser, party, 1)
    opened(anna.page)
    opened(bert.page)
    bert.page.get_by_label("Your message").fill("an insult")
    bert.page.keyboard.press("Enter")
    expect(anna.page.locator(".talk-said")).to_have_text("an insult")
    with Client(served.url, served.master) as operator:
        why = "Please stay friendly."
        line = LineRef(match=party.match, room="table", n=1)
        operator.create_moderation_act("hide-line", why, line=line)
        for page in (anna.page, bert.page):
            expect(page.locator(".talk-said")).to_have_text("This message was removed by a moderator.")
        author = party.clients[1].talk(party.match).items[0].author.player
        operator.create_moderation_act("silence", why, player=author, until_ms=int(time.time() * 1000) + 86_400_000)
    bert.page.get_by_label("Your message").fill("another one")
    bert.page.keyboard.press("Enter")
    expect(bert.page.locator(".talk .reason")).to_contain_text("You may not write until")
    expect(bert.page.locator(".talk .reason")).to_contain_text("Please stay friendly.")
