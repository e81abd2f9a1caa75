"""The table over the socket, and over HTTP where none comes through: the same match, nothing lost and nothing doubled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

import pytest
from litestar.types import ASGIApp, Receive, Scope, Send
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect

from tafelrunde.client import View
from tests.support.served import Service, service
from tests.web.conftest import SOCKET, Visitor, commands_of, forget, wait
from tests.web.party import Party
from tests.web.test_line import HIDE, answers_of, shows_answers

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-line")]

PATIENT = """async () => {
  const { TIMES } = await import(new URL("core/socket.js", document.querySelector("script[type=module]").src));
  window.altered?.push(["core/socket.js", "TIMES"]);
  Object.assign(TIMES, { welcome: 1e9, silence: 1e9, answer: 1e9 });
}"""
"""However busy the machine is, the page does not go on without its socket."""
MOST_ANSWERS = 100


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """Two players of Coup, of whom the one in the browser begins."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as made:
        yield made.start()


class Seen:
    """What a page does from now on: the sockets that it opens, what carries its commands, and the streams that it reads."""

    def __init__(self, page: Page) -> None:
        self.lines: list[WebSocket] = []
        self.streams: list[str] = []
        self.commands = commands_of(page)
        page.on("websocket", lambda line: self.lines.append(line))  # noqa: PLW0108 - a mark is set on it
        page.on("request", lambda request: self.streams.append(request.url) if request.url.endswith("/stream") else None)


def sit(visitor: Visitor, party: Party) -> Page:
    """Let a visitor be the player of seat 0, with an open log, and all the patience of the world."""
    party.seat(visitor.page, 0)
    visitor.visit("/").wait_for_selector(".tile")
    visitor.page.evaluate(PATIENT)
    page = visitor.visit(party.address)
    page.locator(".log summary").click()
    return page


def asked(view: View) -> int | None:
    """Return the decision that waits for the viewer, if there is one."""
    return view.question.decision if view.question is not None and view.question.answered is None else None


def played_out(page: Page, party: Party) -> int:
    """Play to the end, the page for seat 0; return how many answers it gave."""
    for count in range(MOST_ANSWERS):
        if party.answer_until(lambda view: view.status != "running" or asked(view) is not None).status != "running":
            return count
        before = asked(party.view(0))
        party.shown(page)
        page.locator(".moves button:enabled").first.click()
        wait(page, lambda before=before: asked(party.view(0)) != before)
    raise AssertionError(page.locator(".status").inner_text())


def test_match_is_played_over_one_socket_when_it_comes_through(newcomer: Visitor, party: Party) -> None:
    """To its end: no command and no feed goes over HTTP, each answer is one frame, and the log is the feed."""
    seen = Seen(newcomer.page)
    page = sit(newcomer, party)
    answers = played_out(page, party)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    expect(page.locator(".result")).to_be_visible()
    assert answers > 1
    assert [line.url for line in seen.lines] == [f"{party.url.replace('http', 'ws')}/api/v1/socket"]
    assert seen.streams == []
    assert len(seen.commands) == answers
    assert all(json.loads(text)["signed"] for text in seen.commands)


def deaf(app: ASGIApp) -> ASGIApp:
    """Let no socket through to an app, as a proxy does that knows nothing of them."""

    async def without(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000, "reason": ""})
        else:
            await app(scope, receive, send)

    return cast("ASGIApp", without)


def test_match_is_played_over_http_when_no_socket_comes_through(browser: Browser) -> None:
    """The page tries once, says nothing of it, and plays to the end over requests and a stream."""
    with service(around=deaf) as running, Party(running.url, "coup", 2, options={"first_seat": 0}) as party:
        visitor = Visitor(browser, running.url, fresh=True)
        seen = Seen(visitor.page)
        page = sit(visitor, party.start())
        answers = played_out(page, party)
        expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
        assert answers > 1
        assert len(seen.lines) == 1
        assert len(seen.streams) == 1
        assert len(seen.commands) == answers
        assert all(text.startswith("http") for text in seen.commands)
        assert all("WebSocket" in each for each in visitor.complaints)
        visitor.complaints.clear()
        visitor.close()
        forget(running.url)


def test_command_is_given_once_when_the_socket_is_cut_before_its_answer(routed: Visitor, party: Party) -> None:
    """The command was carried out and its receipt lost: it is repeated over HTTP under its key, and the feed goes on."""
    lines: list[WebSocketRoute] = []

    def cut_first(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            if len(lines) == 1 and '"type":"receipt"' in str(text):
                server.close()
                line.close(code=1011)
            else:
                line.send(text)

        server.on_message(pass_on)

    routed.page.route_web_socket(SOCKET, cut_first)
    page = sit(routed, party)
    party.shown(page)
    with page.expect_request("**/commands*") as again:
        page.locator(".moves button").first.click()
    shows_answers(page, party, 1)
    assert again.value.headers["idempotency-key"]
    assert answers_of(party, 0) == 1
    party.answer_until_asked(0)
    expect(page.locator(".status.mine")).to_have_count(1)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    wait(page, lambda: len(lines) > 1)


def test_tab_out_of_sight_gives_its_socket_back(newcomer: Visitor, party: Party) -> None:
    """Visible again, it opens another one, which goes on behind the last item."""
    seen = Seen(newcomer.page)
    page = sit(newcomer, party)
    before = len(party.feed())
    expect(page.locator(".log summary")).to_have_text(f"Log ({before})")
    page.evaluate(HIDE, True)
    wait(page, seen.lines[0].is_closed)
    party.answer(0)
    page.evaluate(HIDE, False)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    assert len(seen.lines) == 2
    assert seen.streams == []
