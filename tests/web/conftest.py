from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tafelrunde.domain.game import GameId
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service, service

PATIENCE = 1_000 * PATIENCE_SECONDS
expect.set_options(timeout=PATIENCE)

HOW_TO_GET = "there is no Chromium: install it with 'apt-get install chromium', or name one in CHROMIUM"
# Chromium on its own asks its maker's servers for many things; the tests want none of that.
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def chromium() -> str | None:
    """Return where the browser is; the one without any window needs a quarter of the processor time for a page."""
    named, known = os.environ.get("CHROMIUM"), ("chromium-headless-shell", "chromium", "chromium-browser")
    return named or next((found for name in known if (found := shutil.which(name))), None)


# Not longer than a module: as long as it runs, no other test of the process can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser."""
    found = chromium()
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(HOW_TO_GET)
    if found is None:
        pytest.skip(HOW_TO_GET)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield started
        started.close()


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


def is_complaint(line: ConsoleMessage) -> bool:
    """Return whether a line is one that should not be there.

    An answer that came too late is refused, which browsers note, and so is what is asked while a test takes the network away.
    """
    return line.type == "error" and not any(each in line.text for each in ("status of 409", "ERR_INTERNET_DISCONNECTED"))


def told(line: ConsoleMessage) -> str:
    """Return what a line says, and of which address."""
    return f"{line.text} ({line.location['url']})"


def settled(page: Page) -> None:
    """Wait until all that was asked for is drawn; in a replay that is the table that belongs to its point."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.locator(".replay .board[aria-busy=true]")).to_have_count(0)


def for_each(games: Iterable[GameId]) -> pytest.MarkDecorator:
    """Let a long test run for each *game*, in two groups, so that two processes can share it.

    Each group starts a browser, which costs as much as a short test: so there are not more of them.
    """
    groups = [pytest.mark.xdist_group(f"part-{number}") for number in range(2)]
    return pytest.mark.parametrize("game", [pytest.param(game, marks=groups[at % 2]) for at, game in enumerate(games)])


class Visitor:
    """Somebody at a browser of their own, whose page must not complain."""

    def __init__(self, browser: Browser, url: str, *, width: int = 900, height: int = 900, language: str = "en-GB") -> None:
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, reduced_motion="reduce"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.url = url
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: self.complaints.append(told(line)) if is_complaint(line) else None)

    def visit(self, address: str = "") -> Page:
        """Open an address behind the #."""
        self.page.goto(f"{self.url}/#{address}")
        return self.page

    def begin(self, game: str, *, seats: int | None = None) -> Page:
        """Start a match against computers."""
        page = self.visit("/")
        page.locator(f"[data-game={game}] .cover").click()
        if seats is not None:
            page.locator("#wish select").first.select_option(str(seats))
        page.locator("#wish .main").click()
        page.wait_for_selector(".status")
        return page

    def close(self) -> None:
        """Leave, and see that nothing was complained about."""
        self.context.close()
        assert self.complaints == []


@pytest.fixture
def visitor(browser: Browser, served: Service) -> Iterator[Visitor]:
    """Somebody with a wide screen."""
    made = Visitor(browser, served.url)
    yield made
    made.close()


@pytest.fixture
def phone(browser: Browser, served: Service) -> Iterator[Visitor]:
    """Somebody with a small phone."""
    made = Visitor(browser, served.url, width=360, height=640, language="de-DE")
    yield made
    made.close()
