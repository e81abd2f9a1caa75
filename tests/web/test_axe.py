"""What axe says of every page and of every game's table: nothing that is serious or critical."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # pyright: ignore[reportMissingTypeStubs] - it has none
from playwright.sync_api import Browser, Page

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.served import Service
from tests.web.conftest import Visitor
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

Look = tuple[Literal["light", "dark"], str]
BOTH: tuple[Look, ...] = (("light", "en"), ("dark", "de"))
ALL: tuple[Look, ...] = (*BOTH, ("light", "de"), ("dark", "en"))
GRAVE = {"serious", "critical"}
RUN = "axe.run({resultTypes: ['violations']}).then((found) => found.violations)"


def grave(page: Page) -> list[str]:
    """Return what is seriously or critically wrong with a page: rule, place, and what to mend."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(RUN)
    return [
        f"{each['id']} {node['target']} {node['html'][:120]} {node['failureSummary'].splitlines()[1:2]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


def check(page: Page, state: str, looks: tuple[Look, ...] = BOTH) -> dict[str, list[str]]:
    """Return what axe finds in each look of a state."""
    found: dict[str, list[str]] = {}
    for scheme, language in looks:
        page.emulate_media(color_scheme=scheme)
        page.locator(f".languages [lang={language}]").click()
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        page.wait_for_timeout(50)
        if wrong := grave(page):
            found[f"{state}, {scheme}, {language}"] = wrong
    return found


def test_lobby_and_rules_are_accessible(visitor: Visitor) -> None:
    """The lobby, each game's form with its options, a page of rules, and an open table."""
    page = visitor.visit("/")
    page.wait_for_selector(".tile")
    found = check(page, "lobby", ALL)
    for game in GAMES:
        page.locator(f"[data-game={game}] .cover").click()
        page.wait_for_selector(".tile.chosen")
        page.locator("#wish details:not([open]) summary").evaluate_all("all => all.forEach((each) => each.click())")
        found |= check(page, f"form of {game}")
    page.locator("#wish button:not(.main)").last.click()
    page.wait_for_selector(".seats")
    found |= check(page, "open table")
    for game in GAMES:
        visitor.visit(f"/rules/{game}").wait_for_selector(".rules h1")
        found |= check(page, f"rules of {game}")
    assert not found, json.dumps(found, indent=1)


@pytest.mark.parametrize("game", GAMES)
def test_table_is_accessible_in_every_state(game: GameId, browser: Browser, served: Service) -> None:
    """Your turn, the others' turn, in the middle, over, and in the replay; with all that can be unfolded unfolded."""
    visitor = Visitor(browser, served.url)
    with Party(served.url, game, GAMES[game].min_seats) as party:
        party.start().seat(visitor.context, 0)
        party.answer_until_asked(0)
        page = visitor.visit(party.address)
        page.wait_for_selector(".status.mine")
        found = check(page, "your turn", ALL)
        party.answer_until_free(0)
        page.wait_for_selector(".status:not(.mine)")
        found |= check(page, "others' turn")
        party.answer_times(40)
        party.answer_until_asked(0)
        page.wait_for_timeout(300)
        page.locator("details:not([open]) > summary").evaluate_all("all => all.forEach((each) => each.click())")
        found |= check(page, "in the middle")
        party.finish()
        page.wait_for_selector(".result")
        found |= check(page, "over")
        page.locator("footer button:not(.main)").last.click()
        page.locator(".scrub button").last.click()
        page.wait_for_selector(".replay .board .seat")
        found |= check(page, "replay")
    assert not found, json.dumps(found, indent=1)
    visitor.close()
