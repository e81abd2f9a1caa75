"""A lost line: a server that is killed and comes back, a network that is gone, slow or dead, two tabs, two clicks.

Nothing is lost, nothing is doubled, and one line says what is going on.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.processes import Serve
from tests.support.served import Service
from tests.support.servers import free_port, need
from tests.web.conftest import Visitor, commands_of, over_http, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-line")]

BUSY = "The service is busy – trying again in a moment …"
LOST = "Connection lost – trying again …"
CAUGHT = "Reconnected: caught up on {} events."
ANSWER = re.compile(r"\.(action-declared|passed|claim-challenged|action-blocked|cards-returned)\.")
SAFE = re.compile(r"Income|Pass\s*$")
"""What leads to no other question of the same turn, whatever cards were dealt."""


def seat(browser: Browser, party: Party, number: int = 0, *, http: bool = False) -> tuple[Visitor, Page]:
    """Let a browser take a seat's place, with an open log. *http*: where no socket comes through."""
    visitor = Visitor(browser, party.url)
    if http:
        over_http(visitor)
    party.seat(visitor.page, number)
    page = visitor.visit(party.address)
    page.locator(".log summary").click()
    return visitor, page


def answers_of(party: Party, seat: int) -> int:
    """Return how many answers of a seat the match knows."""
    return sum(bool(ANSWER.search(item.event["type"])) and item.event["seat"] == seat for item in party.feed())


def shows_answers(page: Page, party: Party, count: int) -> None:
    """Wait until the match has that many answers of seat 0, and the page all of the feed. The page may be asked again at once."""
    wait(page, lambda: answers_of(party, 0) >= count or party.view(0).status != "running")
    assert answers_of(party, 0) >= count
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")


@pytest.fixture
def party(served: Service) -> Iterator[Party]:
    """Two players of Coup, who can do something for a while."""
    with Party(served.url, "coup", 2, options={"first_seat": 1}) as made:
        yield made.start()


def test_dropped_network_loses_and_doubles_nothing(browser: Browser, party: Party) -> None:
    """One line says that the line is lost, then how much was caught up; the log is the feed."""
    visitor, page = seat(browser, party)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    visitor.context.set_offline(True)
    expect(page.locator(".notice")).to_have_text(LOST)
    before = len(party.feed())
    party.answer_until_asked(0)
    after = len(party.feed())
    assert after - before > 1
    visitor.context.set_offline(False)
    expect(page.locator(".notice")).to_have_text(CAUGHT.format(after - before))
    expect(page.locator(".log summary")).to_have_text(f"Log ({after})")
    expect(page.locator(".status.mine")).to_have_count(1)
    visitor.close()


def test_banner_goes_away_when_nothing_was_missed(browser: Browser, party: Party) -> None:
    """There is nothing to say then."""
    visitor, page = seat(browser, party)
    party.shown(page)
    expect(page.locator(".status")).to_have_text("Player 1's turn: choosing an action.")
    visitor.context.set_offline(True)
    expect(page.locator(".notice")).to_have_text(LOST)
    visitor.context.set_offline(False)
    expect(page.locator(".notice")).to_have_count(0)
    visitor.close()


def test_command_is_given_once_when_its_answer_is_lost(browser: Browser, party: Party) -> None:
    """The client repeats it under the same key: the service does it once, and the page goes on."""
    party.answer_until_asked(0)
    visitor, page = seat(browser, party, http=True)
    sent: list[str] = []

    def lose_first(route: Route) -> None:
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/commands*", lose_first)
    page.locator(".moves button").first.click()
    wait(page, lambda: len(sent) > 1 and answers_of(party, 0) > 0)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    assert len(set(sent)) == 1
    assert answers_of(party, 0) == 1
    visitor.complaints = [each for each in visitor.complaints if "ERR_FAILED" not in each]
    visitor.close()


def test_table_says_that_it_waits_when_the_service_is_busy(browser: Browser, party: Party) -> None:
    """Asked to come back later, the page says so until its answer is taken, and gives it once."""
    party.answer_until_asked(0)
    visitor, page = seat(browser, party, http=True)
    sent: list[Route] = []

    def refuse_first(route: Route) -> None:
        sent.append(route)
        if len(sent) == 1:
            route.fulfill(status=429, headers={"retry-after": "1"}, json={"status": 429, "title": "Too many requests."})

    page.route("**/commands*", refuse_first)
    page.locator(".moves button").first.click()
    expect(page.locator(".notice")).to_have_text("The limit for this minute is reached. It goes on in 1 s.")
    wait(page, lambda: len(sent) == 2)
    expect(page.locator(".notice")).to_have_text(BUSY)
    sent[1].continue_()
    shows_answers(page, party, 1)
    expect(page.locator(".notice")).to_have_count(0)
    assert sent[0].request.headers["idempotency-key"] == sent[1].request.headers["idempotency-key"]
    visitor.complaints = [each for each in visitor.complaints if "429" not in each]
    visitor.close()


def test_double_click_answers_once(browser: Browser, party: Party) -> None:
    """The second half of a double click answers nothing, neither this question nor the next one at the same place."""
    party.answer_until_asked(0)
    visitor, page = seat(browser, party)
    page.goto("about:blank")
    sent = commands_of(page)
    visitor.visit(party.address)
    page.locator(".log summary").click()
    page.locator(".moves button").first.dblclick()
    shows_answers(page, party, 1)
    assert len(sent) == 1
    assert answers_of(party, 0) == 1
    visitor.close()


def test_two_tabs_of_one_player_show_the_same(browser: Browser, party: Party) -> None:
    """Either may answer; the other follows, and a late answer there does nothing."""
    party.answer_until_asked(0)
    visitor, page = seat(browser, party)
    other = visitor.context.new_page()
    other.goto(f"{visitor.url}/#{party.address}")
    party.shown(other)
    page.locator(".moves button", has_text=SAFE).first.click()
    shows_answers(other, party, 1)
    party.answer_until_asked(0)
    for each in (page, other):
        party.shown(each)
        expect(each.locator(".status.mine")).to_have_count(1)
    other.locator(".moves button", has_text=SAFE).first.click()
    shows_answers(page, party, 2)
    assert answers_of(party, 0) == 2
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    visitor.close()


def test_slow_network_plays_on(browser: Browser, party: Party) -> None:
    """At 400 ms and 50 kB/s: the answer is given once, and the table follows."""
    party.answer_until_asked(0)
    visitor, page = seat(browser, party, http=True)
    emulated = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    visitor.context.new_cdp_session(page).send("Network.emulateNetworkConditions", emulated)
    held: list[Route] = []
    page.route("**/commands*", lambda route: held.append(route))  # noqa: PLW0108 - a mark is set on it
    page.locator(".moves button").first.click()
    expect(page.locator(".moves button[aria-disabled=true]").first).to_be_visible()
    held.pop().continue_()
    shows_answers(page, party, 1)
    party.answer_until_asked(0)
    expect(page.locator(".status.mine")).to_have_count(1)
    assert answers_of(party, 0) == 1
    assert page.locator(".notice").count() == 0
    visitor.close()


def test_dead_line_is_noticed_when_nothing_comes(browser: Browser, party: Party) -> None:
    """It is never closed; but the service pings, and after 40 silent seconds the client reconnects."""
    visitor = Visitor(browser, party.url, fresh=True)
    over_http(visitor)
    party.seat(visitor.page, 0)
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1_000)  # however busy the machine is, no silence counts but this test's
    opened: list[str] = []
    visitor.page.on("request", lambda request: opened.append(request.url) if request.url.endswith("/stream") else None)
    page = visitor.visit(party.address)

    def open_and_drawn() -> bool:
        page.clock.run_for(5)
        return page.locator(".board .seat").count() == 2 and len(opened) == 1

    wait(page, open_and_drawn)
    page.clock.run_for(25_000)
    assert len(opened) == 1

    def again() -> bool:
        page.clock.run_for(20_000)  # more than goes by between two pings
        return len(opened) > 1

    wait(page, again)
    visitor.close()


HIDE = """async (...all) => {
  const { HIDDEN } = await import(new URL("core/hidden-tab.js", document.querySelector("script[type=module]").src));
  Object.assign(HIDDEN, { after: 100, every: 100 });
  for (const hidden of all.flat()) {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }
}"""


def test_tab_out_of_sight_gives_its_stream_back(browser: Browser, party: Party) -> None:
    """Its title still shows whose turn it is; visible again, it catches up."""
    visitor, page = seat(browser, party, http=True)
    before = len(party.feed())
    expect(page.locator(".log summary")).to_have_text(f"Log ({before})")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/stream")):
        page.evaluate(HIDE, True)
    party.answer_until_asked(0)
    after = len(party.feed())
    expect(page).to_have_title(re.compile("^●"))
    assert page.locator(".log summary").inner_text() == f"Log ({before})"
    with page.expect_request("**/stream") as opened:
        page.evaluate(HIDE, False)
    expect(page.locator(".notice")).to_have_text(CAUGHT.format(after - before))
    expect(page.locator(".log summary")).to_have_text(f"Log ({after})")
    assert opened.value.headers["last-event-id"] == party.feed()[before - 1].cursor
    visitor.close()


def test_tab_out_of_sight_for_a_moment_keeps_its_stream(browser: Browser, party: Party) -> None:
    """Looking elsewhere for a moment is no reason to connect again."""
    visitor, page = seat(browser, party)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if request.url.endswith("/stream") else None)
    page.on("websocket", lambda line: opened.append(line.url))
    page.evaluate(HIDE, [True, False])  # at once: no stall of the machine makes more than a moment of it
    page.wait_for_timeout(300)
    party.answer_until_asked(0)
    expect(page.locator(".log summary")).to_have_text(f"Log ({len(party.feed())})")
    assert opened == []
    visitor.close()


def test_killed_server_loses_and_doubles_nothing(browser: Browser, short_path: Path) -> None:
    """Killed in all its parts and started again on the same data: one line says so; what was answered meanwhile comes after."""
    need("valkey")
    settings = {"port": free_port(), "bot_pause_ms": 0}
    with Serve(short_path, **settings) as first, Party(first.url, "coup", 2, options={"first_seat": 0}) as party:
        visitor, page = seat(browser, party.start())
        expect(page.locator(".status.mine")).to_have_count(1)
        before = len(party.feed())
        first.stop(signal.SIGKILL)
        expect(page.locator(".notice")).to_have_text(LOST)
        page.locator(".moves button").first.click()
        with Serve(short_path, **settings):
            expect(page.locator(".status")).not_to_have_class(re.compile("mine"))
            expect(page.locator(".notice", has_text=LOST)).to_have_count(0)
            shows_answers(page, party, 1)
            assert answers_of(party, 0) == 1
            party.answer_until_asked(0)
            expect(page.locator(".status.mine")).to_have_count(1)
            after = party.feed()
            assert len(after) > before
            assert [item.n for item in after] == sorted({item.n for item in after})
            expect(page.locator(".log summary")).to_have_text(f"Log ({len(after)})")
        visitor.context.close()
    assert all("Failed to load" in each or "ERR_" in each for each in visitor.complaints)
