"""The default limits, as a player meets them who is as quick as the bots and takes every hint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Response

from tafelrunde.service.ports.quotas import WINDOW_SECONDS, Quota
from tafelrunde.service.settings import Settings
from tests.support.served import service
from tests.web.conftest import Visitor, forget, wait

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-budget")]

SHARE = 5
"""A budget holds no more than this part of a minute's, gained as fast: it is empty sooner, and a short match shows as much."""
HINTS = 60 // SHARE + 3
"""More hints than the whole of such a budget pays for."""
ASKED = """(last) => {
  const { page, store } = document.querySelector("game-table");
  page.stage.skip();
  const { question, status } = store.view;
  if (status !== "running") return { decision: last };
  return question && question.answered === null && question.decision > last && !store.sending
    ? { decision: question.decision, choice: question.legal.length > 1 } : null;
}"""
HINTED = "(decision) => document.querySelector('game-table').page.hints.found?.decision === decision"
ANSWER = """() => {
  const { page, store } = document.querySelector("game-table");
  const { legal } = store.view.question;
  page.give(legal.findLast(({ type }) => !type.endsWith(".drop-out")) ?? legal[0]);
}"""


class Clock:
    """The time that has gone by for the budgets: as long as the bots' pauses were, however fast or slow this machine is."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    """Time in which each decision takes as long as a bot pauses before it."""
    return Clock()


def small(name: str, quota: int) -> Quota:
    """Return a budget that holds a share of a minute's, and gains as fast."""
    assert quota % SHARE == 0
    return Quota(name, quota // SHARE, WINDOW_SECONDS // SHARE)


@pytest.fixture
def player(browser: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visitor]:
    """A visitor of a service with the default limits, of which no more than a share can be used at once."""
    monkeypatch.setattr("tafelrunde.api.http.rate_limits.Quota", small)
    with service(budget_ms=clock) as running:
        made = Visitor(browser, running.url)
        yield made
        made.close()
        forget(running.url)


def test_quick_player_with_hints_meets_no_limit(player: Visitor, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against one computer, with a hint at each decision, answered at once, and all motion shown: nothing is refused."""
    monkeypatch.setattr("tafelrunde.service.features.bots.hints.DEPTH", 2)  # how long a search takes is not what is tested
    refused: list[str] = []
    player.page.on("response", lambda found: refused.append(told(found)) if found.status == 429 else None)
    player.page.on("websocket", lambda line: line.on("framereceived", note))

    def note(text: str | bytes) -> None:
        if '"status":429' in str(text):
            refused.append(str(text))

    hints = 0
    while hints < HINTS:
        page = player.visit("/")
        page.locator("[data-game=mondkrone] .choose").click()
        page.locator("#wish select").first.select_option("2")
        page.locator("#wish summary").click()
        page.locator("#wish .check", has_text="hints").click()
        page.locator("#wish .main").click()
        page.wait_for_selector(".board .seat")
        page.emulate_media(reduced_motion="no-preference")
        last = 0
        while (asked := page.wait_for_function(ASKED, arg=last).json_value())["decision"] > last and hints < HINTS:
            clock.ms += Settings().bot_pause_ms * (asked["decision"] - last)
            last = asked["decision"]
            if asked["choice"]:
                page.keyboard.press("h")
                wait(page, lambda page=page, at=last: bool(refused) or page.evaluate(HINTED, at))
                hints += 1
            assert refused == []
            page.evaluate(ANSWER)


def told(found: Response) -> str:
    """Return what was refused, and which budget was empty."""
    return f"{found.request.method} {found.url} {found.headers.get('ratelimit')}"
