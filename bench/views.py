"""`python -m bench.views`: measure when a visitor sees something, and how evenly cards fly, in the checkout that it is run in.

It prints JSON, for `bench.web`, which also runs it in another checkout, to compare two trees on one machine: so it uses
nothing of `bench` but what has long been there. Loads are those of a first visit, with an empty cache, in a window of 1280 x
800. Frames are measured with the processor slowed down as for interactions, while cards fly at a table of Meister Coup,
where every click plays one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from bench.browser import browser_here
from bench.scale import size, sized
from bench.service import serving
from bench.web import ARGUMENTS, OPTIONS, Interactions, Table, click, interactions, seated, slow

LOADS = size(5, 1)
HANDS = size(4, 1)
PLAYED = size(4, 2)
"""Cards that are played of each hand; those of the others fly as well."""
FLYING = "meister-coup"
OPTIONS.setdefault(FLYING, {})
GAMES = ("Stich-Meister", "Coup")
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
    shift: float
    interaction_ms: Sequence[float]
    """The interaction to next paint of Stich-Meister, and of Coup."""
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
        found: Sequence[Interactions] = interactions(browser, url)
        flights = flown(browser, url)
        browser.close()
    return Views(
        lobby_ms=lobby,
        table_ms=seat,
        shift=max(moved, shifted),
        interaction_ms=[slow(found, game) for game in GAMES],
        frames_ms=flights,
    )


if __name__ == "__main__":
    sized(__doc__)
    sys.stdout.buffer.write(msgspec.json.encode(views()))
