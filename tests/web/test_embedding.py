"""The table on other sites' pages, as an element and as a frame, with the service mounted under a path of another app."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from html import escape
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Frame, FrameLocator, Page, Request, Route, expect

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.web.conftest import Visitor, commands_of, forget, wait
from tests.web.hosting import Player, Site, Sites, sites

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-embedding")]

DEMO = ROOT / "docs" / "embed-demo" / "index.html"
MOVES = ".moves button:enabled"
NAMES = ["ready", "state", "ended", "error", "token-expiring"]
LISTEN = f"""<script>window.heard = [];
for (const table of document.querySelectorAll("game-table"))
  for (const name of {NAMES}) table.addEventListener(name, (event) => heard.push([name, event.detail]));
</script>"""
TALK = """<script>window.heard = [];
const frame = document.querySelector("iframe");
window.say = (message) => frame.contentWindow.postMessage({ tafelrunde: 1, ...message }, "*");
addEventListener("message", ({ source, origin, data }) => {
  if (source === frame.contentWindow) heard.push([data.type, data, origin]);
});
</script>"""


@pytest.fixture(scope="module")
def around() -> Iterator[Sites]:
    """The service and the sites around it."""
    with sites() as found:
        yield found
        forget(found.service)


class Watcher:
    """A browser that notes all that it sends and says, and must not complain. *fresh*: as for a visitor."""

    def __init__(self, browser: Browser, service: str, *, fresh: bool = False) -> None:
        self.visitor = Visitor(browser, service, fresh=fresh)
        self.page: Page = self.visitor.page
        self.sent: list[Request] = []
        self.said: list[str] = []
        self.visitor.context.on("request", self._keep)
        self.visitor.context.on("console", self._note)

    def _keep(self, request: Request) -> None:
        self.sent.append(request)

    def _note(self, line: ConsoleMessage) -> None:
        self.said.append(line.text)

    def close(self) -> None:
        """Leave, and see that nothing was complained about but a token that is refused."""
        self.visitor.context.remove_listener("request", self._keep)
        self.visitor.context.remove_listener("console", self._note)
        self.visitor.complaints = [each for each in self.visitor.complaints if "status of 401" not in each]
        self.visitor.close()

    def open(self, site: Site, body: str, head: str = "") -> Page:
        """Open a page of a site."""
        self.page.goto(site.put(body, head))
        return self.page

    def heard(self, name: str) -> list[Any]:
        """Return what the page has heard under a name."""
        return [each[1] for each in self.page.evaluate("heard") if each[0] == name]

    def hears(self, name: str, **content: Any) -> Any:
        """Wait until the page has heard this."""

        def found() -> Any:
            return next((each for each in self.heard(name) if content.items() <= each.items()), None)

        wait(self.page, lambda: found() is not None)
        return found()

    def told(self) -> str:
        """Return all that left the page in an address, a referrer or a line of its console."""
        return "\n".join([*(f"{each.url} {each.headers.get('referer')}" for each in self.sent), *self.said, self.page.url])

    def exchanges(self) -> list[Request]:
        """Return the requests that exchange a token."""
        return [each for each in self.sent if each.url.endswith("/tokens")]

    def frame(self) -> Frame:
        """Return the frame of the service in the page."""
        return next(each for each in self.page.frames if "/embed/" in each.url)


@pytest.fixture
def watcher(browser: Browser, around: Sites) -> Iterator[Watcher]:
    """A visitor of a site."""
    made = Watcher(browser, around.service)
    yield made
    made.close()


def element(around: Sites, player: Player, attributes: str) -> str:
    """Return a page with an element."""
    script = f'<script type="module" src="{around.service}/web/game-table.js"></script>'
    return f'{script}<game-table match="{player.match}" {attributes}></game-table>{LISTEN}'


def framed(around: Sites, player: Player, rest: str = "", attributes: str = "") -> str:
    """Return a page with a frame."""
    address = escape(f"{around.service}/embed/{player.match}{rest}")
    return f'<iframe src="{address}" width="800" height="700" {attributes}></iframe>{TALK}'


def move(place: Page | FrameLocator, player: Player, page: Page) -> None:
    """Take income, and see that it has happened."""
    before = player.moves()
    place.locator(MOVES).first.click()
    wait(page, lambda: player.moves() > before)


def inside(page: Page) -> FrameLocator:
    """Return what the frame shows."""
    return page.frame_locator("iframe")


def test_element_plays_on_a_page_of_another_origin(around: Sites, watcher: Watcher) -> None:
    """One script and one tag: it asks the service that it comes from, plays, and notifies its page."""
    player = Player(around.service)
    given = commands_of(watcher.page)
    page = watcher.open(around.friend, element(around, player, f'token="{player.token()}" language="de"'))
    move(page, player, page)
    assert len(given) == 1
    assert watcher.hears("ready") == {"match": player.match, "game": "coup", "seat": 0}
    assert watcher.hears("state", your_turn=True)["status"] == "running"
    expect(page.locator(".log summary")).to_contain_text("Verlauf")


def test_element_changes_nothing_of_its_page(around: Sites, watcher: Watcher) -> None:
    """It stores nothing, takes no keys that are meant for others, and leaves language, title and address as they are."""
    player = Player(around.service)
    page = watcher.open(around.friend, element(around, player, f'token="{player.token()}"'))
    address = page.url
    page.wait_for_selector(MOVES)
    before = player.moves()
    page.keyboard.press("1")
    page.wait_for_timeout(200)
    assert player.moves() == before
    page.locator(MOVES).first.focus()
    page.keyboard.press("1")
    wait(page, lambda: player.moves() > before)
    assert page.evaluate(
        "[localStorage.length, sessionStorage.length, document.cookie, document.documentElement.lang, document.title]"
    ) == [0, 0, "", "fr", ""]
    assert page.url == address
    assert page.locator("game-table").get_attribute("token") is None


def test_element_keeps_its_looks_on_any_page(around: Sites, watcher: Watcher) -> None:
    """Neither rules nor letters of the page reach it; variables and parts do."""
    player = Player(around.service)
    style = """<style>html { font-size: 6px } * { letter-spacing: 9px } button { display: none }
    game-table { --accent: rgb(1, 2, 3) } game-table::part(status) { color: rgb(4, 5, 6) }</style>"""
    page = watcher.open(around.friend, style + element(around, player, f'token="{player.token()}"'))
    button = page.locator(MOVES).first
    expect(button).to_be_visible()
    expect(button).to_have_css("letter-spacing", "normal")
    expect(button).to_have_css("font-size", "16px")
    assert (button.bounding_box() or {})["height"] >= 44
    expect(page.locator(".status")).to_have_css("color", "rgb(4, 5, 6)")
    assert page.locator("game-table").evaluate("table => getComputedStyle(table).getPropertyValue('--accent')") == "rgb(1, 2, 3)"


@pytest.mark.parametrize("socket", [True, False])
def test_element_works_under_a_strict_policy(around: Sites, watcher: Watcher, *, socket: bool) -> None:
    """Scripts and connections of the service are all that a page has to allow; without its socket there is a note of that."""
    player = Player(around.service)
    origin = re.sub(r"(?<=\d)/.*", "", around.service)
    allowed = f"{origin} {origin.replace('http', 'ws')}" if socket else origin
    policy = f"default-src 'none'; img-src data:; script-src {origin}; connect-src {allowed}"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    body = element(around, player, f'token="{player.token()}"').replace(LISTEN, "")
    page = watcher.open(around.friend, body, head)
    move(page, player, page)
    expect(page.locator(".table")).to_have_css("font-size", "16px")
    assert all("Content Security Policy" in each and not socket for each in watcher.visitor.complaints)
    watcher.visitor.complaints.clear()


def test_two_elements_on_a_page_speak_two_languages(around: Sites, watcher: Watcher) -> None:
    """Each has a language of its own, and the page's is not touched."""
    player = Player(around.service)
    script = f'<script type="module" src="{around.service}/web/game-table.js"></script>'
    one, other = (f'<game-table match="{player.match}" spectator language="{name}"></game-table>' for name in ("de", "en"))
    page = watcher.open(around.stranger, script + one + other)
    expect(page.locator("game-table").nth(0)).to_contain_text("Verlauf")
    expect(page.locator("game-table").nth(1)).to_contain_text("Log")
    assert page.locator(MOVES).count() == 0


def test_token_is_exchanged_and_a_fresh_one_is_taken_without_reload(around: Sites, browser: Browser) -> None:
    """What was handed over ends at once; before its time is over the next one is there; one that was revoked is asked for."""
    player = Player(around.service)
    given = player.token()
    watcher = Watcher(browser, around.service, fresh=True)
    watcher.page.clock.install()
    page = watcher.open(around.friend, element(around, player, f'token="{given}" seat="0"'))
    page.wait_for_selector(MOVES)
    ask = {"Authorization": f"Bearer {given}"}
    view = httpx.get(f"{around.service}/api/v1/matches/{player.match}/view", headers=ask, timeout=PATIENCE_SECONDS)
    assert view.status_code == 401
    with page.expect_response("**/tokens") as exchanged:
        page.clock.fast_forward("46:00")
    assert exchanged.value.status == 201
    asked = "document.querySelector('game-table').store.view.question?.decision ?? 0"
    first = page.evaluate(asked)
    move(page, player, page)
    wait(page, lambda: page.evaluate(asked) > first)
    page.evaluate("() => { document.querySelector('game-table').renew = () => new Promise((done) => (window.hand = done)) }")
    page.wait_for_selector(MOVES)
    player.revoke()
    before = player.moves()
    page.locator(MOVES).first.click()
    assert watcher.hears("token-expiring") == {"match": player.match, "reason": "refused"}
    page.evaluate("(token) => hand(token)", player.token())
    wait(page, lambda: player.moves() > before)
    assert watcher.heard("error") == []
    watcher.close()


def test_element_goes_on_in_the_rematch_that_its_page_gives_it(around: Sites, watcher: Watcher) -> None:
    """The button agrees; `state` names the rematch, and the page takes the seat and hands over the match with its token."""
    player = Player(around.service)
    page = watcher.open(around.friend, element(around, player, f'token="{player.token()}" language="en"'))
    page.wait_for_selector(MOVES)
    player.play_out()
    page.locator(".result button", has_text="Play again").click()
    wait(page, lambda: any(each["rematch"] for each in watcher.heard("state")))
    expect(page.locator(".result .wishes")).to_have_text("The next match is about to begin …")
    player.match = watcher.heard("state")[-1]["rematch"]
    player.ask("POST", f"matches/{player.match}/seats")
    page.evaluate(
        "([match, token]) => Object.assign(document.querySelector('game-table'), { match, token })",
        [player.match, player.token()],
    )
    move(page, player, page)
    assert page.evaluate("localStorage.length") == 0


def test_frame_plays_with_a_token_in_its_fragment(around: Sites, watcher: Watcher) -> None:
    """No script of the page is needed; the fragment is gone at once, and nothing is stored."""
    player = Player(around.service)
    page = watcher.open(around.friend, framed(around, player, f"#token={player.token()}&language=de"))
    move(inside(page), player, page)
    expect(inside(page).locator(".log summary")).to_contain_text("Verlauf")
    frame = watcher.frame()
    assert frame.evaluate("[location.href, localStorage.length, sessionStorage.length]") == [
        f"{around.service}/embed/{player.match}",
        0,
        0,
    ]


def test_frame_talks_with_its_page(around: Sites, watcher: Watcher) -> None:
    """hello, token, ready, event, resize: in these shapes, with the token by message."""
    player = Player(around.service)
    page = watcher.open(around.friend, framed(around, player))
    assert watcher.hears("hello") == {"tafelrunde": 1, "type": "hello", "match": player.match, "mode": "seat"}
    page.evaluate("say({ type: 'hello', language: 'de' })")
    watcher.hears("token", reason="missing", match=player.match)
    page.evaluate("(token) => say({ type: 'token', token })", player.token())
    assert watcher.hears("ready", seat=0)["game"] == "coup"
    assert watcher.hears("event", event="state")["detail"]["match"] == player.match
    assert watcher.hears("resize")["height"] > 0
    move(inside(page), player, page)
    page.evaluate("say({ type: 'language', language: 'en' })")
    expect(inside(page).locator(".log summary")).to_contain_text("Log")
    origins = {each[2] for each in page.evaluate("heard")}
    service = urlsplit(around.service)
    assert origins == {f"{service.scheme}://{service.netloc}"}


def test_page_that_speaks_late_is_asked_for_the_token_as_well(around: Sites, watcher: Watcher) -> None:
    """The frame shows what everyone may see by then; with the token it shows the seat."""
    player = Player(around.service)
    page = watcher.open(around.friend, framed(around, player))
    watcher.hears("hello")
    inside(page).locator(".ring .seat").first.wait_for()
    page.evaluate("say({ type: 'hello', language: 'de' })")
    watcher.hears("token", reason="missing", match=player.match)
    page.evaluate("(token) => say({ type: 'token', token })", player.token())
    assert watcher.hears("ready", seat=0)["game"] == "coup"


def test_frame_hears_a_page_that_speaks_before_the_table_is_there(around: Sites, watcher: Watcher) -> None:
    """Its script has begun, but most of the table is still on its way; nothing that the page says is lost, nor turned around."""
    player = Player(around.service)
    held: list[Route] = []
    watcher.page.route("**/game-table.js", lambda route: held.append(route))  # noqa: PLW0108 - a mark is set on it
    page = watcher.open(around.friend, framed(around, player))
    page.evaluate("say({ type: 'hello', language: 'de' })")
    page.evaluate("(token) => say({ type: 'token', token })", player.token())
    wait(page, lambda: bool(held))
    page.wait_for_timeout(100)
    assert watcher.page.evaluate("heard") == []
    held.pop().continue_()
    inside(page).locator(MOVES).first.wait_for()
    expect(inside(page).locator(".log summary")).to_contain_text("Verlauf")
    assert watcher.hears("ready", seat=0)["game"] == "coup"


def test_frame_asks_for_a_token_when_its_own_is_refused(around: Sites, watcher: Watcher) -> None:
    """The page answers with a fresh one, and the move that was refused is made."""
    player = Player(around.service)
    page = watcher.open(around.friend, framed(around, player, f"#token={player.token()}"))
    watcher.hears("hello")
    page.evaluate("say({ type: 'hello' })")
    inside(page).locator(MOVES).first.wait_for()
    player.revoke()
    before = player.moves()
    inside(page).locator(MOVES).first.click()
    watcher.hears("token", reason="refused")
    page.evaluate("(token) => say({ type: 'token', token })", player.token())
    wait(page, lambda: player.moves() > before)


@pytest.fixture
def access_log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    """What servers log of connections that begin from now on: each asks once whether to, and some servers say no for all."""
    for name in (None, "uvicorn", "uvicorn.access"):
        caplog.set_level(logging.INFO, logger=name)
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "propagate", True)
    return caplog


def test_token_is_in_no_address_referrer_or_log(browser: Browser, around: Sites, access_log: pytest.LogCaptureFixture) -> None:
    """Neither what is handed over nor what it is exchanged for; it goes to the service alone, in a header."""
    watcher = Watcher(browser, around.service, fresh=True)  # whose connections are its own
    player = Player(around.service)
    given = [player.token(), player.token()]
    both = element(around, player, f'token="{given[0]}"') + framed(around, player, f"#token={given[1]}")
    page = watcher.open(around.friend, both)
    wait(page, lambda: len(watcher.exchanges()) == 2)
    move(inside(page), player, page)
    fresh = [each.response().json()["text"] for each in watcher.exchanges()]  # type: ignore[union-attr]  # all are answered
    assert f"GET /tafel/embed/{player.match} HTTP" in access_log.text
    told = watcher.told() + "".join(around.friend.asked) + json.dumps(watcher.heard("event")) + access_log.text
    for token in (*given, *fresh):
        assert token not in told
    with_token = {each.url for each in watcher.sent if "authorization" in each.headers}
    assert with_token
    assert all(url.startswith(around.service) for url in with_token)
    assert {each.headers.get("referer") for each in watcher.sent if "/api/" in each.url} <= {None, ""}
    watcher.close()


def test_frame_refuses_messages_of_others(around: Sites, watcher: Watcher) -> None:
    """A neighbour of another origin changes nothing with a good token, nor does a message before the page's own hello."""
    player = Player(around.service)
    attack = f"parent.frames[0].postMessage({{ tafelrunde: 1, type: 'hello', language: 'de', token: '{player.token()}' }}, '*')"
    neighbour = around.stranger.put(f"<script>setInterval(() => {attack}, 50)</script>")
    page = watcher.open(around.friend, framed(around, player) + f'<iframe src="{neighbour}"></iframe>')
    frame = page.frame_locator("iframe").first
    expect(frame.locator(".log summary")).to_contain_text("Log")
    page.wait_for_timeout(300)
    assert frame.locator(MOVES).count() == 0
    assert watcher.heard("ready") == []
    page.evaluate("(token) => frame.contentWindow.postMessage({ type: 'token', token }, '*')", player.token())
    page.evaluate("(token) => say({ type: 'token', token })", player.token())
    page.wait_for_timeout(300)
    assert frame.locator(MOVES).count() == 0
    page.evaluate("(token) => say({ type: 'hello', token })", player.token())
    frame.locator(MOVES).first.wait_for()


def test_seat_is_not_shown_on_a_page_that_is_not_listed(browser: Browser, around: Sites) -> None:
    """The browser keeps to the frame's policy; the same frame for spectators is shown."""
    player = Player(around.service)
    watcher = Watcher(browser, around.service, fresh=True)
    page = watcher.open(around.stranger, framed(around, player, f"#token={player.token()}"))
    wait(page, lambda: any("frame-ancestors" in line for line in watcher.said))
    assert inside(page).locator("game-table").count() == 0
    page = watcher.open(around.stranger, framed(around, player, "?spectator=true"))
    inside(page).locator(".ring").wait_for()
    watcher.visitor.context.close()


def test_frame_for_spectators_takes_no_token(around: Sites, watcher: Watcher) -> None:
    """Not in the fragment and not by message, or any page could show a seat."""
    player = Player(around.service)
    page = watcher.open(around.stranger, framed(around, player, f"?spectator=true#token={player.token()}"))
    page.evaluate("(token) => say({ type: 'hello', token })", player.token())
    assert watcher.hears("ready")["seat"] is None
    page.wait_for_timeout(200)
    assert inside(page).locator(MOVES).count() == 0
    assert {"authorization" in each.headers for each in watcher.sent} == {False}


def test_frame_for_spectators_works_in_a_sandbox(around: Sites, watcher: Watcher) -> None:
    """Sites put what they embed into a sandbox without an origin: no storage, no cookies."""
    player = Player(around.service)
    page = watcher.open(around.stranger, framed(around, player, "?spectator=true", 'sandbox="allow-scripts"'))
    inside(page).locator(".ring").wait_for()
    page.evaluate("say({ type: 'hello', language: 'de' })")
    expect(inside(page).locator(".log summary")).to_contain_text("Verlauf")


def test_link_becomes_a_frame_by_oembed(around: Sites, watcher: Watcher) -> None:
    """As a site does it: the address of a match, its discovery link, the answer's html in the page."""
    player = Player(around.service)
    shown = httpx.get(f"{around.service}/match/{player.match}", timeout=PATIENCE_SECONDS).text
    link = re.search(r'json\+oembed" href="([^"]+)"', shown)
    assert link is not None
    told = httpx.get(link[1].replace("&amp;", "&"), timeout=PATIENCE_SECONDS).json()
    page = watcher.open(around.stranger, told["html"])
    inside(page).locator(".ring").wait_for()
    assert page.locator("iframe").get_attribute("title") == "Coup – Tafelrunde"


def test_address_of_a_match_opens_the_client_there(around: Sites, watcher: Watcher) -> None:
    """The invitation that people send to each other."""
    player = Player(around.service)
    watcher.page.goto(f"{around.service}/match/{player.match}")
    watcher.page.wait_for_selector(".ring")
    assert watcher.page.url == f"{around.service}/#/match/{player.match}"


@pytest.mark.parametrize("way", ["element", "frame"])
def test_demo_page_works_from_another_origin(way: str, around: Sites, watcher: Watcher) -> None:
    """docs/embed-demo plays in both ways."""
    player = Player(around.service)
    around.friend.pages["/demo"] = DEMO.read_text(encoding="utf-8").replace("<head>", '<head><link rel="icon" href="data:,">')
    page = watcher.page
    page.goto(f"{around.friend.url}/demo")
    for name, value in (("base", f"{around.service}/"), ("match", player.match), ("token", player.token())):
        page.fill(f"#{name}", value)
    page.click(f"button[value={way}]")
    move(page if way == "element" else inside(page), player, page)
    expect(page.locator("#heard")).to_contain_text("ready")
