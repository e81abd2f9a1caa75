"""`python -m bench.views`: measure when a visitor sees something, is answered, and how evenly cards fly, in its checkout.

It prints JSON, for `bench.web`, which also runs it in another checkout, to compare two trees on one machine: so it uses
nothing of `bench` but what has long been there. Loads are those of a first visit, with an empty cache, in a window of 1280 x
800; beside them, those of a plain page of text that the same service sends in one piece. Interactions go from a click or a key
to the next paint, as the browser measures it (event timing), with the processor slowed down four times, while things move: at a
table of Stich-Meister with a hand of 16 cards, and at one of Coup. Frames are measured just so, while cards fly at a table of
Meister Coup, where every click plays one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from bench.browser import browser_here
from bench.scale import size, sized
from bench.service import serving
from bench.web import ARGUMENTS, OPTIONS, Table, click, measured, seated

LOADS = size(5, 1)
HANDS = size(4, 1)
PLAYED = size(4, 2)
"""Cards that are played of each hand; those of the others fly as well."""
FLYING = "meister-coup"
OPTIONS.setdefault(FLYING, {})
PLAIN = "/problems/"
"""A page without scripts."""
ROUNDS = size(32, 1)
CARDS = 16
CLICKED = size(CARDS, 1)
MATCHES = size(4, 1)
ANSWERED = size(8, 2)
CARD = "stich-meister.play-card"
PLAYED_ON = "(decision) => document.querySelector('game-table').page.store.view.question?.decision !== decision"
"""Whether a table that asked that no longer does."""
ASKED = """(decision) => {
  const { stage, store } = document.querySelector("game-table").page;
  return store.view.question?.decision === decision && !stage.busy && !stage.justEnded;
}"""
"""Whether the table asks that, shows nothing else before it, and takes a click for an answer."""
PAINTED = """() => new Promise((done) => {
  let [last, shift] = [0, 0];
  const seen = (type, hear) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({ type, buffered: true });
  seen("largest-contentful-paint", (each) => { last = each.startTime; });
  seen("layout-shift", (each) => { if (!each.hadRecentInput) shift += each.value; });
  setTimeout(() => done([last, shift]), 1500);
})"""
"""The largest contentful paint in milliseconds, and the sum of all layout shifts, a second and a half after the page is there."""
COUNT = """() => {
  window.frames_ms = [];
  let last = null;
  const each = (now) => {
    const { stage } = document.querySelector("game-table").page;
    const flies = stage.flight.animations.some(({ playState }) => playState === "running");
    if (flies && last !== null) window.frames_ms.push(now - last);
    last = flies ? now : null;
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
}"""
"""Take down the time between frames, as long as something flies."""


class Views(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured in one checkout. Times in milliseconds, sorted; `shift` is the worst sum of layout shifts of a page."""

    lobby_ms: Sequence[float]
    table_ms: Sequence[float]
    plain_ms: Sequence[float]
    shift: float
    interactions: Mapping[str, Sequence[float]]
    """From each kind of click or key to the next paint; the kind begins with the game."""
    frames_ms: Sequence[float]


def painted(browser: Browser, address: str, selector: str, token: str | None = None) -> tuple[list[float], float]:
    """Load an address with an empty cache, several times; return when it was painted, and the worst shift."""
    times: list[float] = []
    shifts: list[float] = []
    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        if token is not None:
            context.add_init_script(f"localStorage.setItem('tafelrunde.token', {token!r})")
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(selector)
        last, shift = page.evaluate(PAINTED)
        times.append(round(last, 1))
        shifts.append(round(shift, 4))
        context.close()
    return sorted(times), max(shifts)


def interactions(browser: Browser, url: str) -> Mapping[str, Sequence[float]]:
    """Measure clicks and keys at both tables; return the times by what was clicked or pressed."""
    found: dict[str, Sequence[float]] = {}

    def note(page: Page, kind: str, times: int, act: Callable[[], None]) -> None:
        found[kind] = sorted([*found.get(kind, ()), *measured(page, kind, times, act).times_ms])

    table = Table(url, "stich-meister")
    with seated(browser, url, table) as page:
        page.locator(".hand .card").nth(CARDS - 1).wait_for()
        assert page.locator(".hand .card").count() == CARDS
        note(page, "Stich-Meister, key: focus to the next card", ROUNDS, lambda: page.keyboard.press("Tab"))
        note(page, "Stich-Meister, key: unfold the last trick", ROUNDS, lambda: page.keyboard.press("l"))
        note(page, "Stich-Meister, click: choose a card to pass on", ROUNDS, lambda: click(page, ".hand .card"))
        note(page, "Stich-Meister, click: play a card", CLICKED, partial(play, page, table))
    for number in range(MATCHES):
        court = Table(url, "coup")
        with seated(browser, url, court) as page:
            note(page, "Coup, click or key: answer", ANSWERED, answers(page, court))
            if number == MATCHES - 1:  # the order answers from now on
                note(page, "Coup, click: an order", ROUNDS, partial(click, page, ".orders button:enabled"))
    return found


def play(page: Page, table: Table) -> None:
    """Play a card once it is the browser's turn; what is asked before that (which cards to pass on) is answered for it."""
    table.until_asked()
    client = table.clients[0]
    while (question := client.view(table.match).question) is not None and question.legal[0]["type"] != CARD:
        client.play(table.match, question.decision, question.legal[0])
        table.until_asked()
    assert question is not None, "the match has ended"
    page.wait_for_function(ASKED, arg=question.decision)
    card = page.locator(".hand .legal").first
    card.scroll_into_view_if_needed()
    click(page, card)
    page.wait_for_function(PLAYED_ON, arg=question.decision)


def answers(page: Page, table: Table) -> Callable[[], None]:
    """Return what answers at a table of Coup, by mouse and by key in turn."""
    by_key = cycle((False, True))

    def answer() -> None:
        assert table.until_asked(), "the match has ended"
        page.wait_for_selector(".status.mine")
        buttons = page.locator(".moves button:not([aria-disabled=true])")
        passing = buttons.filter(has_text="Pass")
        found = (passing if passing.count() else buttons).first
        if next(by_key):
            found.press("Enter")
        else:
            found.scroll_into_view_if_needed()
            click(page, found)

    return answer


def flown(browser: Browser, url: str) -> list[float]:
    """Play hands of cards, and return the time between frames while they fly."""
    found: list[float] = []
    for _ in range(HANDS):
        table = Table(url, FLYING)
        with seated(browser, url, table) as page:
            page.locator(".hand .card").first.wait_for()
            found += frames(page, table)
    return sorted(found)


def frames(page: Page, table: Table) -> list[float]:
    """Answer until cards have flown, each time once the table is at rest, and return the time between frames meanwhile."""
    page.evaluate(COUNT)
    played = 0
    while (played < PLAYED or not page.evaluate("window.frames_ms.length")) and table.until_asked():
        page.wait_for_selector(".status.mine")
        click(page, ".card.legal, .moves button:not([aria-disabled=true])")
        page.wait_for_timeout(1500)
        played += 1
    return [round(each, 1) for each in page.evaluate("window.frames_ms")]


def views() -> Views:
    """Measure this checkout."""
    with serving(bot_pause_ms=0) as service, sync_playwright() as playwright:
        url = f"http://{service.host}:{service.port}"
        browser = playwright.chromium.launch(executable_path=browser_here(), args=ARGUMENTS)
        lobby, moved = painted(browser, url, ".tile")
        table = Table(url, "stich-meister")
        seat, shifted = painted(browser, f"{url}/#/match/{table.match}", ".seat", table.clients[0].token)
        plain, _ = painted(browser, f"{url}{PLAIN}", "h1")
        found = interactions(browser, url)
        flights = flown(browser, url)
        browser.close()
    return Views(
        lobby_ms=lobby,
        table_ms=seat,
        plain_ms=plain,
        shift=max(moved, shifted),
        interactions=found,
        frames_ms=flights,
    )


if __name__ == "__main__":
    sized(__doc__)
    sys.stdout.buffer.write(msgspec.json.encode(views()))
