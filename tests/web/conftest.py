from __future__ import annotations

import os
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Error, Page, expect, sync_playwright

from tafelrunde.domain.game import GameId
from tafelrunde.service.settings import Settings
from tafelrunde.workers.listener import listen
from tests.support.fixed_chance import fixed_chance
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required
from tests.support.served import Service, service
from tests.web.party import Party
from tests.web.slow import late, slowed

PATIENCE = 1_000 * PATIENCE_SECONDS
expect.set_options(timeout=PATIENCE)

HERE = Path(__file__).parent
HOW_TO_GET = "there is no Chromium: install it with 'apt-get install chromium', or name one in CHROMIUM"
# Chromium on its own asks its maker's servers for many things; the tests want none of that.
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # In processes and threads of their own, its parts stay quick under load, and cost a tenth more. Each page still has its own.
    *("--in-process-gpu", "--js-flags=--single-threaded --no-opt"),
    "--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface",  # the last of them is Playwright's wish
]


def chromium() -> str | None:
    """Return where the browser is; the one without any window needs a quarter of the processor time for a page."""
    named = os.environ.get("CHROMIUM")
    known = ("chromium-headless-shell", "chromium", "chromium-browser")
    return named or next((found for name in known if (found := shutil.which(name))), None)


STARTED = ExitStack()
"""What has been started for the browser tests of this process."""
BROWSERS: list[Browser] = []
DOORS: list[socket.socket] = []


@pytest.fixture
def browser() -> Browser:
    """A real browser, the same for all tests of this folder that follow each other."""
    found = required(chromium(), HOW_TO_GET)
    if not BROWSERS:
        playwright = STARTED.enter_context(sync_playwright())
        BROWSERS.append(playwright.chromium.launch(executable_path=found, args=QUIET))
        STARTED.callback(KEPT.clear)
        STARTED.callback(BROWSERS.clear)
        STARTED.callback(BROWSERS[0].close)
    return BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    """Stop the browser before a test from elsewhere, or one that is asynchronous: as long as it runs, no other event loop can."""
    try:
        yield
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(HERE) or nextitem.get_closest_marker("anyio"):
            STARTED.close()


@pytest.fixture(scope="module", autouse=True)
def same_service(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is dealt for all tests of a file is the same in every run."""
    with fixed_chance(request.node.nodeid):
        yield


@pytest.fixture(autouse=True)
def same_matches(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is dealt in a test is the same in every run: not every match has a costly decision, or comes to a second round."""
    with fixed_chance(request.node.nodeid):
        yield


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the service search little for what would have been better: how good that is, other tests say."""
    monkeypatch.setattr("tafelrunde.service.features.bots.hints.DEPTH", 3)


def door() -> socket.socket:
    """Return the socket of the services of all files, of which one runs at a time.

    At one address the browser keeps the client that it has loaded, and pages what they have compiled of it.
    """
    if not DOORS:
        DOORS.append(STARTED.enter_context(listen(Settings(port=0))))
        STARTED.callback(DOORS.clear)
    return DOORS[0]


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service(around=late, door=door()) as running:
        STAYING.add(running.url)
        yield running
        STAYING.clear()
        renew(running.url)


KEPT: dict[tuple[Browser, str, str, bool], list[Page]] = {}
"""The pages of visitors who have left, by browser, service and language, and whether they are painted."""
STAYING = set[str]()
"""The services at which pages of visitors who have left may stay loaded: as long as it is one and the same."""
EMPTY = "favicon.ico"
"""A page of the service on which nothing happens, and at which its storage can be written."""


SOCKET = "**/api/v1/socket"
"""Addresses of the service's socket."""

STAY = (HERE / "stay.js").read_text(encoding="utf-8")
"""What runs first in each page. What the page draws follows from the name of its tab: ids of matches and cards depend on it."""

UNPAINTED = """
if (self === top) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":root { opacity: 0; will-change: opacity }");
  document.adoptedStyleSheets.push(sheet);
}
"""
"""All stands where it stood, can be clicked and counts as visible, but no pixel is drawn: that would be a tenth of the work.

What is not said to change, the browser draws all the same, and then shows nothing of it.
"""


def first_page(browser: Browser, url: str, language: str, *, workers: bool = False, painted: bool = False) -> Page:
    """Return a page of a browser that has never been anywhere but at the service, at which it is."""
    context = browser.new_context(
        viewport={"width": 900, "height": 900},
        locale=language,
        reduced_motion="reduce",
        service_workers="allow" if workers else "block",
    )
    context.add_init_script(STAY)
    if not painted:
        context.add_init_script(UNPAINTED)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    slowed(page)
    page.goto(f"{url}/{EMPTY}")
    return page


def paint(page: Page) -> None:
    """Let a page be painted until another is loaded: for who looks at pixels or contrasts."""
    page.evaluate("document.adoptedStyleSheets = []")


def renew(url: str) -> None:
    """Give each browser that visitors of a service have left a new page: listeners to the old one would hear all that comes."""
    for key in [each for each in KEPT if each[1] == url]:
        for at, old in enumerate(KEPT[key]):
            page = KEPT[key][at] = old.context.new_page()
            page.set_default_timeout(PATIENCE)
            slowed(page)
            page.goto(f"{url}/{EMPTY}")
            old.close()


def forget(url: str) -> None:
    """Close the pages that visitors of a service have left, before it ends."""
    for key in [each for each in KEPT if each[1] == url]:
        for page in KEPT.pop(key):
            page.context.close()


def is_complaint(line: ConsoleMessage) -> bool:
    """Return whether a line is one that should not be there.

    An answer that came too late is refused, which browsers note, and so is what is asked while a test takes the network away.
    What the log will have a moment later, it does not have yet. Who sits down while the spectators' talk is asked for may no
    longer hear it, and does not know that yet.
    """
    url = line.location["url"]
    early = "status of 404" in line.text and "/api/v1/log/" in url
    seated = "status of 403" in line.text and "/talk?room=stands" in url
    return (
        line.type == "error"
        and not early
        and not seated
        and not any(each in line.text for each in ("status of 409", "ERR_INTERNET_DISCONNECTED"))
    )


def told(line: ConsoleMessage) -> str:
    """Return what a line says, and of which address."""
    return f"{line.text} ({line.location['url']})"


def wait(page: Page, true: Callable[[], bool]) -> None:
    """Wait until something is true, while the page's requests and answers go on."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def pause(page: Page) -> None:
    """Stop a page's clock a moment from now, which on a busy machine may be over before it is said."""
    for ahead_ms in (1_000, 5_000, 20_000):
        with suppress(Error):
            return page.clock.pause_at(page.evaluate("Date.now()") + ahead_ms)
    raise AssertionError("the clock goes on")


CAUGHT_UP = """() => {
  const { page, store } = document.querySelector("game-table") ?? {};
  return page?.drawing && !store.sending && store.items.length > 0 && store.view.cursor === store.items.at(-1).cursor;
}"""


def caught_up(page: Page) -> None:
    """Wait until a table shows all that has happened: the events come after the view, and its log grows with each."""
    page.wait_for_function(CAUGHT_UP)
    settled(page)


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


def over_http(visitor: Visitor) -> None:
    """Let no socket of a visitor's pages come about."""
    visitor.first("globalThis.WebSocket = function () { throw new DOMException('not here', 'SecurityError'); }")


def commands_of(page: Page) -> list[str]:
    """Return what carries a page's commands from now on, frames and addresses; it grows."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if "/commands" in request.url else None)

    def hear(text: str | bytes) -> None:
        if isinstance(text, str) and '"type":"command"' in text:
            found.append(text)

    page.on("websocket", lambda line: line.on("framesent", hear))
    return found


class Visitor:
    """A visitor with nothing stored in the browser, whose page must log no errors.

    Loading a page is most of the work of a short test: so the next visitor reuses the page of one who left, which begins again
    without being loaded, unless a test has altered it (stay.js) or sets `stays`, as those do that fake what the client keeps of
    a service: its features, and the sheets of games. *fresh*: a new browser context, for what would outlive the visitor: a
    clock, a route of sockets, or a record of all requests. *workers*: one that takes the client's worker as well. *painted*:
    its pages are painted from the start, for who looks at layout shifts.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        width: int = 900,
        height: int = 900,
        language: str = "en-GB",
        fresh: bool = False,
        workers: bool = False,
        painted: bool = False,
    ) -> None:
        self.url = url
        self.complaints: list[str] = []
        fresh |= workers
        self._kept = [] if fresh else KEPT.setdefault((browser, url, language, painted), [])
        self.page: Page = self._kept.pop() if self._kept else first_page(browser, url, language, workers=workers, painted=painted)
        self.context: BrowserContext = self.page.context
        self.fresh = fresh
        self.stays = True
        self.page.set_viewport_size({"width": width, "height": height})
        self._waits: bool = self.page.evaluate("(drawn) => ((name = drawn), location.hash !== '')", secrets.token_hex(9))
        self.page.on("pageerror", self._hear_error)
        self.page.on("console", self._hear_line)
        self._scripts: list[CDPSession] = []

    def _hear_error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _hear_line(self, line: ConsoleMessage) -> None:
        if is_complaint(line):
            self.complaints.append(told(line))

    def first(self, script: str) -> None:
        """Let a script run before anything else in each page that this visitor opens from now on."""
        if self._waits:
            self.load()
        session = self.context.new_cdp_session(self.page)
        session.send("Page.enable")
        session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self._scripts.append(session)

    def visit(self, address: str = "") -> Page:
        """Open an address behind the #."""
        self.page.goto(f"{self.url}/#{address}")
        if self._waits:
            self.page.evaluate("begun")
        self._waits = False
        return self.page

    def load(self) -> None:
        """Let the client be loaded at the next visit: for who looks at that, or at what it asks for first."""
        self.page.goto(f"{self.url}/{EMPTY}")
        self._waits = False

    def begin(self, game: str, *, seats: int | None = None) -> Page:
        """Start a match against computers."""
        page = self.visit("/")
        page.locator(f"[data-game={game}] .choose").click()
        if seats is not None:
            page.locator("#wish select").first.select_option(str(seats))
        page.locator("#wish .main").click()
        page.wait_for_selector(".status")
        return page

    def close(self) -> None:
        """Leave, and see that nothing was complained about."""
        self.page.remove_listener("pageerror", self._hear_error)
        self.page.remove_listener("console", self._hear_line)
        if self.fresh:
            self.context.close()
        else:
            self._hand_over()
        assert self.complaints == []

    def _hand_over(self) -> None:
        """Leave nothing behind but the page."""
        for other in self.context.pages:
            if other != self.page:
                other.close()
        for session in self._scripts:
            session.detach()
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        assert not self.page.evaluate("'__pwClock' in window"), "a clock stays with the page: that takes a fresh browser"
        if not self._stays():
            self.page.goto(f"{self.url}/{EMPTY}")
        assert "[native code]" in self.page.evaluate("String(WebSocket)"), "a route of sockets stays, too"
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self._kept.append(self.page)

    def _stays(self) -> bool:
        """Let the page wait, loaded, for the next visitor; return whether it can."""
        if not self.stays or self._scripts or self.url not in STAYING:
            return False
        with suppress(Error):  # it is just leading elsewhere
            return bool(self.page.evaluate("window.leave?.()"))
        return False


@pytest.fixture
def visitor(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A visitor with a wide screen."""
    made = Visitor(browser, served.url)
    yield made
    made.close()


@pytest.fixture
def newcomer(browser: Browser, served: Service) -> Iterator[Visitor]:
    """Another visitor, of whom the browser has nothing stored either."""
    made = Visitor(browser, served.url)
    yield made
    made.close()


@pytest.fixture
def routed(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A visitor whose sockets a test may cut: that lasts as long as the browser, too."""
    made = Visitor(browser, served.url, fresh=True)
    yield made
    made.close()


@pytest.fixture
def timed(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A visitor whose clock a test may hold: that lasts as long as the browser."""
    made = Visitor(browser, served.url, fresh=True)
    yield made
    made.close()


@pytest.fixture
def phone(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A visitor with a small phone."""
    made = Visitor(browser, served.url, width=360, height=640, language="de-DE")
    yield made
    made.close()


@pytest.fixture(scope="module")
def finished(served: Service) -> Iterator[Party]:
    """A match of Coup that is over."""
    with Party(served.url, "coup", 2) as made:
        made.start().finish(served)
        yield made


def table(visitor: Visitor, party: Party, place: str = "") -> Page:
    """Look at a party's table as its first player."""
    party.seat(visitor.page, 0)
    page = visitor.visit(f"{party.address}{place}")
    page.wait_for_selector(".replay, .result, .status")
    return page
