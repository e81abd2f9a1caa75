"""Replay of a finished match by keys, slider and buttons: every point shows the table as the service knows it then."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, over_http, settled, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-replay")]

END_OF_A_ROUND = """() => {
  const { stops } = document.querySelector("game-table").page.replay;
  return stops.findIndex(({ event }) => event.type.endsWith(".round-scored.1"));
}"""


@pytest.fixture(scope="module")
def finished(served: Service) -> Iterator[Party]:
    """A match of Meister Coup that is over."""
    with Party(served.url, "meister-coup", 3) as made:
        made.start().finish(served)
        yield made


@pytest.fixture
def page(visitor: Visitor, finished: Party) -> Page:
    """Its replay, at the beginning."""
    finished.seat(visitor.page, 0)
    page = visitor.visit(finished.address)
    page.locator("footer button", has_text="Replay").click()
    page.wait_for_selector(".replay .scrub")
    page.wait_for_selector(".replay .board:not([aria-busy=true])")
    caught_up(page)
    return page


def at(page: Page) -> int:
    """Return where the replay stands, from 0."""
    return int(page.locator(".scrub input").input_value())


def last(page: Page) -> int:
    """Return its last point."""
    return int(page.locator(".scrub input").get_attribute("max") or 0)


def go(page: Page, key: str) -> int:
    """Press a key and return where that leads."""
    page.keyboard.press(key)
    settled(page)
    return at(page)


def test_keys_step_jump_and_end(page: Page) -> None:
    """Arrows by one, brackets by tricks, Home and End; none of them leads out of the match. Escape leads back to the table."""
    end = last(page)
    assert at(page) == 0
    assert go(page, "ArrowLeft") == 0
    assert [go(page, "ArrowRight") for _ in range(3)] == [1, 2, 3]
    assert go(page, "ArrowLeft") == 2
    assert go(page, "End") == end
    assert go(page, "ArrowRight") == end
    assert go(page, "Home") == 0
    jumps = [go(page, "]") for _ in range(4)]
    assert jumps == sorted(set(jumps))
    assert any(after - before > 1 for before, after in itertools.pairwise(jumps))
    assert go(page, "[") == jumps[-2]
    page.keyboard.press("Escape")
    expect(page.locator(".result")).to_be_visible()


def test_replay_plays_by_itself_until_it_is_stopped(page: Page) -> None:
    """The space bar starts and stops it."""
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator(".scrub [aria-pressed=true]")).to_have_count(1)
    page.wait_for_function("() => document.querySelector('game-table').shadowRoot.querySelector('.scrub input').value >= 2")
    page.keyboard.press(" ")
    expect(page.locator(".scrub [aria-pressed=true]")).to_have_count(0)
    stopped = at(page)
    page.wait_for_timeout(1_400)
    assert at(page) == stopped


def test_end_of_a_round_is_drawn_with_its_own_view_only(page: Page) -> None:
    """As long as the view of the place before is there, no result is: that view need not have one."""
    caught_up(page)
    go(page, "Home")
    settled(page)
    page.route("**/view?*", lambda _: None)
    end = page.evaluate(END_OF_A_ROUND)
    assert end > 0, "three Meistercoups have ended the match in its first round"
    page.locator(".scrub input").fill(str(end))
    expect(page.locator(".replay .board")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".replay .round-result")).to_have_count(0)
    page.unroute_all()


def test_point_is_the_same_from_either_side(page: Page) -> None:
    """Forth and back: what is shown depends on the point alone."""
    slider, board, status = page.locator(".scrub input"), page.locator(".replay .board"), page.locator(".replay .status")
    middle = last(page) // 2
    slider.fill(str(middle))
    settled(page)
    there = board.inner_text(), status.inner_text()
    go(page, "End")
    assert (board.inner_text(), status.inner_text()) != there
    slider.fill(str(middle))
    settled(page)
    expect(status).to_have_text(there[1])
    expect(board).to_have_text(there[0], use_inner_text=True)


def test_replay_waits_for_the_point_that_its_address_names(browser: Browser, served: Service) -> None:
    """The table is there before all that has happened is: what comes later is looked back at all the same."""
    with Party(served.url, "coup", 2) as party:
        party.start().seat((visitor := Visitor(browser, served.url)).page, 0)
        over_http(visitor)
        party.finish(served)
        held: list[Route] = []
        visitor.page.route("**/stream", lambda route: held.append(route))  # noqa: PLW0108 - a mark is set on it
        items = party.clients[0].feed(party.match).items
        page = visitor.visit(f"{party.address}/{items[-1].n}")
        page.wait_for_selector(".result")
        page.locator("footer button", has_text="Replay").click()
        expect(page.locator(".replay .board[aria-busy=true]")).to_have_count(1)
        wait(page, lambda: bool(held))
        held.pop().continue_()
        expect(page.locator(".replay .status")).not_to_be_empty()
        caught_up(page)
        assert last(page) > 10
        visitor.close()


def test_replay_speaks_another_language_at_once(page: Page) -> None:
    """Including the events, which are not fetched again."""
    page.keyboard.press("End")
    expect(page.locator(".replay .status")).to_have_text("The match is over.")
    page.locator(".languages [lang=de]").click()
    expect(page.locator(".replay .status")).to_have_text("Die Partie ist zu Ende.")


def test_point_that_could_not_be_looked_at_is_asked_for_again(page: Page) -> None:
    """What went wrong is said until something is seen again, and is not kept for the next time."""
    refusal = {"status": 409, "title": "", "message": {"de": "Nicht jetzt.", "en": "Not now."}}
    page.route("**/view?at=*", lambda route: route.fulfill(status=409, json=refusal), times=1)
    page.keyboard.press("End")
    expect(page.locator(".notice")).to_have_text("Not now.")
    end = last(page)
    assert [go(page, key) for key in ("ArrowLeft", "ArrowRight")] == [end - 1, end]
    expect(page.locator(".notice")).to_have_count(0)
