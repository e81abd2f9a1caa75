"""The table over a socket, and over HTTP where a socket does not get through: at first, or in the middle of a match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, WebSocket, WebSocketRoute, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-socket")]


class Ways:
    """What a page has asked, by which way."""

    def __init__(self, page: Page) -> None:
        self.posts = 0
        self.streams = 0
        self.sockets: list[WebSocket] = []
        self.frames: list[str] = []
        page.on("request", self._asked)
        page.on("websocket", self._opened)

    def _asked(self, request: Request) -> None:
        path = urlsplit(request.url).path
        self.posts += path.endswith("/commands")
        self.streams += path.endswith("/stream")

    def _opened(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framesent", lambda text: self.frames.append(json.loads(text)["type"]))


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """Two players of Coup, who can do something for a while."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as made:
        yield made.start()


def play_on(page: Page, party: Party, times: int) -> None:
    """Answer in the page whenever it is asked, and for the other seat over HTTP."""
    for _ in range(times):
        party.answer_until_asked(0)
        if party.view(0).status != "running":
            break
        before = len(party.feed())
        party.shown(page)
        page.locator(".moves button").first.click()
        wait(page, lambda count=before: len(party.feed()) > count)
    page.locator(".log summary").click()
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")


def visit(browser: Browser, party: Party) -> tuple[Visitor, Page, Ways]:
    """Return a visitor on a fresh page, what it asks, and its page."""
    visitor = Visitor(browser, party.url, fresh=True)
    party.seat(visitor.page, 0)
    return visitor, visitor.page, Ways(visitor.page)


def test_commands_and_items_go_over_one_socket(browser: Browser, party: Party) -> None:
    """No command is a request, and no stream is opened; the policy of the page allows the connection."""
    visitor, page, ways = visit(browser, party)
    visitor.visit(party.address)
    play_on(page, party, 3)
    assert len(ways.sockets) == 1
    assert ways.frames[:2] == ["hello", "subscribe"]
    assert "command" in ways.frames
    assert (ways.posts, ways.streams) == (0, 0)
    visitor.close()


def test_page_plays_over_http_when_no_socket_gets_through(browser: Browser, party: Party) -> None:
    """A proxy that forbids the upgrade: the page asks for the stream at once, and tries no second time."""
    visitor, page, ways = visit(browser, party)
    tried: list[WebSocketRoute] = []

    def refuse(route: WebSocketRoute) -> None:
        tried.append(route)
        route.close(code=1011, reason="no upgrade")

    page.route_web_socket("**/api/v1/socket", refuse)
    visitor.visit(party.address)
    play_on(page, party, 3)
    assert len(tried) == 1
    assert ways.posts > 0
    assert ways.streams == 1
    visitor.close()


def test_page_goes_on_over_http_when_its_socket_is_lost_and_lost_again(browser: Browser, party: Party) -> None:
    """In the middle of a match: nothing is missing and nothing is there twice, and commands are requests from then on."""
    visitor, page, ways = visit(browser, party)
    open_now: list[WebSocketRoute] = []
    broken: list[bool] = []

    def pass_on(route: WebSocketRoute) -> None:
        if broken:
            route.close(code=1011, reason="gone")
        else:
            route.connect_to_server()
            open_now.append(route)

    page.route_web_socket("**/api/v1/socket", pass_on)
    visitor.visit(party.address)
    play_on(page, party, 2)
    assert (ways.posts, ways.streams) == (0, 0)
    broken.append(True)
    open_now[-1].close(code=1011, reason="gone")
    wait(page, lambda: ways.streams == 1)
    page.locator(".log summary").click()
    play_on(page, party, 2)
    assert ways.posts > 0
    assert ways.streams == 1
    visitor.close()


def test_page_opens_another_socket_when_one_is_lost(browser: Browser, party: Party) -> None:
    """Once is no reason for HTTP: what happened meanwhile comes over the next one."""
    visitor, page, ways = visit(browser, party)
    opened: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        route.connect_to_server()
        opened.append(route)

    page.route_web_socket("**/api/v1/socket", pass_on)
    visitor.visit(party.address)
    play_on(page, party, 1)
    opened[0].close(code=1012, reason="restart")
    wait(page, lambda: len(opened) == 2)
    page.locator(".log summary").click()
    play_on(page, party, 2)
    assert (ways.posts, ways.streams) == (0, 0)
    visitor.close()
