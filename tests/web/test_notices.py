"""Notices, and the client without a connection: the worker under a path of a host, what it keeps, and what a player chooses."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tafelrunde.domain.match import PlayerId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.notices.service import Choices
from tests.support.served import Service, service
from tests.web.conftest import PATIENCE, settled, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-boards")]

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const kind = name.split(" ")[0].replace("tafelrunde-", "");
    const cache = await caches.open(name);
    found[kind] = (await cache.keys()).map((each) => new URL(each.url).pathname);
  }
  return found;
}"""
READY = f"""async (count) => {{
  await navigator.serviceWorker.ready;
  return ((await ({KEPT})()).rules ?? []).length >= count;
}}"""
SUBSCRIPTION = {
    "endpoint": "https://push.example/send/1",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
SUBSCRIBING = """
if (globalThis.ServiceWorkerRegistration) {
  const browser = SUBSCRIPTION;
  let now = null;
  const manager = {
    getSubscription: async () => now,
    subscribe: async (wish) => {
      window.wish = wish;
      now = { toJSON: () => browser, unsubscribe: async () => ((now = null), true) };
      return now;
    },
  };
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", { get: () => manager });
  const requestPermission = async () => ((window.asked = true), "granted");
  Object.assign(globalThis, { Notification: { permission: "default", requestPermission } });
}
"""


def subscribing(subscription: Mapping[str, Any]) -> str:
    """Return what makes a page's browser one that has a push service, which that of the tests has not."""
    return SUBSCRIBING.replace("SUBSCRIPTION", json.dumps(subscription))


@pytest.fixture(scope="module")
def mounted() -> Iterator[Service]:
    """A service under a path of its host."""
    with service(root="/tables") as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that takes workers."""
    made = browser.new_context(locale="en-GB", reduced_motion="reduce")
    yield made
    made.close()


def opened(context: BrowserContext, url: str, address: str = "/") -> Page:
    """Open a page, and wait until the worker has kept what it keeps for everyone."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}/#{address}")
    page.evaluate("navigator.serviceWorker.ready")
    wait(page, lambda: page.evaluate(READY, 1 + 3 * len(GAMES)))
    return page


def test_rules_and_seen_matches_are_there_without_a_connection(context: BrowserContext, mounted: Service) -> None:
    """The page, the rules of all games, and a finished match that was looked at here; and the page says what it is."""
    with Party(mounted.url, "coup", 2).start() as party:
        mounted.finish(party.match, random.Random(1))
        page = opened(context, mounted.url)
        party.seat(page, 0)
        page.goto(f"{mounted.url}/#/match/{party.match}")
        page.reload()
        expect(page.locator(".seat").first).to_be_visible()
        page.get_by_role("button", name="Replay").click()
        stops = page.locator(".replay-bar .quiet")
        expect(stops).to_have_text(re.compile("^1 / [1-9][0-9]+$"))
        page.get_by_role("button", name="+1", exact=True).click()
        expect(stops).to_have_text(re.compile("^2 / "))
        settled(page)
        length = stops.inner_text().split()[-1]
        line = page.locator(".replay > .status").inner_text()
        wait(page, lambda: sum("/feed" in path for path in page.evaluate(KEPT).get("seen", ())) >= 2)
        kept = page.evaluate(KEPT)
        assert all(path.startswith("/tables/") for paths in kept.values() for path in paths)
        assert {re.split(r"/", path)[5] for path in kept["seen"]} == {party.match}
        context.set_offline(True)
        page.goto(f"{mounted.url}/#/rules/mondkrone")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Mondkrone")
        expect(page.get_by_role("status").first).to_contain_text("No connection.")
        page.goto(f"{mounted.url}/match/{party.match}")
        expect(page.locator(".seat").first).to_be_visible()
        page.get_by_role("button", name="Replay").click()
        expect(stops).to_have_text(f"1 / {length}")
        page.get_by_role("button", name="+1", exact=True).click()
        expect(page.locator(".replay > .status")).to_have_text(line)
        settled(page)
        expect(page.locator(".replay .board .seat").first).to_be_visible()
        context.set_offline(False)


def test_running_matches_are_not_kept(context: BrowserContext, mounted: Service) -> None:
    """Nor anything else that is said to a player; what was kept of finished ones ends with the player here."""
    with Party(mounted.url, "coup", 2).start() as running, Party(mounted.url, "coup", 2).start() as over:
        mounted.finish(over.match, random.Random(1))
        page = opened(context, mounted.url)
        running.seat(page, 0)
        for match in (running.match, over.match):
            page.goto(f"{mounted.url}/#/match/{match}")
            page.reload()
            expect(page.locator(".seat").first).to_be_visible()
        wait(page, lambda: len(page.evaluate(KEPT).get("seen", ())) > 0)
        kept = page.evaluate(KEPT)
        assert {path.split("/")[5] for path in kept["seen"]} == {over.match}
        assert {path.split("/")[4] for path in kept["rules"]} == {"games"}
        page.goto(f"{mounted.url}/#/me")
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").or_(page.locator(".confirm")).get_by_role("button", name="Delete").click()
        wait(page, lambda: not page.evaluate(KEPT).get("seen"))  # to look into a cache makes it


def test_client_has_what_browsers_want_of_an_application(context: BrowserContext, mounted: Service) -> None:
    """A manifest that Chromium reads without an error, which begins where the service is, icons that load, and a worker.

    Whether a browser offers to install it, none without a window can say.
    """
    page = opened(context, mounted.url)
    found: Any = context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    manifest: Any = found["manifest"]
    assert (manifest["startUrl"], manifest["scope"]) == (f"{mounted.url}/", f"{mounted.url}/")
    assert (manifest["name"], manifest["display"]) == ("Tafelrunde", "kStandalone")
    assert {each["purpose"] for each in json.loads(found["data"])["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        width = "async (src) => { const icon = new Image(); icon.src = src; await icon.decode(); return icon.naturalWidth; }"
        assert page.evaluate(width, icon["url"]) > 0
    assert page.evaluate("async () => (await navigator.serviceWorker.ready).scope") == f"{mounted.url}/"


def test_player_chooses_notices(context: BrowserContext, mounted: Service) -> None:
    """By a click, which alone asks the browser; an address waits for its code, and its field is as high as the button."""
    assert mounted.application is not None
    choices = mounted.application.get(Choices)
    choices.mails = True
    context.add_init_script(subscribing(SUBSCRIPTION))
    player, _, token = mounted.do(mounted.application.accounts.register("Nora"))
    page = opened(context, mounted.url)
    page.evaluate("(token) => localStorage.setItem('tafelrunde.token', token)", token)
    page.goto(f"{mounted.url}/#/me")
    page.reload()
    section = page.locator("section.notices")
    section.get_by_label("A match is over").uncheck()
    section.get_by_role("button", name="Notify me here").wait_for()
    assert page.evaluate("window.asked") is None
    section.get_by_role("button", name="Notify me here").click()
    expect(section).to_contain_text("This browser notifies you.")
    assert len(page.evaluate("window.wish.applicationServerKey")) == 87
    field, button = (section.get_by_label("Mail address"), section.get_by_role("button", name="Send a code"))
    assert len({each.evaluate("(part) => part.offsetHeight") for each in (field, button)}) == 1
    field.fill("nora@example.org")
    button.click()
    expect(section).to_contain_text("A code is on its way to nora@example.org.")
    chosen = mounted.do(choices.of(PlayerId(player.id)))
    assert chosen.mail is not None
    section.get_by_label("Code from the mail").fill(choices.code_of(PlayerId(player.id), chosen.mail))
    section.get_by_role("button", name="Confirm").click()
    expect(section).to_contain_text("Mail goes to nora@example.org.")
    chosen = mounted.do(choices.of(PlayerId(player.id)))
    assert ([each.value for each in chosen.occasions], len(chosen.ways)) == (["turn", "invitation", "round"], 2)
    section.get_by_role("button", name="Stop here").click()
    section.get_by_role("button", name="Delete the address").click()
    expect(section.get_by_role("button", name="Send a code")).to_be_visible()
    expect(section.get_by_role("button", name="Notify me here")).to_be_visible()
    assert mounted.do(choices.of(PlayerId(player.id))).ways == ()
